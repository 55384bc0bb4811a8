"""Work that can be shared out: a scene as arrays, and pure functions over parts of it.

`read_files` and `clash` and `poses` are the units of work. Each is a function of its arguments alone: models
by the hash of their images, and files, pairs or poses; it returns arrays. Any engine may call them
in any process, in any order, more than once. `impinge.cluster` does so on Ray; `docs/cluster.md` shows
Dask and mpi4py.

    scene = read(["scene.csv"])
    found = [clash(job, scene.packs) for job in scene.jobs(clearance=0.05)]
    print(scene.report(found).json().decode())

Models travel as images (`Model.to_image`), many of them in a *pack*, and are viewed where the engine has put
it: in shared memory that is one copy for all processes. A view of an array that is not aligned is a copy. The
packs that a process was given must not be changed while it has models of them. A process has a model once,
and keeps it by its hash: `keep(bytes)` sets how much of them.

A process checks an image when it first sees its hash, and looks at the header and the mesh alone when that
hash comes again with bytes that have it. No other process is believed: a hash says which bytes they are, and
not that somebody has checked them, and of unchecked bytes a query may panic or not end.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Set, Tuple

import numpy as np

from ._errors import Error, StoredError
from ._impinge import Model, Pair, clash_lines, clash_pairs, error_line, join_boxes, list_parts

#: The classes of a clash; columns have their numbers.
CLASSES = ("touches", "pierces", "inside", "duplicate", "too-near", "uncertain")

#: Questions about poses of a pair, and the type of the answers.
QUESTIONS = {
    "collides": np.dtype(bool),
    "contains": np.dtype(bool),
    "nearer_than": np.dtype(bool),
    "distance": np.dtype(float),
    "verdict": np.dtype("<U12"),
}

def answers(question: str, options: Dict[str, Any]) -> np.dtype:
    """The type of the answers to one of `QUESTIONS` with these options: of verdicts words, or codes."""
    return np.dtype(np.uint8) if question == "verdict" and options.get("codes") else QUESTIONS[question]


#: Boxes of a cell of the join, about.
CELL = 512

#: Images begin in memory at multiples of it: where `Model.view` makes no copy.
ALIGNMENT = 64

#: Bytes of the models of a pack, unless one has more: a process that has one of them holds all.
PACK = 16 << 20


class Place(NamedTuple):
    """Where the image of a model is: in a pack, a read-only array of bytes of several images.

    pack: the number of the pack. start, end: the image is its bytes `start:end`.
    """

    pack: int
    start: int
    end: int


class Files(NamedTuple):
    """Files to be read by one task, and the poses of the parts that place each.

    paths: absolute paths. shown: the same paths as messages have them. poses: of each file (n, 4, 4), a pose a
    part.
    """

    paths: Tuple[str, ...]
    shown: Tuple[str, ...]
    poses: Tuple[np.ndarray, ...]


class Fact(NamedTuple):
    """What is known of a model that was read.

    hash: 32 hexadecimal digits, of its image. start, end: the image is bytes `start:end` of the pack.
    nbytes: bytes of the model in memory. boxes: (k, 2, 3), least and largest corner of each part that it is of.
    """

    hash: str
    start: int
    end: int
    nbytes: int
    boxes: np.ndarray


class Kept:
    """The models of this process by their hash. Beyond `limit` bytes those unused for longest go.

    limit: bytes, which `shrink` applies. nbytes: bytes of the models that are kept.
    """

    def __init__(self, limit: int) -> None:
        """Keeps no model yet. limit: bytes of models, at most, unless the last one has more."""
        self.limit, self.nbytes = limit, 0
        self._models: OrderedDict[str, Model] = OrderedDict()
        self._pairs: OrderedDict[Tuple[str, str], Pair] = OrderedDict()
        #: The hashes of images that were checked here.
        self._checked: Set[str] = set()
        self._lock = threading.Lock()

    def model(self, name: str, stored: Callable[[], np.ndarray]) -> Model:
        """The model of a hash; `stored` returns its image, if it is not kept.

        Raises `StoredError`, also of a whole image that has another hash.
        """
        with self._lock:
            if name in self._models:
                self._models.move_to_end(name)
                return self._models[name]
        model = self._viewed(name, stored())
        with self._lock:
            self._checked.add(name)
            if name not in self._models:
                self._models[name] = model
                self.nbytes += model.nbytes
            self.shrink()
        return model

    def _viewed(self, name: str, stored: np.ndarray) -> Model:
        image = np.frombuffer(stored, dtype=np.uint8)
        image.setflags(write=False)
        same = hash_of(image) == name
        try:
            model = Model.view(image, checked=same and name in self._checked)
        except StoredError as error:
            raise StoredError(f"model {name}: {error}") from None
        if not same:
            raise StoredError(f"model {name}: its image is that of another model")
        return model

    def shrink(self) -> None:
        """Lets go of models beyond `limit` bytes, and of their pairs, which keep them. The last model stays."""
        while self.nbytes > self.limit and len(self._models) > 1:
            name, gone = self._models.popitem(last=False)
            self.nbytes -= gone.nbytes
            for names in [names for names in self._pairs if name in names]:
                del self._pairs[names]

    def pair(self, names: Tuple[str, str], models: Tuple[Model, Model]) -> Pair:
        """The pair of two models. names: their hashes. The last sixteen pairs are kept while both models are."""
        with self._lock:
            found = self._pairs.get(names)
            if found is None:
                found = Pair(*models)
                if all(self._models.get(name) is model for name, model in zip(names, models)):
                    self._pairs[names] = found
                if len(self._pairs) > 16:
                    self._pairs.popitem(last=False)
            return found

    def __len__(self) -> int:
        return len(self._models)


_kept = Kept(1 << 30)


def keep(limit: int) -> None:
    """Sets how many bytes of models this process keeps, those viewed in shared memory too: 1 GiB at first.
    Those of a job stay for it.
    """
    _kept.limit = whole("limit", limit, 0)
    with _kept._lock:
        _kept.shrink()


def whole(name: str, number: Any, least: int) -> int:
    """The number of an argument of this name. Raises `ValueError` if it is not whole, or less than `least`."""
    try:
        found = int(number)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or found != number:
        raise ValueError(f"{name} must be a whole number, not {number!r}")
    if found < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return found


def _texts(name: str, texts: Iterable[str], count: int) -> List[str]:
    """The texts of an argument of this name. Raises `TypeError`, and `ValueError` of another number of them."""
    if isinstance(texts, str):
        raise TypeError(f"{name} must be {count} texts, not one str")
    found = list(texts)
    for i, text in enumerate(found):
        if not isinstance(text, str):
            raise TypeError(f"{name}[{i}] must be a str, not a {type(text).__name__}")
    if len(found) != count:
        raise ValueError(f"{name} must be {count} texts, not {len(found)}")
    return [str(text) for text in found]


def hash_of(stored: Any) -> str:
    """The hash of a model's image, by which it is known: 32 hexadecimal digits of BLAKE2b."""
    return hashlib.blake2b(stored, digest_size=16).hexdigest()


def aligned(images: Sequence[bytes]) -> Tuple[np.ndarray, List[Tuple[int, int]]]:
    """A pack of images, aligned for `Model.view`; and where each begins and ends in it."""
    places, end = [], 0
    for image in images:
        start = end + -end % ALIGNMENT
        end = start + len(image)
        places.append((start, end))
    room = np.zeros(end + ALIGNMENT, dtype=np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    pack = room[first : first + end]
    for image, (start, end) in zip(images, places):
        pack[start:end] = np.frombuffer(image, dtype=np.uint8)
    pack.setflags(write=False)
    return pack, places


def _pack(models: Iterable[Tuple[Model, np.ndarray]]) -> Tuple[List[Fact], np.ndarray]:
    facts, images = [], []
    for model, poses in models:
        images.append(model.to_image())
        facts.append(Fact(hash_of(images[-1]), 0, 0, model.nbytes, model.bounds_at(poses)))
    pack, places = aligned(images)
    return [fact._replace(start=start, end=end) for fact, (start, end) in zip(facts, places)], pack


def _batches(items: Iterable[Tuple[int, Any]], size: int) -> List[List[Any]]:
    """Items, each with its bytes, in order and some at a time: of `size` bytes together, or a larger one."""
    batches: List[List[Any]] = []
    room = 0
    for nbytes, item in items:
        if not batches or nbytes > room:
            batches.append([])
            room = size
        room -= nbytes
        batches[-1].append(item)
    return batches


def read_files(files: Files) -> Tuple[List[Any], np.ndarray]:
    """A unit of work: reads and prepares meshes. Returns a `Fact`, or why there is none, of each file; and
    the pack of their images.
    """
    outcomes: List[Any] = []
    models = []
    for path, shown, poses in zip(*files):
        try:
            models.append((Model.from_file(path), poses))
            outcomes.append(None)
        except OSError as error:
            outcomes.append(f"{shown}: {error.strerror or error}")
        except Error as error:
            text = str(error)
            stored = path.lower().endswith(".impinge") and not text.startswith(path)
            text = f"{path}: {text}" if stored else text
            outcomes.append(shown + text[len(path) :] if text.startswith(path) else text)
    facts, pack = _pack(models)
    found = iter(facts)
    return [next(found) if outcome is None else outcome for outcome in outcomes], pack


@dataclass(frozen=True)
class Job:
    """Pairs of one or more neighbouring cells, and the parts that they are of.

    hashes, places: models by their hash, and where their images are.
    parts: (n,) int64, of each part its number in the scene, ascending. of_part: (n,) its model here.
    poses: (n, 4, 4) its pose. pairs: (k, 2) uint32, parts of this job, the lower first.
    clearance, solids, contacts: as `impinge.cluster.clash` has them.
    """

    hashes: Tuple[str, ...]
    places: Tuple[Place, ...]
    parts: np.ndarray
    of_part: np.ndarray
    poses: np.ndarray
    pairs: np.ndarray
    clearance: Optional[float] = None
    solids: bool = False
    contacts: int = 1

    @property
    def packs(self) -> List[int]:
        """The packs that have the models, ascending."""
        return sorted({place.pack for place in self.places})


def _image(packs: Any, place: Place) -> np.ndarray:
    return packs[place.pack][place.start : place.end]


def clash(job: Job, packs: Any) -> Dict[str, Any]:
    """A unit of work: the clashes of a job's pairs, as columns. `packs[number]` is a pack; it is asked for
    models only that this process does not keep, which view it from then on.

    Raises `StoredError`, which names the model, if an image is damaged or another one than the job's.
    """
    models = [
        _kept.model(name, partial(_image, packs, place))
        for name, place in zip(job.hashes, job.places)
    ]
    try:
        found = clash_pairs(
            models, job.of_part, job.poses, job.pairs,
            clearance=job.clearance, solids=job.solids, contacts=job.contacts,
        )  # fmt: skip
    except Error as error:
        if error.objects is None:
            raise
        raise _about(error, [None if i is None else int(job.parts[i]) for i in error.objects]) from None
    found["pairs"] = job.parts[found["pairs"]]
    return found


def _about(error: Error, parts: Sequence[Optional[int]], names: Any = "part {}".format) -> Error:
    """The same error about these parts of the scene, `parts` of its attributes, with their names before it."""
    text = str(error) if error.reason is None else error.reason
    about = " and ".join(names(i) for i in parts if i is not None)
    whole = type(error)(f"{about}: {text}")
    whole.__dict__.update(error.__dict__, objects=tuple(parts), reason=text)
    return whole


def batch(poses: Any) -> Any:
    """The poses, if they are a batch: (n, 4, 4) or (n, 7); a memory map stays one.

    Raises `ValueError`: of one pose the answer is one, which would be taken for all.
    """
    poses = poses if isinstance(poses, np.ndarray) else np.asarray(poses, dtype=float)
    if poses.ndim not in (2, 3) or poses.shape[1:] not in ((4, 4), (7,)):
        raise ValueError(f"poses must be a batch, (n, 4, 4) or (n, 7), not {poses.shape}")
    return poses


def poses(
    names: Tuple[str, str],
    stored: Callable[[int], np.ndarray],
    chunk: np.ndarray,
    question: str = "collides",
    start: int = 0,
    **options: Any,
) -> np.ndarray:
    """A unit of work: a pair of models, by their hashes, at poses of B in A's frame, (n, 4, 4) or (n, 7).

    stored: returns the image of A for 0 and of B for 1, (m,) bytes, if this process does not keep them.
    question: one of `QUESTIONS`, a method of `Pair`; `options` are its arguments.
    start: the place of the first pose in the whole batch, for errors.
    """
    chunk = batch(chunk)
    a, b = (_kept.model(names[k], partial(stored, k)) for k in (0, 1))
    pair = _kept.pair(names, (a, b))
    try:
        return np.asarray(getattr(pair, question)(chunk, **options), dtype=answers(question, options))
    except Error as error:
        if error.index is not None and start:
            whole = type(error)(str(error).replace(f"pose {error.index}:", f"pose {error.index + start}:", 1))
            whole.__dict__.update(error.__dict__, index=error.index + start)
            raise whole from None
        raise


class Jobs(List[Job]):
    """The jobs of a question. They go with their blocks, also while another question is asked.

    blocks: by number, what stands for a block of these jobs with the engine that has it.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        """These jobs, of which no engine has a block yet."""
        super().__init__(jobs)
        self.blocks: Dict[int, Any] = {}


@dataclass
class Scene:
    """Parts by number, their models, and where the models' images are. Pickles with its packs.

    `of` makes one of models, and `read` and `impinge.cluster.load` one of files.

    names, groups: of each part; the group is "" if it has none, or if that is not known of an unread one.
    models: (n,) int64, of each part its model, -1 of one that cannot be read. poses: (n, 4, 4).
    boxes: (n, 2, 3), least and largest corner of each part in the scene, or NaN.
    hashes, places, sizes: of each model, where its image is, and its bytes in memory, (m,) int64.
    packs: read-only arrays of bytes, or whatever stands for them with the engine that has them.
    unread: why a part cannot be read, by its number. notes: what readers had to say.
    """

    names: List[str]
    groups: List[str]
    models: np.ndarray
    poses: np.ndarray
    boxes: np.ndarray
    hashes: List[str]
    places: List[Place]
    sizes: np.ndarray
    packs: List[Any]
    unread: Dict[int, str]
    notes: List[str] = field(default_factory=list)
    #: The last question, and its jobs.
    _jobs: Any = field(default=None, repr=False)

    @staticmethod
    def of(
        models: Sequence[Model],
        of_part: Sequence[int],
        poses: np.ndarray,
        names: Optional[Sequence[str]] = None,
        groups: Optional[Sequence[str]] = None,
    ) -> "Scene":
        """A scene of models: part `i` is `models[of_part[i]]` at `poses[i]`, (n, 4, 4), which are copied.

        names: of each part one of its own, at first "part 0" and so on. groups: of each part, "" for none.
        Raises `ValueError`, `TypeError`, and `PoseError` with the part as its `index`.
        """
        for number, model in enumerate(models):
            if not isinstance(model, Model):
                raise TypeError(f"models[{number}] must be an impinge.Model, not a {type(model).__name__}")
        numbers = np.asarray(of_part)
        if numbers.ndim != 1:
            raise ValueError(f"of_part must be (n,), not {numbers.shape}")
        if len(numbers) and numbers.dtype.kind not in "iu":
            raise ValueError(f"of_part must be whole numbers, not {numbers.dtype}")
        numbers, count = numbers.astype(np.int64), len(numbers)
        for part in np.flatnonzero((numbers < 0) | (numbers >= len(models)))[:1].tolist():
            raise ValueError(f"part {part}: there are {len(models)} models, not {numbers[part]}")
        poses = np.array(poses, dtype=float)
        poses = poses if poses.size else poses.reshape(0, 4, 4)
        if poses.shape != (count, 4, 4):
            raise ValueError(f"poses must be ({count}, 4, 4), a pose a part, not {poses.shape}")
        names = [f"part {i}" for i in range(count)] if names is None else _texts("names", names, count)
        first: Dict[str, int] = {}
        for i, name in enumerate(names):
            if first.setdefault(name, i) != i:
                raise ValueError(f'names[{first[name]}] and names[{i}] are both "{name}"')
        groups = [""] * count if groups is None else _texts("groups", groups, count)
        # A pose that is none is refused by the number of its part, before each model is asked about its own.
        Model(np.zeros((1, 3)), [[0, 0, 0]]).bounds_at(poses)
        listing = Listing(names, groups, numbers, poses, list(models), [])
        return listing.scene([])

    def __len__(self) -> int:
        return len(self.names)

    def jobs(
        self,
        clearance: Optional[float] = None,
        *,
        solids: bool = False,
        contacts: int = 1,
        groups: Optional[Tuple[str, str]] = None,
        ignore: Iterable[Tuple[str, str]] = (),
        size: int = 2048,
        memory: int = 1 << 29,
    ) -> "Jobs":
        """The work of a question, in jobs whose pairs are near each other. Each pair is in one job.

        clearance, solids, contacts, groups, ignore: as `impinge.cluster.clash` has them.
        size: the most pairs of a job; memory: the most bytes of models of one, unless a pair has more.
        The last answer is kept. Raises `ValueError`, and `TypeError`.
        """
        contacts, size, memory = whole("contacts", contacts, 0), whole("size", size, 1), whole("memory", memory, 0)
        asked_groups = None if groups is None else tuple(_texts("groups", groups, 2))
        left_out = (_texts(f"ignore[{k}]", pair, 2) for k, pair in enumerate(ignore))
        ignore = tuple(sorted((min(a, b), max(a, b)) for a, b in left_out))
        key = (clearance, solids, contacts, asked_groups, ignore, size, memory)
        kept = self._jobs
        if kept is None or kept[0] != key:
            pairs, starts = join_boxes(self.boxes, CELL, clearance or 0.0)
            cells = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
            asked = self._asked(pairs, asked_groups, ignore)
            made = [
                self._job(rows, clearance, solids, contacts)
                for rows in self._cut(pairs[asked], cells[asked], size, memory)
            ]
            kept = self._jobs = (key, Jobs(made))
        return kept[1]

    def stored(self, packs: List[Any]) -> "Scene":
        """The same scene with its packs elsewhere, and its jobs."""
        kept = None if self._jobs is None else (self._jobs[0], Jobs(self._jobs[1]))
        return replace(self, packs=packs, _jobs=kept)

    def named(self, error: Error) -> Error:
        """An error of `clash` with the names of the parts in the place of their numbers."""
        if error.reason is None or error.objects is None:
            return error
        return _about(error, error.objects, self.names.__getitem__)

    def _asked(self, pairs: np.ndarray, groups: Any, ignore: Any) -> np.ndarray:
        asked = np.ones(len(pairs), dtype=bool)
        if groups is not None:
            # Of a table, or a row of one, that cannot be read the group is not known.
            lost = any(self.groups[part] == "" for part in self.unread)
            known = sorted(set(self.groups) - {""})
            for group in groups:
                if group not in known and not lost:
                    raise ValueError(f'no part is in group "{group}"; there are {", ".join(known[:10]) or "none"}')
            first, second = (np.array([own == group for own in self.groups]) for group in groups)
            a, b = pairs.T
            asked &= (first[a] & second[b]) | (second[a] & first[b])
        if ignore:
            number = {name: i for i, name in enumerate(self.names)}
            for name in {name for pair in ignore for name in pair}:
                if name not in number:
                    raise ValueError(f'no part is called "{name}"')
            left_out = {tuple(sorted((number[a], number[b]))) for a, b in ignore}
            code = lambda rows: rows[:, 0].astype(np.int64) * len(self.names) + rows[:, 1]  # noqa: E731
            asked &= ~np.isin(code(pairs), code(np.array(sorted(left_out))))
        return asked

    def _nbytes(self, pairs: np.ndarray) -> int:
        return int(self.sizes[np.unique(self.models[pairs])].sum())

    def _cut(self, pairs: np.ndarray, cells: np.ndarray, size: int, memory: int) -> List[np.ndarray]:
        """Pairs of cells that follow each other, as long as a job has room; large cells in pieces."""
        bounds = np.flatnonzero(np.diff(cells)) + 1
        pieces = [rows for rows in np.split(pairs, bounds) if len(rows)][::-1]
        jobs: List[np.ndarray] = []
        while pieces:
            rows = pieces.pop()
            if len(rows) > 1 and (len(rows) > size or self._nbytes(rows) > memory):
                half = len(rows) // 2
                pieces += [rows[half:], rows[:half]]
            elif jobs and len(jobs[-1]) + len(rows) <= size:
                both = np.concatenate([jobs[-1], rows])
                fits = self._nbytes(both) <= memory
                jobs[-1:] = [both] if fits else [jobs[-1], rows]
            else:
                jobs.append(rows)
        return jobs

    def _job(self, pairs: np.ndarray, clearance: Any, solids: bool, contacts: int) -> Job:
        parts, local = np.unique(pairs, return_inverse=True)
        models, of_part = np.unique(self.models[parts], return_inverse=True)
        return Job(
            tuple(self.hashes[m] for m in models),
            tuple(self.places[m] for m in models),
            parts.astype(np.int64),
            of_part.ravel(),
            self.poses[parts],
            np.ascontiguousarray(local.reshape(-1, 2), dtype=np.uint32),
            clearance, solids, contacts,
        )  # fmt: skip

    def report(
        self,
        found: Iterable[Dict[str, Any]],
        *,
        touching_ok: bool = False,
        groups: Optional[Tuple[str, str]] = None,
    ) -> "Report":
        """The report of the columns of all jobs, in any order."""
        named = None if groups is None else {*groups, ""}
        unread = {i: why for i, why in self.unread.items() if named is None or self.groups[i] in named}
        return Report(self.names, unread, _merged(list(found), touching_ok), list(self.notes))


class Report:
    """All clashes of a scene, ascending by pair: the same bytes however the work was shared out.

    pairs: (n, 2) numbers of parts, the lower first; `names` has their names.
    classes: (n,) numbers in `CLASSES`. inner: (n,) 0 or 1, which of the two is inside the other, or -1.
    distances: (n,) least distances of the surfaces, 0 of "inside".
    contacts_found: (n,) pairs of triangles that meet. contacts: (m, 2) those listed; those of clash `i` end
    at `listed[: i + 1].sum()`. extents: (n, 2, 3) boxes of what is common, or NaN.
    nearest: (n, 2, 3) points of both parts, of "too-near", or NaN.
    reasons: of "uncertain" ones, by row. unread: why a part was left out, by its number.
    notes: what readers had to say. stats: about the run; no part of the report.
    """

    def __init__(self, names: List[str], unread: Dict[int, str], columns: Dict[str, Any], notes: List[str]) -> None:
        """A report of parts of these names. columns: as `clash` returns them, ascending by pair."""
        self.names, self.unread, self.notes = names, unread, notes
        self.stats: Dict[str, Any] = {}
        self._columns = columns

    def __getattr__(self, name: str) -> Any:
        columns = self.__dict__.get("_columns", {})
        if name in columns:
            return columns[name]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self._columns["pairs"])

    def __repr__(self) -> str:
        counts = np.bincount(self._columns["classes"], minlength=len(CLASSES))
        found = ", ".join(f"{n} {word}" for n, word in zip(counts, CLASSES) if n) or "no clash"
        left_out = f"; {len(self.unread)} parts cannot be read" if self.unread else ""
        return f"<Report: {len(self.names)} parts: {found}{left_out}>"

    def json(self) -> bytes:
        """What `impinge clash --json` prints about the same scene: a line a part that cannot be read, then
        a line a clash.
        """
        lines = [error_line(self.names[i], why) for i, why in sorted(self.unread.items())]
        return b"".join(lines) + clash_lines(self.names, self._columns)


def _merged(found: List[Dict[str, Any]], touching_ok: bool) -> Dict[str, Any]:
    """The columns of all jobs, as those of one, ascending by pair."""
    if not found:
        found = [clash_pairs([], [], np.empty((0, 7)), np.empty((0, 2), dtype=np.uint32))]
        found[0]["pairs"] = found[0]["pairs"].astype(np.int64)
    rows = np.concatenate([columns["pairs"] for columns in found])
    order = np.lexsort((rows[:, 1], rows[:, 0]))
    if touching_ok:
        classes = np.concatenate([columns["classes"] for columns in found])
        order = order[classes[order] != CLASSES.index("touches")]
    merged: Dict[str, Any] = {}
    for name in found[0]:
        if name not in ("contacts", "reasons"):
            column = np.concatenate([columns[name] for columns in found])
            merged[name] = np.ascontiguousarray(column[order])
    listed = np.concatenate([columns["listed"] for columns in found])
    starts = np.concatenate([[0], np.cumsum(listed)])
    contacts = np.concatenate([columns["contacts"] for columns in found])
    counts = listed[order]
    first = np.repeat(starts[:-1][order] - np.cumsum(counts) + counts, counts)
    merged["contacts"] = np.ascontiguousarray(contacts[first + np.arange(counts.sum())])
    offset, reasons = 0, {}
    for columns in found:
        reasons.update({offset + row: why for row, why in columns["reasons"].items()})
        offset += len(columns["pairs"])
    place = {old: new for new, old in enumerate(order.tolist()) if old in reasons} if reasons else {}
    merged["reasons"] = {place[old]: why for old, why in reasons.items() if old in place}
    return merged


@dataclass
class Listing:
    """The parts of a scene before meshes are read.

    names, groups: of each part. of_part: (n,) of each part the number of its source. poses: (n, 4, 4).
    sources: of each the path of a file, a model, or the error why there is none. notes: what readers had to say.
    """

    names: List[str]
    groups: List[str]
    of_part: np.ndarray
    poses: np.ndarray
    sources: List[Any]
    notes: List[str]

    def _parts(self) -> List[np.ndarray]:
        """The parts of each source, ascending."""
        order = np.argsort(self.of_part, kind="stable")
        return np.split(order, np.searchsorted(self.of_part[order], np.arange(1, len(self.sources))))

    def files(self, size: int = 4 << 20) -> List[Files]:
        """The files, some at a time: of `size` bytes together, or one that is larger. They are read by
        their absolute paths.
        """
        parts, found = self._parts(), []
        for number, source in enumerate(self.sources):
            if not isinstance(source, (Model, Exception)):
                shown = os.fspath(source)
                path = os.path.abspath(shown)
                nbytes = os.path.getsize(path) if os.path.isfile(path) else 0
                found.append((nbytes, (path, shown, self.poses[parts[number]])))
        return [Files(*map(tuple, zip(*batch))) for batch in _batches(found, size)]

    def scene(self, read: Sequence[Tuple[List[Any], Any]]) -> Scene:
        """The scene, of what `read_files` returned for each of `files`."""
        parts = self._parts()
        in_memory = [k for k, source in enumerate(self.sources) if isinstance(source, Model)]
        files = [k for k, source in enumerate(self.sources) if not isinstance(source, (Model, Exception))]
        sized = ((self.sources[k].nbytes, (self.sources[k], self.poses[parts[k]])) for k in in_memory)
        made = [*map(_pack, _batches(sized, PACK)), *read]
        order = iter(in_memory + files)
        outcomes: Dict[int, Any] = {}
        for number, (facts, _) in enumerate(made):
            outcomes.update((next(order), (number, fact)) for fact in facts)
        packs = [pack for _, pack in made]
        models = np.full(len(self.names), -1, dtype=np.int64)
        boxes = np.full((len(self.names), 2, 3), np.nan)
        known: Dict[str, int] = {}
        hashes: List[str] = []
        places: List[Place] = []
        sizes: List[int] = []
        unread: Dict[int, str] = {}
        for k, source in enumerate(self.sources):
            number, fact = outcomes.get(k, (0, str(source)))
            if not isinstance(fact, Fact):
                unread.update((int(i), fact) for i in parts[k])
                continue
            if fact.hash not in known:
                known[fact.hash] = len(hashes)
                hashes.append(fact.hash)
                places.append(Place(number, fact.start, fact.end))
                sizes.append(fact.nbytes)
            models[parts[k]], boxes[parts[k]] = known[fact.hash], fact.boxes
        # What jobs are made of, which are kept, does not change.
        for array in (models, self.poses, boxes):
            array.setflags(write=False)
        return Scene(
            self.names, self.groups, models, self.poses, boxes,
            hashes, places, np.array(sizes, dtype=np.int64), packs, unread, self.notes,
        )  # fmt: skip


def listing(paths: Any, *, progress: Optional[Callable[[str, int, int], Any]] = None) -> Listing:
    """The parts of files as `impinge clash` lists them: tables of parts (`.csv`), glTF files, mesh files
    and stored models; several make one scene. A path, or several.

    progress: a callable `(stage, done, total)`; it hears "list", 0 and the number of paths. Ctrl-C ends it.
    """
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    names, groups, of_part, poses, sources, notes = list_parts(paths, progress=progress)
    return Listing(names, groups, of_part, poses.reshape(-1, 4, 4), sources, notes)


def read(paths: Any, *, progress: Optional[Callable[[str, int, int], Any]] = None) -> Scene:
    """Reads a scene in this process. progress: as of `listing`, and then of tasks of "files"."""
    found = listing(paths, progress=progress)
    files, done = found.files(), []
    for some in files:
        done.append(read_files(some))
        if progress is not None:
            progress("files", len(done), len(files))
    return found.scene(done)

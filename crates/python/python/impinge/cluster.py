"""Clashes of large scenes and answers at many poses, by many processes, on Ray (`pip install impinge[ray]`).

    import impinge.cluster
    report = impinge.cluster.clash("scene.csv", clearance=0.05)
    hits = impinge.cluster.poses(impinge.Pair(a, b), poses)

Nothing is to be set up: the first call starts Ray on this machine with a worker a processor, or joins the
cluster of `RAY_ADDRESS`; a program that has called `ray.init` keeps what it started.

A report has the same bytes for any number of workers, and those of `impinge clash --json`. What a worker had
to do when it ended is done again by another. `impinge.units` has the work itself, without Ray.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
import time
import uuid
from collections import OrderedDict
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import units
from ._errors import Error
from ._impinge import Pair
from ._schedule import MANY, Pace, Queue
from .units import Report, Scene

__all__ = ["Report", "Scene", "clash", "load", "poses", "put"]

#: How often a task is done again because its worker ended. A task that ends its worker every time is an
#: error after that.
RETRIES = 20

#: Jobs that go into the object store together: a task that has large arguments costs several times as much.
BLOCK = 16

#: Poses of a task.
CHUNK = 1 << 16

Progress = Union[None, bool, Callable[[str, int, int], Any]]


def _ray(workers: Optional[int] = None) -> Any:
    """Ray, started. Raises `ValueError` before that if there shall be no worker."""
    if workers is not None:
        units.whole("workers", workers, 1)
    try:
        import ray
    except ImportError as error:
        raise ImportError("impinge.cluster needs Ray: pip install impinge[ray]") from error
    if not ray.is_initialized():
        options: Dict[str, Any] = {"log_to_driver": False, "logging_level": "warning"}
        if not os.environ.get("RAY_ADDRESS"):
            # Ray of this machine alone tells nobody about itself.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            options.update(address="local", num_cpus=workers or os.cpu_count(), include_dashboard=False)
        ray.init(**options)
    return ray


@functools.lru_cache(maxsize=None)
def _task(function: Any, returns: int) -> Any:
    import ray

    return ray.remote(num_cpus=1, max_retries=RETRIES, num_returns=returns)(function)


def _alone(memory: Optional[int] = None) -> None:
    """One thread a worker: there is a worker a processor."""
    os.environ.setdefault("RAYON_NUM_THREADS", "1")
    if memory is not None:
        units.keep(memory)


def _facts() -> Tuple[int, int, int]:
    """The process, the most memory that it ever had, pages of the object store included, and what it has now
    without them, in KiB; 0 where that is not known.
    """
    most = own = 0
    try:
        import resource

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with open("/proc/self/status", encoding="ascii") as lines:
            own = next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))
    except (ImportError, OSError, StopIteration):
        pass
    return os.getpid(), most, own


class _Packs:
    """Packs in the object store of this node, which are fetched when they are asked for."""

    def __init__(self, references: Dict[int, Any]) -> None:
        self._references = references

    def __getitem__(self, number: int) -> np.ndarray:
        import ray

        return ray.get(self._references[number])


def _read(files: units.Files) -> Tuple[List[Any], np.ndarray]:
    _alone()
    return units.read_files(files)


#: The last blocks of jobs that this process has seen, by their references.
_blocks: "OrderedDict[str, List[units.Job]]" = OrderedDict()


def _block(reference: Any) -> List[units.Job]:
    import ray

    name = reference.hex()
    if name not in _blocks:
        _blocks[name] = ray.get(reference)
        while len(_blocks) > 4:
            _blocks.popitem(last=False)
    _blocks.move_to_end(name)
    return _blocks[name]


#: Seconds after which a task asks whether its question was given up.
PATIENCE = 0.25

#: Of the store of the cluster where questions that were given up are named. `ray.cancel` is of no use: after it
#: Ray 2.60 aborts the program now and then ("Tried to complete task that was not pending").
_GIVEN_UP = "impinge"


def _give_up(question: str) -> None:
    """Lets the tasks of a question end before their time."""
    from ray.experimental.internal_kv import _internal_kv_put

    # Of a Ray that has gone there are no tasks.
    with contextlib.suppress(Exception):
        _internal_kv_put(question, "", namespace=_GIVEN_UP)


def _is_given_up(question: str) -> bool:
    # A Ray without this interface answers all that was asked.
    with contextlib.suppress(ImportError):
        from ray.experimental.internal_kv import _internal_kv_exists

        return bool(_internal_kv_exists(question, namespace=_GIVEN_UP))
    return False


def _clash(
    question: str, blocks: List[Tuple[Any, List[int]]], references: Dict[int, Any], memory: int
) -> Tuple[List[Any], Tuple[int, int, int], float]:
    """The answers of some jobs of blocks, facts of the process, and the seconds it took. Answers are missing if
    the question was given up.
    """
    begin = asked = time.perf_counter()
    _alone(memory)
    packs = _Packs(references)
    found: List[Any] = []
    for block, place in [(block, place) for block, places in blocks for place in places]:
        if time.perf_counter() - asked > PATIENCE:
            if _is_given_up(question):
                break
            asked = time.perf_counter()
        found.append(units.clash(_block(block)[place], packs))
    return found, _facts(), time.perf_counter() - begin


def _poses(
    names: Tuple[str, str], references: List[Any], chunk: np.ndarray, question: str, start: int, options: Any
) -> np.ndarray:
    _alone()
    packs = _Packs(dict(enumerate(references)))
    return units.poses(names, packs.__getitem__, chunk, question, start, **options)


class _Bar:
    """Progress as a line on standard error, for people."""

    def __init__(self) -> None:
        self._last, self._stage = 0.0, ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last < 0.1 and done < total:
            return
        self._last = now
        filled = 30 * done // max(total, 1)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{stage} [{'#' * filled}{'.' * (30 - filled)}] {done}/{total}{end}")
        sys.stderr.flush()


def _listener(progress: Progress) -> Callable[[str, int, int], Any]:
    if callable(progress):
        return progress
    shown = sys.stderr.isatty() if progress is None else progress
    return _Bar() if shown else lambda stage, done, total: None


def _rooms(ray: Any, workers: Optional[int]) -> Tuple[Dict[str, int], int]:
    """By node, the tasks it may have at a time: two a processor, so that a worker need not wait; and the
    number of workers.
    """
    nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU", 0) >= 1]
    if not nodes:
        raise Error("no node of the cluster has a processor")
    cores = sum(int(node["Resources"]["CPU"]) for node in nodes)
    rooms, left = {}, workers or 2 * cores
    for node in nodes:
        room = min(int(2 * node["Resources"]["CPU"]), left)
        left -= room
        if room:
            rooms[node["NodeID"]] = room
    return rooms, min(cores, workers or cores)


def _run(
    ray: Any,
    weights: Sequence[float],
    submit: Callable[[Any, List[int]], Any],
    deliver: Callable[[List[int], Any], float],
    workers: Optional[int],
    tell: Callable[[int], Any],
    *,
    grouped: bool = False,
) -> None:
    """Submits all jobs, some at a time, and delivers their results as they come.

    grouped: a task gets several jobs, and `deliver` returns the seconds that its worker took.
    """
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    rooms, count = _rooms(ray, workers)
    queue, pace, done = Queue(rooms, weights), Pace(sum(weights), count), 0
    weight = lambda numbers: sum(weights[number] for number in numbers)  # noqa: E731
    while done < len(weights):
        sent, begin = 0, time.thread_time()
        while sent < MANY and (found := queue.next(pace.share() if grouped else 0.0)) is not None:
            node, numbers = found
            # If that node has gone, another will do.
            options: Dict[str, Any] = {}
            if len(rooms) > 1:
                options["scheduling_strategy"] = NodeAffinitySchedulingStrategy(node, soft=True)
            queue.begin(node, numbers, submit(options, numbers))
            pace.submitted(weight(numbers))
            sent += 1
        flying, ready = queue.flying(), []
        pace.called(time.thread_time() - begin)
        if sent < MANY:
            ready, _ = ray.wait(flying, num_returns=1)
        if sent == MANY or len(flying) > MANY:
            # All that are there by now, since a call takes the longer the more references it has.
            ready, _ = ray.wait(flying, num_returns=len(flying), timeout=0)
        begin = time.thread_time()
        for reference in ready:
            numbers = queue.end(reference)
            seconds = deliver(numbers, _result(ray, reference))
            pace.answered(weight(numbers), seconds)
            done += len(numbers)
            tell(done)
        pace.called(time.thread_time() - begin)


def _result(ray: Any, reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except ray.exceptions.WorkerCrashedError as error:
        raise Error(f"a task ended its worker {RETRIES + 1} times") from error
    except ray.exceptions.RayError as error:
        raise Error(f"Ray has lost the answer of a task: {error}") from error


def load(paths: Any, *, workers: Optional[int] = None, progress: Progress = None) -> Scene:
    """Reads a scene on the workers, for any number of questions. Its models stay in Ray's object store, once
    a node that asks for them, where its workers view them; the store writes to disk what does not fit.

    paths: as of `impinge clash`; a path or several. All nodes must be able to read them.
    A mesh that cannot be read is named in every report, and stops nothing else.
    """
    ray, tell = _ray(workers), _listener(progress)
    listing = units.listing(paths, progress=tell)
    files = listing.files()
    read: List[Any] = [None] * len(files)
    packs: Dict[Any, Any] = {}

    def submit(options: Any, numbers: List[int]) -> Any:
        facts, packs[numbers[0]] = _task(_read, 2).options(**options).remote(files[numbers[0]])
        return facts

    def deliver(numbers: List[int], facts: Any) -> float:
        read[numbers[0]] = (facts, packs[numbers[0]])
        return 0.0

    _run(ray, [1] * len(files), submit, deliver, workers, lambda done: tell("files", done, len(files)))
    return put(listing.scene(read))


def put(scene: Scene) -> Scene:
    """The same scene with its models in Ray's object store, for any number of questions."""
    if not any(isinstance(pack, np.ndarray) for pack in scene.packs):
        return scene
    ray = _ray()
    packs = [ray.put(pack) if isinstance(pack, np.ndarray) else pack for pack in scene.packs]
    return scene.stored(packs)


def job_size(parts: int, cores: int) -> int:
    """The most pairs of a job, for sixteen jobs a processor or so, of scenes with four pairs a part. A task may
    have several.
    """
    return int(np.clip(4 * parts // (16 * cores), 64, 4096))


def clash(
    scene: Any,
    clearance: Optional[float] = None,
    *,
    solids: bool = False,
    contacts: int = 1,
    touching_ok: bool = False,
    groups: Optional[Tuple[str, str]] = None,
    ignore: Iterable[Tuple[str, str]] = (),
    workers: Optional[int] = None,
    memory: int = 1 << 30,
    progress: Progress = None,
) -> Report:
    """All clashes among the parts of a scene, as `impinge clash` finds them.

    scene: a path or several, as of `impinge clash`; or a `Scene` of `load`, of `put`, or
    of `impinge.units`.
    clearance: parts at most this far apart clash too, in the unit of the files.
    solids: a closed part inside another is a clash. touching_ok: parts that only touch are none.
    contacts: pairs of triangles to list of each clash, at most.
    groups: two groups; parts of one are compared with parts of the other only.
    ignore: pairs of names that may clash.
    workers: the most tasks at a time. memory: bytes of models that a worker holds in the object store, at most,
    unless a single pair has more.
    progress: a callable `(stage, done, total)`, or whether to show a bar; by default on a terminal.

    `report.stats` has the `seconds`, the `pairs` of boxes, the `tasks`, the `processes` that answered, and the
    most KiB of memory of one: `peak_kib` ever, with pages of the object store, which all share; `own_kib`
    after a task, without them.

    Raises `Error` if a pair has no answer, as `impinge clash` does: it names the parts, and `objects` has their
    numbers. Raises `ValueError` of a group that no part is in, unless a part of no known group cannot be read.
    """
    begin = time.perf_counter()
    contacts, memory = units.whole("contacts", contacts, 0), units.whole("memory", memory, 0)
    ray, tell = _ray(workers), _listener(progress)
    scene = put(scene) if isinstance(scene, Scene) else load(scene, workers=workers, progress=progress)
    cores = int(ray.cluster_resources().get("CPU", 1))
    size = job_size(len(scene), cores)
    asked = dict(clearance=clearance, solids=solids, contacts=contacts, groups=groups, ignore=tuple(ignore))
    jobs = scene.jobs(**asked, size=size, memory=memory // 2)
    found: List[Any] = [None] * len(jobs)
    seen: Dict[int, Tuple[int, int]] = {}
    weights, tasks = [len(job.pairs) for job in jobs], 0
    question = uuid.uuid4().hex

    def submit(options: Any, numbers: List[int]) -> Any:
        nonlocal tasks
        tasks += 1
        references = {pack: scene.packs[pack] for number in numbers for pack in jobs[number].packs}
        blocks: Dict[int, List[int]] = {}
        for number in numbers:
            blocks.setdefault(number // BLOCK, []).append(number % BLOCK)
        for block in blocks:
            if block not in jobs.blocks:
                jobs.blocks[block] = ray.put(jobs[block * BLOCK : (block + 1) * BLOCK])
        some = [(jobs.blocks[block], places) for block, places in blocks.items()]
        return _task(_clash, 1).options(**options).remote(question, some, references, memory)

    def deliver(numbers: List[int], result: Any) -> float:
        answers, (process, most, own), seconds = result
        for number, answer in zip(numbers, answers):
            found[number] = answer
        before = seen.get(process, (0, 0))
        seen[process] = (max(most, before[0]), max(own, before[1]))
        return seconds

    told = lambda done: tell("clashes", done, len(jobs))  # noqa: E731
    try:
        _run(ray, weights, submit, deliver, workers, told, grouped=True)
    except BaseException as error:
        _give_up(question)
        if isinstance(error, Error):
            raise scene.named(error) from None
        raise
    report = scene.report(found, touching_ok=touching_ok, groups=groups)
    report.stats = {
        "seconds": time.perf_counter() - begin,
        "pairs": sum(weights),
        "tasks": tasks,
        "processes": sorted(seen),
        "peak_kib": max((most for most, _ in seen.values()), default=0),
        "own_kib": max((own for _, own in seen.values()), default=0),
    }
    return report


def poses(
    pair: Pair,
    poses: np.ndarray,
    question: str = "collides",
    *,
    workers: Optional[int] = None,
    progress: Progress = None,
    **options: Any,
) -> np.ndarray:
    """The answers of a pair at many poses, in their order: those of the pair's own method.

    poses: (n, 4, 4) or (n, 7), an array or a memory map; a task gets some at a time.
    question: "collides", "contains", "nearer_than" (with `d=`), "distance" or "verdict"; `options` are the
    arguments of that method, such as `codes=True` for verdicts of a byte each. Only for pairs of the default method.
    """
    if question not in units.QUESTIONS:
        raise ValueError(f"{question!r} is none of {', '.join(units.QUESTIONS)}")
    if pair.method != "wide":
        raise ValueError("a pair of the default method is needed")
    poses, tell = units.batch(poses), _listener(progress)
    ray = _ray(workers)
    images = [model.to_image() for model in (pair.a, pair.b)]
    names = tuple(map(units.hash_of, images))
    references = [ray.put(units.aligned([image])[0]) for image in images]
    out = np.empty(len(poses), dtype=units.answers(question, options))
    starts = range(0, len(poses), CHUNK)

    def submit(scheduling: Any, numbers: List[int]) -> Any:
        start = starts[numbers[0]]
        chunk = np.ascontiguousarray(poses[start : start + CHUNK], dtype=float)
        return _task(_poses, 1).options(**scheduling).remote(names, references, chunk, question, start, options)

    def deliver(numbers: List[int], result: Any) -> float:
        out[starts[numbers[0]] : starts[numbers[0]] + CHUNK] = result
        return 0.0

    told = lambda done: tell("poses", min(done * CHUNK, len(poses)), len(poses))  # noqa: E731
    _run(ray, [1] * len(starts), submit, deliver, workers, told)
    return out

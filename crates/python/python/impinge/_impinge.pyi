"""Types and docstrings of the extension module.

Everywhere: a *pose* is that of B in A's frame, a rigid motion, as a matrix (4, 4) or as seven numbers
`tx ty tz qx qy qz qw`; *poses* may also be a batch (n, 4, 4) or (n, 7), which is answered on all
threads with the answers of single calls. `progress` is a callable `(stage: str, done: int, total: int)`.
Ctrl-C ends long calls. Errors are `impinge.Error`s, whose attributes name the element.
"""

from os import PathLike
from typing import Any, Callable, Dict, List, Literal, Optional, Sequence, Tuple, Union, final, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._results import Clash, Contacts, Exit, Near, Nearest, OnTheWay, Penetration, Swept

_Progress = Optional[Callable[[str, int, int], Any]]

__version__: str

#: The words of verdicts, by their codes; and what `Pair.touch` says, by the codes of a batch.
VERDICTS: Tuple[str, ...]
TOUCHES: Tuple[Optional[str], ...]

def methods() -> List[str]:
    """The words of all methods of this build, exact ones first."""

@final
class Model:
    """One mesh, prepared once, never changed: of any number of pairs, worlds and threads.

    Pickles by its stored bytes, which other processes and machines read; one that views memory, too: what is
    unpickled has a copy of its own. To share the memory, send the path or the array, and view it there.
    """

    def __new__(cls, vertices: ArrayLike, faces: ArrayLike, *, progress: _Progress = None) -> "Model":
        """Prepares a mesh.

        vertices: (n, 3), lengths in any unit, finite and at most 1e300 in magnitude.
        faces: (m, 3), indices of vertices, counter-clockwise seen from outside; any numeric type.
        Raises `MeshError`, whose `vertex` or `triangle` is the first that is refused.
        O(m log m).
        """

    @staticmethod
    def from_trimesh(mesh: Any, *, progress: _Progress = None) -> "Model":
        """The mesh of an object with `vertices` (n, 3) and `faces` (m, 3)."""

    @staticmethod
    def from_file(path: Union[str, PathLike[str]], *, progress: _Progress = None) -> "Model":
        """Reads OBJ, STL, PLY, OFF or glTF, or a stored model (`.impinge`).

        A stored image (`to_image`, `impinge prepare --image`) is mapped and viewed, as by `view`: it is
        read where the system keeps it, once for all processes. Nobody may write to the file meanwhile;
        another one may take its name.

        progress: hears "read", 0 and the bytes of the file while it is read, then of the preparation. After
        Ctrl-C a thread may go on reading for a while; nothing waits for it.

        Raises `FileError`, whose attributes name the file and the line, byte or face; `StoredError`; `OSError`.
        """

    @staticmethod
    def from_bytes(data: Any, *, progress: _Progress = None) -> "Model":
        """A stored model, of `bytes`, an array (n,) of bytes, or what else NumPy makes one of: a
        `bytearray`, a memory map. Bytes from any source are safe.

        The model has copies of its own. Raises `StoredError`.
        """

    @staticmethod
    def view(data: Any, *, checked: bool = False, progress: _Progress = None) -> "Model":
        """A model over the bytes of `to_image`: a mapped file, shared memory, an array (n,) of bytes.

        The memory is kept and read where it is, by any number of models and processes; it must be
        read-only, and nobody may change it meanwhile. It is copied only if it does not begin at a
        multiple of 64 bytes. Where the array reads the memory of another object, such as a shared
        memory, that object cannot be closed meanwhile. All of it is checked; with `checked`, which is for bytes that were
        checked before, here or in another process, only header and mesh. Raises `StoredError`.

            memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            model = impinge.Model.view(memory)
        """

    @property
    def memory(self) -> Optional[NDArray[np.uint8]]:
        """(n,): the array that was given to `view`, or the mapped file, if the mesh lies in it; `None` of a
        model with memory of its own, also where `view` had to copy.
        """

    def to_image(self) -> bytes:
        """The model for `view`: as it lies in memory, about twice the bytes of `to_bytes`. O(n)."""

    def to_bytes(self) -> bytes:
        """The model for `from_bytes` and for `.impinge` files: the same on every machine. O(n)."""

    @property
    def vertices(self) -> NDArray[np.float64]:
        """(n, 3), read-only."""

    @property
    def faces(self) -> NDArray[np.uint32]:
        """(m, 3), read-only."""

    @property
    def bounds(self) -> NDArray[np.float64]:
        """(2, 3): the least and the largest corner of the box of all triangles. O(m)."""

    def bounds_at(self, poses: ArrayLike) -> NDArray[np.float64]:
        """(n, 2, 3): boxes in the world around the model at a batch of poses, some 1 % larger than the
        least. Of two models that a question finds to meet, the boxes overlap. O(m) once, then O(1) a pose.
        """

    @property
    def is_closed(self) -> bool:
        """Whether the mesh has an inside: every edge is traversed as often in both directions.

        O(m log m) at the first call.
        """

    @property
    def nbytes(self) -> int:
        """Bytes in memory, those of `memory` too."""

    def __len__(self) -> int:
        """The number of triangles."""

    def self_collides(self, *, progress: _Progress = None) -> bool:
        """Whether two triangles share a point off their common corners and edges."""

    def self_contacts(
        self, *, cap: Optional[int] = None, progress: _Progress = None
    ) -> NDArray[np.uint32]:
        """(k, 2): all pairs of triangles that do, the lower index first, ascending; the first `cap`."""

@final
class Pair:
    """Two models, prepared once, asked many times; any number of threads may ask the same pair.

    Surfaces are closed sets: touching counts. With `solids`, a body inside the other counts as a
    collision and has distance 0; both meshes must be closed, else `NotClosedError`.
    """

    def __new__(cls, a: Model, b: Model, *, method: str = "wide") -> "Pair":
        """Cheap with the default method; others prepare both meshes when first asked for.

        method: one of `methods()`.
        """

    @property
    def a(self) -> Model:
        """The model that stands still: poses are in its frame."""

    @property
    def b(self) -> Model:
        """The model that poses place."""

    @property
    def method(self) -> str:
        """The word of the method that answers."""

    def collides(self, poses: ArrayLike, *, solids: bool = False, progress: _Progress = None) -> Any:
        """Whether the surfaces share a point: bool, or (n,) bool."""

    def verdict(self, poses: ArrayLike, *, codes: bool = False, progress: _Progress = None) -> Any:
        """"separated", "intersecting", or, of closed meshes whose surfaces are apart, "a-in-b" or
        "b-in-a" if a component of the first is inside the second. A str, or a list of n; with `codes` the
        place of the word in `VERDICTS`: int, or (n,) uint8, 0 if and only if they are apart."""

    def nearer_than(
        self, poses: ArrayLike, d: float, *, solids: bool = False, progress: _Progress = None
    ) -> Any:
        """Whether the distance is at most `d`, decided exactly: bool, or (n,) bool."""

    def contains(self, poses: ArrayLike, *, progress: _Progress = None) -> Any:
        """Whether B lies wholly inside A, off its surface: bool, or (n,) bool."""

    @overload
    def contacts(
        self,
        poses: ArrayLike,
        *,
        cap: Optional[int] = None,
        details: Literal[False] = False,
        progress: _Progress = None,
    ) -> NDArray[np.uint32]: ...
    @overload
    def contacts(
        self, poses: ArrayLike, *, cap: Optional[int] = None, details: Literal[True], progress: _Progress = None
    ) -> Contacts:
        """All pairs of triangles that meet, ascending; at most the first `cap` of each pose.

        One pose: (k, 2), the triangle of A and that of B. A batch: (m, 3), the index of the pose
        first. With `details`: `Contacts`.
        """

    def distance(self, poses: ArrayLike, *, solids: bool = False, progress: _Progress = None) -> Any:
        """The least distance, 0 if and only if the surfaces meet: float, or (n,)."""

    def nearest(
        self, poses: ArrayLike, *, solids: bool = False, progress: _Progress = None
    ) -> Nearest:
        """The least distance and where it is attained."""

    def touch(self, poses: ArrayLike, *, progress: _Progress = None) -> Any:
        """`None` if the surfaces are apart, "touches" if they only touch, else "pierces". Exact.

        Of a batch the places of these in `TOUCHES`: (n,) uint8, 0 if
        and only if they are apart. Raises `UndecidedError` where what is inside is not certain.
        """

    def penetration(
        self,
        poses: ArrayLike,
        *,
        solids: bool = False,
        width: float = 0.05,
        budget: int = 20_000,
        progress: _Progress = None,
    ) -> Penetration:
        """Bounds of the length of the least translation of B that parts them, in the meshes' unit; of a
        batch, arrays.

        width: the bounds differ by at most this share of the upper one, unless the budget ends.
        budget: cubes of translations that are examined for a pose.
        """

    def sweep(
        self,
        start: ArrayLike,
        end: ArrayLike,
        *,
        near: float = 0.0,
        solids: bool = False,
        about: Optional[ArrayLike] = None,
        screw: bool = False,
        progress: _Progress = None,
    ) -> Swept:
        """When B first touches A, or comes as near as `near`, on its way from one pose to another.

        start, end: one pose each; or batches of the same number n, from each of the first to the one of
        the same index of the second, for which the answer has arrays.

        B turns the shorter way about the origin of its frame, or about the point `about` (3,) of it,
        which runs straight; or with `screw` about an axis, along which it slides. `near` is in the
        meshes' unit, times are from 0 to 1.
        """

    def exit(
        self,
        poses: ArrayLike,
        direction: ArrayLike,
        *,
        solids: bool = False,
        first: bool = False,
        progress: _Progress = None,
    ) -> Exit:
        """How far B has to go along `direction` (3,) to be free of A: beyond the last contact, or to the
        `first` free place. Of a batch, arrays; then a direction may
        be (n, 3) too, one a pose."""

@final
class World:
    """Many placed models, and questions about all pairs of them; one thread may ask it at a time.

    Objects have ids 0, 1, 2, …, which are never given twice. A pair is asked about unless both objects
    are fixed, a group is missing in the other's mask, or `allow` excepts it.
    """

    def __new__(cls, *, method: str = "wide") -> "World":
        """An empty world.

        method: one of `methods()`, which answers all its questions.
        """

    def add(
        self,
        model: Model,
        pose: Optional[ArrayLike] = None,
        *,
        fixed: bool = False,
        groups: int = 0xFFFFFFFF,
        mask: int = 0xFFFFFFFF,
    ) -> int:
        """Adds an object at a pose in the world, by default the identity; returns its id."""

    def remove(self, id: int) -> None:
        """Takes an object out of the world."""

    def set_pose(self, id: int, pose: ArrayLike) -> None:
        """Moves an object to a pose in the world."""

    def set_poses(self, ids: ArrayLike, poses: ArrayLike) -> None:
        """Moves the objects of n ids, each to its pose of n; none if one is refused."""

    def pose(self, id: int) -> NDArray[np.float64]:
        """(4, 4): where an object is in the world."""

    def model(self, id: int) -> Model:
        """The model of an object: the one that was given to `add`."""

    def bounds(self, id: int) -> NDArray[np.float64]:
        """(2, 3): a box around the object in the world, a little larger than the least one."""

    def set_fixed(self, id: int, fixed: bool) -> None:
        """Whether an object is fixed: pairs of fixed objects are not asked about."""

    def set_groups(self, id: int, groups: int, mask: int) -> None:
        """The groups that an object is in, and those that it may meet: 32 bits each."""

    def allow(self, a: int, b: int, allowed: bool = True) -> bool:
        """Whether two objects may meet, and are not asked about; returns what was before."""

    @property
    def ids(self) -> NDArray[np.int64]:
        """The ids of all objects, ascending."""

    def __len__(self) -> int:
        """The number of objects."""

    def __contains__(self, id: object, /) -> bool:
        """Whether there is an object of this id."""

    def colliding(self, *, solids: bool = False, progress: _Progress = None) -> NDArray[np.int64]:
        """(k, 2): ids of all pairs that collide, ascending."""

    def nearer_than(
        self, d: float, *, solids: bool = False, progress: _Progress = None
    ) -> NDArray[np.int64]:
        """(k, 2): ids of all pairs at most `d` apart, ascending."""

    def near(self, d: float, *, solids: bool = False, progress: _Progress = None) -> Near:
        """The pairs at most `d` apart, with their distances."""

    @overload
    def contacts(
        self, *, cap: Optional[int] = None, details: Literal[False] = False, progress: _Progress = None
    ) -> NDArray[np.int64]: ...
    @overload
    def contacts(
        self, *, cap: Optional[int] = None, details: Literal[True], progress: _Progress = None
    ) -> Contacts:
        """(k, 4): ids of both objects and their triangles that meet, ascending; of each pair at most the
        first `cap`."""

    def clashes(
        self,
        clearance: Optional[float] = None,
        *,
        solids: bool = False,
        only_class: bool = False,
        progress: _Progress = None,
    ) -> List[Clash]:
        """Every pair that clashes, with its class; with `clearance`, pairs at most so far apart too.

        With `only_class`, contacts are neither counted nor measured: `contacts` is `None`, and `extent` too
        of objects that meet. That takes less time, and the classes are the same.
        """

    def sweep(
        self,
        ids: ArrayLike,
        ends: ArrayLike,
        *,
        near: float = 0.0,
        solids: bool = False,
        progress: _Progress = None,
    ) -> OnTheWay:
        """The pairs that touch, or come as near as `near`, while objects go from their poses to n others.

        Each turns the shorter way about its origin, which runs straight; objects that are not named rest.
        Each pair is swept by itself: contact stops no object, and the world is not changed. Times are from
        0 to 1.
        """

    def colliding_with(
        self,
        what: Union[Model, int],
        pose: Optional[ArrayLike] = None,
        *,
        solids: bool = False,
        progress: _Progress = None,
    ) -> NDArray[np.int64]:
        """(k,): ids of the objects that collide with a model at a pose, or with an object of the world."""

    def nearer_to(
        self,
        what: Union[Model, int],
        d: float,
        pose: Optional[ArrayLike] = None,
        *,
        solids: bool = False,
        progress: _Progress = None,
    ) -> NDArray[np.int64]:
        """(k,): ids of the objects at most `d` from it."""

    def nearest_to(
        self,
        what: Union[Model, int],
        pose: Optional[ArrayLike] = None,
        *,
        solids: bool = False,
        progress: _Progress = None,
    ) -> Optional[Tuple[int, Nearest]]:
        """The id of the nearest object, and the distance with points in the world's frame: that of
        `what` first. `None` if there is no other object. Groups and exceptions do not matter."""

    def nearest_pair(
        self, *, solids: bool = False, progress: _Progress = None
    ) -> Optional[Tuple[int, int, Nearest]]:
        """The ids of the two nearest objects, and their distance; `None` if there are no two. O(n²)
        comparisons of boxes."""

    @overload
    def contacts_with(
        self,
        what: Union[Model, int],
        pose: Optional[ArrayLike] = None,
        *,
        cap: Optional[int] = None,
        details: Literal[False] = False,
        progress: _Progress = None,
    ) -> NDArray[np.int64]: ...
    @overload
    def contacts_with(
        self,
        what: Union[Model, int],
        pose: Optional[ArrayLike] = None,
        *,
        cap: Optional[int] = None,
        details: Literal[True],
        progress: _Progress = None,
    ) -> Contacts:
        """(k, 4): -1 or the id asked about, the other's id, and both triangles that meet."""

# What `impinge.fcl` is made of.

_Depth = Tuple[int, float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]

@final
class Curved:
    """A solid with a curved surface, in its own frame: what `impinge.fcl` is made of."""

    def __new__(cls, kind: str, sizes: Sequence[float]) -> Curved:
        """kind: "cylinder" or "cone", with sizes (radius, half of the height) and the z axis as theirs, or
        "ellipsoid", with those along the axes.
        """

    def ends(self, direction: Sequence[float]) -> NDArray[np.float64]:
        """(2, 3): the points farthest against a direction (3,), which is not zero, and along it."""

    def state(self, other: Union[ArrayLike, Curved], pose: Optional[ArrayLike] = None) -> int:
        """1 if it shares a point with the hull of points (n, 3), or with a solid at a pose in its frame, -1
        if not, 0 if rounding hides it.
        """

    def depth(self, other: Union[ArrayLike, Curved], pose: Optional[ArrayLike] = None) -> _Depth:
        """What `state` tells; how far the other has to go until they touch; the direction (3,) in which;
        and the points (3,) of both that are deepest.
        """

    def near(
        self, other: Union[ArrayLike, Curved], pose: Optional[ArrayLike] = None
    ) -> Tuple[float, float, NDArray[np.float64], NDArray[np.float64]]:
        """Two bounds on the distance of what `state` takes, and the nearest points (3,)."""

    def meets(self, points: ArrayLike, faces: ArrayLike) -> Tuple[bool, NDArray[np.uint32]]:
        """Of triangles: whether one is proved to share a point, and if not, the indices (k,) of those of
        which rounding hides it. O(m).
        """

    def deepest(self, points: ArrayLike, faces: ArrayLike) -> Optional[Tuple[int, _Depth]]:
        """The deepest of the triangles that are not proved to be apart from it: its index, and what `depth`
        tells of it; `None` if there is none. O(m).
        """

    def nearest(
        self, points: ArrayLike, faces: ArrayLike
    ) -> Tuple[int, float, float, NDArray[np.float64], NDArray[np.float64]]:
        """The nearest triangle: its index, a lower bound on the distance, the distance, and the nearest
        points (3,). O(m log m).
        """

def relative(a: ArrayLike, b: ArrayLike) -> NDArray[np.float64]:
    """The pose of b in a's frame; each a matrix (4, 4). Of equal ones the identity."""

def straightened(pose: ArrayLike) -> NDArray[np.float64]:
    """The rigid motion nearest to a pose (4, 4) that is off by up to 1e-6, as every question takes it: of
    two that are off, the product would be off by more.
    """

def posed(pose: ArrayLike, points: ArrayLike) -> NDArray[np.float64]:
    """(n, 3): points at a pose (4, 4), each coordinate rounded as everywhere."""

# What `impinge.units` is made of.

def list_parts(
    paths: Sequence[Union[str, PathLike[str]]], *, progress: _Progress = None
) -> Tuple[List[str], List[str], NDArray[np.int64], NDArray[np.float64], List[Any], List[str]]:
    """The parts of files: names, groups, of each its source, its pose (16,), row by row; sources; notes.

    A source is a path, a model, or the error why there is none. progress: hears "list", 0 and the number of paths.
    """

def join_boxes(
    boxes: ArrayLike, most: int, clearance: float = 0.0
) -> Tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """The pairs (k, 2) of boxes (n, 2, 3) at most `clearance` apart along each axis, by cells with about
    `most` boxes; and where the pairs of each cell begin, and the last ones end.
    """

def clash_pairs(
    models: Sequence[Model],
    of_part: ArrayLike,
    poses: ArrayLike,
    pairs: NDArray[np.uint32],
    *,
    clearance: Optional[float] = None,
    solids: bool = False,
    contacts: int = 0,
) -> Dict[str, Any]:
    """The clashes among pairs (k, 2) of parts, ascending, as columns by name: see `impinge.units.Report`."""

def clash_lines(names: Sequence[str], columns: Dict[str, Any]) -> bytes:
    """The lines of `impinge clash --json` about clashes in columns."""

def error_line(place: str, message: str) -> bytes:
    """The line of `impinge clash --json` about a part that cannot be read."""

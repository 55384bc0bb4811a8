"""trimesh's `CollisionManager` on this library: the names, arguments and results of `trimesh.collision`.

    import trimesh, impinge.trimesh
    trimesh.collision.CollisionManager = impinge.trimesh.CollisionManager

What collides is what trimesh lets collide: a convex mesh (`mesh.is_convex`) is a solid, any other is a
surface without an inside. Touching counts. `docs/python.md` tells the differences.
"""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
import weakref
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Literal,
    Optional,
    Protocol,
    Set,
    Tuple,
    TypeVar,
    Union,
    cast,
    overload,
)

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import fcl
from ._bodies import Contact, Distance, Placed, Row, Shape, by_pair, contacts_of, matrix_of, overlap
from ._impinge import World

#: The name of an object that is in no manager, as trimesh has it.
_EXTERNAL = "__external"

_Method = TypeVar("_Method", bound=Callable[..., Any])
#: Of flags. One behind an argument that has a default comes by its place or by its name: an overload each.
_Yes = Literal[True]
_No = Literal[False]
_Names = Set[str]
_Pairs = Set[Tuple[str, str]]
#: `None` of a manager without a second object.
_Two = Tuple[Optional[str], Optional[str]]


class _Faces(Protocol):
    """A mesh, such as a `trimesh.Trimesh`."""

    @property
    def vertices(self) -> ArrayLike: ...
    @property
    def faces(self) -> ArrayLike: ...


class _Mesh(_Faces, Protocol):
    """A mesh that tells whether it is convex, such as a `trimesh.Trimesh`."""

    @property
    def is_convex(self) -> Any: ...


class _Scene(Protocol):
    """Meshes at nodes of a graph, such as a `trimesh.Scene`."""

    @property
    def graph(self) -> Any: ...
    @property
    def geometry(self) -> Any: ...


class ContactData:
    """A contact of two objects, in the world's frame."""

    def __init__(self, names: Tuple[str, str], contact: Union[Contact, fcl.Contact]) -> None:
        """names: of both objects, in order. contact: has `b1`, `b2`, `normal`, `pos` and
        `penetration_depth`, as `fcl.Contact`."""
        self.names = set(names)
        self._inds = {names[0]: contact.b1, names[1]: contact.b2}
        self._normal = contact.normal
        self._point = contact.pos
        self._depth = contact.penetration_depth

    @property
    def normal(self) -> NDArray[np.float64]:
        """(3,): the unit direction from the first object to the second."""
        return self._normal

    @property
    def point(self) -> NDArray[np.float64]:
        """(3,): a point of the contact."""
        return self._point

    @property
    def depth(self) -> float:
        """How far the objects are in each other along the normal."""
        return self._depth

    def index(self, name: str) -> int:
        """The index of the face in contact of the object `name`; -1 of a body inside another."""
        return self._inds[name]


class DistanceData:
    """The distance of two objects, in the world's frame."""

    def __init__(self, names: _Two, result: Union[Distance, fcl.DistanceResult]) -> None:
        """names: of both objects, in order. result: has `b1`, `b2`, `nearest_points` and
        `min_distance`, as `fcl.DistanceResult`."""
        self.names = set(names)
        self._inds = {names[0]: result.b1, names[1]: result.b2}
        self._points = {names[0]: result.nearest_points[0], names[1]: result.nearest_points[1]}
        self._distance = result.min_distance

    @property
    def distance(self) -> float:
        """The distance; negative if they overlap."""
        return self._distance

    def index(self, name: str) -> int:
        """The index of the nearest face of the object `name`; -1 of a body inside another."""
        return self._inds[name]

    def point(self, name: str) -> Optional[NDArray[np.float64]]:
        """(3,): the nearest point of the object `name`."""
        return self._points[name]


#: By the mesh's `id`: the mesh, its hash, and its shape.
_shapes: Dict[int, Tuple[weakref.ref, int, Shape]] = {}


def _shape(mesh: _Mesh) -> Shape:
    """The shape of a mesh, kept as long as the mesh and until it changes. A mesh whose hash is not that of what
    it contains, as trimesh's is, is prepared each time.
    """
    key = id(mesh)
    stamp: Optional[Tuple[weakref.ref, int]] = None
    if type(mesh).__hash__ is not object.__hash__:
        # A mesh that has no hash, or cannot be watched, raises.
        with contextlib.suppress(TypeError):
            stamp = weakref.ref(mesh, lambda _: _shapes.pop(key, None)), hash(mesh)
    found = _shapes.get(key)
    if stamp is not None and found is not None and found[0]() is mesh and found[1] == stamp[1]:
        return found[2]
    shape = Shape(np.asarray(mesh.vertices), np.asarray(mesh.faces), bool(mesh.is_convex))
    if stamp is not None:
        _shapes[key] = (*stamp, shape)
    return shape


def _geometry(shape: Shape) -> Union[fcl.BVHModel, fcl.Convex]:
    """The geometry of a shape, as trimesh makes it: a convex mesh is a `fcl.Convex`, any other a `fcl.BVHModel`."""
    geom: Union[fcl.BVHModel, fcl.Convex] = fcl.BVHModel()
    if shape.solid:
        # Prepared already, so that nothing is left for the constructor.
        geom = fcl.Convex.__new__(fcl.Convex)
        geom.num_faces = len(shape.model)
    geom._shape = shape
    return geom


class CollisionObject(fcl.CollisionObject):
    """What a manager has of an object, as trimesh's has the `CollisionObject` of python-fcl. Its transform and
    that of the object in the manager are one, as long as the manager has it. The calls of `impinge.fcl` take it.
    """

    def __init__(self, manager: CollisionManager, name: str, shape: Shape, transform: Optional[ArrayLike]) -> None:
        """manager: a `CollisionManager`, which is asked to move the object. name: of the object there. shape: a
        prepared mesh. transform: (4, 4), which may scale or shear, or `None`."""
        matrix = matrix_of(transform)
        super().__init__(_geometry(shape), fcl.Transform(matrix[:3, :3], matrix[:3, 3]))
        self._placed.name, self._manager = name, weakref.ref(manager)

    def setTransform(self, tf: fcl.Transform) -> None:
        """tf: a `Transform`, also one of python-fcl, which is copied. It moves the object in the manager too."""
        self._place(fcl.Transform(tf.getRotation(), tf.getTranslation()))

    def _place(self, tf: fcl.Transform) -> None:
        manager = self._manager()
        if manager is None or not manager._move(self, tf):
            super()._place(tf)


def _one_at_a_time(method: _Method) -> _Method:
    """A method of a manager that threads share: a world answers one at a time. It has the other manager that
    it is asked about to itself as well.
    """

    @functools.wraps(method)
    def locked(self: CollisionManager, *args: Any, **kwargs: Any) -> Any:
        managers = {id(x): x for x in (self, *args, *kwargs.values()) if isinstance(x, CollisionManager)}
        with contextlib.ExitStack() as held:
            # In one order everywhere, so that no two calls wait for each other.
            for key in sorted(managers):
                held.enter_context(managers[key]._lock)
            return method(self, *args, **kwargs)

    return cast(_Method, locked)


class CollisionManager:
    """A mesh-mesh collision manager, with the interface of trimesh's."""

    def __init__(self) -> None:
        """A manager of no objects; any number of threads may share it."""
        self._world = World()
        self._lock = threading.RLock()
        #: By name: the object, and its shape.
        self._objs: Dict[str, Dict[str, Any]] = {}
        #: By the world's id: the name.
        self._names: Dict[int, str] = {}

    @_one_at_a_time
    def add_object(self, name: str, mesh: _Mesh, transform: Optional[ArrayLike] = None) -> CollisionObject:
        """Adds an object, or replaces the one of that name.

        mesh: has `vertices`, `faces` and `is_convex`, as trimesh's. transform: (4, 4), by default the
        identity; one that scales or shears goes into the vertices. Returns a `CollisionObject`.
        """
        made = CollisionObject(self, name, _shape(mesh), transform)
        self._put(made, made._placed.shape, made._placed.pose)
        return made

    def _put(self, made: CollisionObject, shape: Shape, pose: np.ndarray) -> None:
        """Puts an object in the place of that of its name, unless the world refuses it."""
        placed = made._placed
        id_ = self._world.add(shape.asked, pose)
        if placed.name in self._objs:
            self.remove_object(placed.name)
        placed.id, placed.shape, placed.pose = id_, shape, pose
        self._objs[placed.name] = {"obj": made, "geom": made._geom}
        self._names[id_] = placed.name

    @_one_at_a_time
    def remove_object(self, name: str) -> None:
        """Deletes an object. Raises `ValueError` if there is none."""
        placed = self._object(name)._placed
        self._world.remove(placed.id)
        del self._objs[name], self._names[placed.id]

    @_one_at_a_time
    def set_transform(self, name: str, transform: Optional[ArrayLike]) -> None:
        """Replaces the transform (4, 4) of an object. Raises `ValueError` if there is none."""
        made, matrix = self._object(name), matrix_of(transform)
        self._move(made, fcl.Transform(matrix[:3, :3], matrix[:3, 3]))

    @_one_at_a_time
    def _move(self, made: CollisionObject, tf: fcl.Transform) -> bool:
        """Moves an object. Returns whether it is of this manager."""
        placed = made._placed
        if self._objs.get(placed.name, {}).get("obj") is not made:
            return False
        there = Placed(placed.name, placed.source, tf._matrix)
        if there.shape is placed.shape:
            self._world.set_pose(placed.id, there.pose)
            placed.pose = there.pose
        else:
            self._put(made, there.shape, there.pose)
        made._tf = tf
        return True

    def _object(self, name: str) -> CollisionObject:
        if name not in self._objs:
            raise ValueError(f"{name} not in collision manager!")
        return self._objs[name]["obj"]

    def _of(self, id_: int) -> Placed:
        return self._objs[self._names[id_]]["obj"]._placed

    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_names: _No = False, return_data: _No = False
    ) -> bool: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, *, return_names: _Yes, return_data: _No = False
    ) -> Tuple[bool, _Names]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_names: _Yes, return_data: _No = False
    ) -> Tuple[bool, _Names]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_names: _No = False, *, return_data: _Yes
    ) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_names: _No, return_data: _Yes
    ) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, *, return_names: _Yes, return_data: _Yes
    ) -> Tuple[bool, _Names, List[ContactData]]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_names: _Yes, return_data: _Yes
    ) -> Tuple[bool, _Names, List[ContactData]]: ...
    @overload
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    @_one_at_a_time
    def in_collision_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh at a transform collides with any object.

        Returns bool; with `return_names` the set of names of those that do; with `return_data` a list
        of `ContactData`, where the mesh is "__external".
        """
        other = Placed(_EXTERNAL, _shape(mesh), transform)
        ids = self._world.colliding_with(other.shape.asked, other.pose, solids=True)
        names = {self._names[i] for i in ids.tolist()}
        contacts: List[ContactData] = []
        if return_data and names:
            contacts = self._contacts_with(other, ids.tolist(), _EXTERNAL)
        return _answer(bool(names), (return_names, names), (return_data, contacts))

    @overload
    def in_collision_internal(self, return_names: _No = False, return_data: _No = False) -> bool: ...
    @overload
    def in_collision_internal(self, return_names: _Yes, return_data: _No = False) -> Tuple[bool, _Pairs]: ...
    @overload
    def in_collision_internal(
        self, return_names: _No = False, *, return_data: _Yes
    ) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_internal(self, return_names: _No, return_data: _Yes) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_internal(
        self, return_names: _Yes, return_data: _Yes
    ) -> Tuple[bool, _Pairs, List[ContactData]]: ...
    @overload
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any: ...
    @_one_at_a_time
    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether any two objects collide.

        Returns bool; with `return_names` a set of pairs of names, each in alphabetical order; with
        `return_data` a list of `ContactData`.
        """
        pairs = self._world.colliding(solids=True).tolist()
        names: Set[Tuple[str, ...]] = set()
        contacts: List[ContactData] = []
        if return_names:
            names = {tuple(sorted((self._names[a], self._names[b]))) for a, b in pairs}
        if return_data and pairs:
            rows = by_pair(self._world.contacts(details=True))
            for a, b in pairs:
                contacts += self._data(self._of(a), self._of(b), rows.get((a, b), []))
        return _answer(bool(pairs), (return_names, names), (return_data, contacts))

    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: _No = False, return_data: _No = False
    ) -> bool: ...
    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: _Yes, return_data: _No = False
    ) -> Tuple[bool, _Pairs]: ...
    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: _No = False, *, return_data: _Yes
    ) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: _No, return_data: _Yes
    ) -> Tuple[bool, List[ContactData]]: ...
    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: _Yes, return_data: _Yes
    ) -> Tuple[bool, _Pairs, List[ContactData]]: ...
    @overload
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    @_one_at_a_time
    def in_collision_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether any object collides with one of another manager.

        Returns bool; with `return_names` a set of pairs of names, of this manager and of the other;
        with `return_data` a list of `ContactData`.
        """
        names: _Pairs = set()
        contacts: List[ContactData] = []
        for entry in other_manager._objs.values():
            other = entry["obj"]._placed
            ids = self._world.colliding_with(other.shape.asked, other.pose, solids=True).tolist()
            names |= {(self._names[i], other.name) for i in ids}
            if return_data and ids:
                contacts += self._contacts_with(other, ids, other.name)
        return _answer(bool(names), (return_names, names), (return_data, contacts))

    def _contacts_with(self, other: Placed, ids: List[int], name: str) -> List[ContactData]:
        """The contacts of an object outside with objects of the world, the latter first."""
        found = self._world.contacts_with(other.shape.asked, other.pose, details=True)
        rows = by_pair(found)
        contacts: List[ContactData] = []
        for i in ids:
            turned = [(t, s, point, -normal) for s, t, point, normal in rows.get((-1, i), [])]
            contacts += self._data(self._of(i), other, turned, name)
        return contacts

    @staticmethod
    def _data(a: Placed, b: Placed, rows: List[Row], name: Optional[str] = None) -> List[ContactData]:
        """The contacts of two objects."""
        names = (a.name, b.name if name is None else name)
        return [ContactData(names, contact) for contact in contacts_of(a, b, rows)]

    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_name: _No = False, return_data: _No = False
    ) -> float: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, *, return_name: _Yes, return_data: _No = False
    ) -> Tuple[float, Optional[str]]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_name: _Yes, return_data: _No = False
    ) -> Tuple[float, Optional[str]]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_name: _No = False, *, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_name: _No, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, *, return_name: _Yes, return_data: _Yes
    ) -> Tuple[float, Optional[str], DistanceData]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike], return_name: _Yes, return_data: _Yes
    ) -> Tuple[float, Optional[str], DistanceData]: ...
    @overload
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_name: bool = False, return_data: bool = False
    ) -> Any: ...
    @_one_at_a_time
    def min_distance_single(
        self, mesh: _Mesh, transform: Optional[ArrayLike] = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh at a transform from any object; negative if it overlaps one.

        With `return_name` the name of the nearest object; with `return_data` a `DistanceData`.
        """
        other = Placed(_EXTERNAL, _shape(mesh), transform)
        found = self._nearest_to(other)
        name = None if found is None else found[0].name
        result = Distance(sys.float_info.max) if found is None else found[1]
        data = DistanceData((name, _EXTERNAL), result)
        return _answer(result.min_distance, (return_name, name), (return_data, data))

    @overload
    def min_distance_internal(
        self, name: Optional[str] = None, return_names: _No = False, return_data: _No = False
    ) -> float: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str] = None, *, return_names: _Yes, return_data: _No = False
    ) -> Tuple[float, _Two]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str], return_names: _Yes, return_data: _No = False
    ) -> Tuple[float, _Two]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str] = None, return_names: _No = False, *, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str], return_names: _No, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str] = None, *, return_names: _Yes, return_data: _Yes
    ) -> Tuple[float, _Two, DistanceData]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str], return_names: _Yes, return_data: _Yes
    ) -> Tuple[float, _Two, DistanceData]: ...
    @overload
    def min_distance_internal(
        self, name: Optional[str] = None, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    @_one_at_a_time
    def min_distance_internal(
        self, name: Optional[str] = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of any two objects, or of the object `name` from any other; negative if
        they overlap.

        With `return_names` the names of the two in alphabetical order; with `return_data` a
        `DistanceData`.
        """
        two: Optional[Tuple[Placed, Placed, Distance]] = None
        if name is not None:
            own = self._object(name)._placed
            found = self._nearest_to(own, own.id)
            two = None if found is None else (found[0], own, found[1])
        else:
            two = self._nearest_pair()
        names: Tuple[Any, Any]
        if two is None:
            names, result = (None, None), Distance(sys.float_info.max)
        else:
            names, result = (two[0].name, two[1].name), two[2]
        data = DistanceData(names, result)
        names = tuple(sorted(names)) if two is not None and return_names else names
        return _answer(result.min_distance, (return_names, names), (return_data, data))

    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: _No = False, return_data: _No = False
    ) -> float: ...
    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: _Yes, return_data: _No = False
    ) -> Tuple[float, _Two]: ...
    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: _No = False, *, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: _No, return_data: _Yes
    ) -> Tuple[float, DistanceData]: ...
    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: _Yes, return_data: _Yes
    ) -> Tuple[float, _Two, DistanceData]: ...
    @overload
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any: ...
    @_one_at_a_time
    def min_distance_other(
        self, other_manager: CollisionManager, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of an object from one of another manager; negative if they overlap.

        With `return_names` their names, of this manager and of the other; with `return_data` a
        `DistanceData`.
        """
        best: Optional[Tuple[Placed, Placed, Distance]] = None
        for entry in other_manager._objs.values():
            other = entry["obj"]._placed
            found = self._nearest_to(other)
            if found is not None and (best is None or found[1].min_distance < best[2].min_distance):
                best = (found[0], other, found[1])
        if best is None:
            names, result = (None, None), Distance(sys.float_info.max)
        else:
            names, result = (best[0].name, best[1].name), best[2]
        data = DistanceData(names, result)
        return _answer(result.min_distance, (return_names, names), (return_data, data))

    def _nearest_to(self, other: Placed, own: Optional[int] = None) -> Optional[Tuple[Placed, Distance]]:
        """The object nearest to another, and the distance. own: its id, if it is of this manager and shall not
        be compared with itself.
        """
        where: Tuple[Any, ...] = (other.shape.asked, other.pose) if own is None else (own,)
        ids = self._world.colliding_with(*where, solids=True).tolist()
        if ids:
            return min(((a, overlap(a, other)) for a in map(self._of, ids)), key=_least)
        found = self._world.nearest_to(*where)
        if found is None:
            return None
        a, nearest = self._of(found[0]), found[1]
        faces = nearest.triangles.tolist()
        b1, b2 = faces[1] % len(a.shape.model), faces[0] % len(other.shape.model)
        return a, Distance(nearest.distance, b1, b2, (nearest.on_b, nearest.on_a))

    def _nearest_pair(self) -> Optional[Tuple[Placed, Placed, Distance]]:
        """The two nearest objects, and their distance."""
        pairs = self._world.colliding(solids=True).tolist()
        if pairs:
            both = ((self._of(a), self._of(b)) for a, b in pairs)
            return min(((a, b, overlap(a, b)) for a, b in both), key=_least)
        found = self._world.nearest_pair()
        if found is None:
            return None
        a, b, nearest = self._of(found[0]), self._of(found[1]), found[2]
        s, t = nearest.triangles.tolist()
        b1, b2 = s % len(a.shape.model), t % len(b.shape.model)
        return a, b, Distance(nearest.distance, b1, b2, (nearest.on_a, nearest.on_b))


def _least(found: Tuple[Any, ...]) -> float:
    return found[-1].min_distance


def _answer(first: Any, *others: Tuple[bool, Any]) -> Any:
    """The first alone, or a tuple with those that are wanted."""
    wanted = tuple(value for want, value in others if want)
    return (first, *wanted) if wanted else first


def mesh_to_BVH(mesh: _Faces) -> fcl.BVHModel:
    """The mesh as a surface, a `BVHModel` of `impinge.fcl`."""
    return cast(fcl.BVHModel, _geometry(Shape(np.asarray(mesh.vertices), np.asarray(mesh.faces), False)))


def mesh_to_convex(mesh: _Faces) -> Union[fcl.BVHModel, fcl.Convex]:
    """The mesh as a solid, a `Convex` of `impinge.fcl`; of one that is not closed a surface, a `BVHModel`."""
    return _geometry(Shape(np.asarray(mesh.vertices), np.asarray(mesh.faces), True))


def scene_to_collision(scene: _Scene) -> Tuple[CollisionManager, Dict[str, CollisionObject]]:
    """A `CollisionManager` of a `trimesh.Scene`, and its `CollisionObject`s by the names of their nodes."""
    manager = CollisionManager()
    objects: Dict[str, CollisionObject] = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects

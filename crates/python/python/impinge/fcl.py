"""The calls of python-fcl on this library: meshes, convex and round bodies, halfspaces, and managers of them.

    import impinge.fcl as fcl

A `BVHModel` and a `TriangleP` are surfaces without an inside, a `Convex` and a `Box` are solids, a `Sphere`
and a `Capsule` what is within a radius of a point or a segment, a `Cylinder`, a `Cone` and an `Ellipsoid` solids
with curved surfaces; a `Halfspace` is a solid, a `Plane` a surface, and neither has an end. Touching counts.
`docs/python.md` tells the differences.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _curved, _flat, _round
from ._bodies import PAIRS as _pairs
from ._bodies import Distance, Placed, Shape, contacts_of, overlap, pair_of, relative, rows_of, unit
from ._errors import ArgumentError, Error, UndecidedError
from ._impinge import Pair
from ._manager import DynamicAABBTreeCollisionManager as DynamicAABBTreeCollisionManager


class NODE_TYPE:
    """Kinds of geometries, as `getNodeType` returns them; of most of them there are none here."""

    BV_UNKNOWN, BV_AABB, BV_OBB, BV_RSS, BV_kIOS, BV_OBBRSS, BV_KDOP16, BV_KDOP18, BV_KDOP24 = range(9)
    GEOM_BOX, GEOM_SPHERE, GEOM_ELLIPSOID, GEOM_CAPSULE, GEOM_CONE, GEOM_CYLINDER = range(9, 15)
    GEOM_CONVEX, GEOM_PLANE, GEOM_HALFSPACE, GEOM_TRIANGLE, GEOM_OCTREE, NODE_COUNT = range(15, 21)


class OBJECT_TYPE:
    """Kinds of objects, as `getObjectType` returns them."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class GJKSolverType:
    """Solvers that a request may name; they change nothing."""

    GST_LIBCCD, GST_INDEP = 0, 1


class CCDMotionType:
    """Motions that a request may name; they change nothing."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """Solvers of motions that a request may name; they change nothing."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class CollisionRequest:
    """What to tell of a collision."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = 0,
    ) -> None:
        """num_max_contacts: of a call. enable_contact: whether contacts have places. The others are
        accepted, and change nothing."""
        self.num_max_contacts = num_max_contacts
        self.enable_contact = enable_contact
        self.num_max_cost_sources = num_max_cost_sources
        self.enable_cost = enable_cost
        self.use_approximate_cost = use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class CollisionResult:
    """Whether anything collided, and `Contact`s."""

    def __init__(self, is_collision: bool = False) -> None:
        """is_collision: accepted, and ignored as in python-fcl."""
        self.is_collision = False
        self.contacts: List[Contact] = []
        self.cost_sources: List[Any] = []


class Contact:
    """A contact: geometries `o1` and `o2`, triangles `b1` and `b2` or -1, in the world's frame the
    `normal` from the first to the second and the point `pos`, and the `penetration_depth`."""

    def __init__(self) -> None:
        """A contact of nothing, at the origin."""
        self.o1: Optional[CollisionGeometry] = None
        self.o2: Optional[CollisionGeometry] = None
        self.b1 = self.b2 = 0
        self.normal: NDArray[np.float64] = np.zeros(3)
        self.pos: NDArray[np.float64] = np.zeros(3)
        self.penetration_depth: float = 0.0


class DistanceRequest:
    """What to tell of a distance."""

    def __init__(
        self, enable_nearest_points: bool = False, enable_signed_distance: bool = False, gjk_solver_type: int = 0
    ) -> None:
        """enable_signed_distance: bodies that overlap have minus their depth, else -1 if both are solids, or
        one is no mesh, and 0 of others. Nearest points are always given."""
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    """The least distance so far, and where: points in the world's frame, geometries, triangles or -1."""

    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        """min_distance_: only distances below it are kept, in the unit of the meshes."""
        self.min_distance = min_distance_
        self.nearest_points: List[Optional[NDArray[np.float64]]] = [None, None]
        self.o1: Optional[CollisionGeometry] = None
        self.o2: Optional[CollisionGeometry] = None
        self.b1 = self.b2 = -1


class ContinuousCollisionRequest:
    """Of a motion; nothing in it changes an answer."""

    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = 0,
        gjk_solver_type: int = 0,
        ccd_solver_type: int = 1,
    ) -> None:
        """All are accepted, and change nothing."""
        self.num_max_iterations = num_max_iterations
        self.toc_err = toc_err
        self.ccd_motion_type = ccd_motion_type
        self.gjk_solver_type = gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    """Whether bodies touch on their way, and when: from 0 to 1."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        """is_collide, time_of_contact: what calls combine theirs with."""
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact


class CollisionData:
    """What `defaultCollisionCallback` works on."""

    def __init__(
        self, request: Optional[CollisionRequest] = None, result: Optional[CollisionResult] = None
    ) -> None:
        """request: a `CollisionRequest`. result: a `CollisionResult`. By default new ones."""
        self.request = CollisionRequest() if request is None else request
        self.result = CollisionResult() if result is None else result
        self.done = False


class DistanceData:
    """What `defaultDistanceCallback` works on."""

    def __init__(
        self, request: Optional[DistanceRequest] = None, result: Optional[DistanceResult] = None
    ) -> None:
        """request: a `DistanceRequest`. result: a `DistanceResult`. By default new ones."""
        self.request = DistanceRequest() if request is None else request
        self.result = DistanceResult() if result is None else result
        self.done = False


def _shaped(value: ArrayLike, shape: Tuple[int, ...], what: str) -> np.ndarray:
    """An array of a shape, which nothing is stretched to."""
    value = np.asarray(value, dtype=float)
    if value.shape != shape:
        raise ValueError(f"{what} has the shape {shape}, not {value.shape}")
    return value


class Transform:
    """A rigid motion: `Transform()`, of another one, of a rotation (3, 3), a quaternion `w x y z` or a
    translation (3,), or of a rotation and a translation. Quaternions are normalised."""

    @overload
    def __init__(self) -> None: ...
    @overload
    def __init__(self, one: Union[Transform, ArrayLike], /) -> None: ...
    @overload
    def __init__(self, rotation: ArrayLike, translation: ArrayLike, /) -> None: ...
    def __init__(self, *args: Any) -> None:
        """args: as the class tells, in the unit of the meshes; nothing is the identity."""
        self._matrix = np.eye(4)
        if len(args) == 1 and isinstance(args[0], Transform):
            self._matrix = args[0]._matrix.copy()
        elif len(args) == 1:
            value = np.asarray(args[0], dtype=float)
            if value.shape == (3,):
                self.setTranslation(value)
            else:
                self._turn(value)
        elif len(args) == 2:
            self._turn(np.asarray(args[0], dtype=float).squeeze())
            self.setTranslation(np.asarray(args[1], dtype=float).squeeze())
        elif args:
            raise ValueError("too many arguments to Transform")

    def _turn(self, value: np.ndarray) -> None:
        if value.shape == (4,):
            self.setQuatRotation(value)
        elif value.shape == (3, 3):
            self.setRotation(value)
        else:
            raise ValueError(f"a rotation has the shape (3, 3) or (4,), not {value.shape}")

    def getRotation(self) -> NDArray[np.float64]:
        """(3, 3)."""
        return self._matrix[:3, :3].copy()

    def getTranslation(self) -> NDArray[np.float64]:
        """(3,)."""
        return self._matrix[:3, 3].copy()

    def getQuatRotation(self) -> NDArray[np.float64]:
        """(4,): `w x y z`, with `w` not negative."""
        r = self._matrix[:3, :3]
        # The column of the largest component (Shepperd 1978).
        a = np.array(
            [
                [1 + r[0, 0] + r[1, 1] + r[2, 2], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
                [r[2, 1] - r[1, 2], 1 + r[0, 0] - r[1, 1] - r[2, 2], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0]],
                [r[0, 2] - r[2, 0], r[1, 0] + r[0, 1], 1 - r[0, 0] + r[1, 1] - r[2, 2], r[2, 1] + r[1, 2]],
                [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[2, 1] + r[1, 2], 1 - r[0, 0] - r[1, 1] + r[2, 2]],
            ]
        )
        q = a[np.argmax(np.diag(a))]
        q = q / np.linalg.norm(q)
        return -q if q[0] < 0 else q

    def setRotation(self, R: ArrayLike) -> None:
        """R: (3, 3)."""
        self._matrix[:3, :3] = _shaped(R, (3, 3), "a rotation")

    def setTranslation(self, T: ArrayLike) -> None:
        """T: (3,)."""
        self._matrix[:3, 3] = _shaped(T, (3,), "a translation")

    def setQuatRotation(self, q: ArrayLike) -> None:
        """q: (4,), `w x y z`, of any length; of length 0 the identity."""
        w, x, y, z = unit(_shaped(q, (4,), "a quaternion"), np.array([1.0, 0.0, 0.0, 0.0]))
        self._matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]


class CollisionGeometry:
    """A shape that objects share."""

    _shape: Any = None
    _node_type: Optional[int] = None

    def getNodeType(self) -> Optional[int]:
        """One of `NODE_TYPE`."""
        return self._node_type

    def computeLocalAABB(self) -> None:
        """The box is known anyway; for python-fcl's sake."""

    @property
    def aabb_center(self) -> Optional[NDArray[np.float64]]:
        """(3,): the middle of the box around it, in its own frame; `None` of a model without triangles, and of what
        has no end."""
        if self._shape is None or self._shape.flat:
            return None
        if self._shape.curved:
            return np.zeros(3)
        low, high = self._shape.model.bounds
        return low + 0.5 * (high - low)


class BVHModel(CollisionGeometry):
    """A mesh as a surface, made between `beginModel` and `endModel`. These return 0, the others `True`, as
    python-fcl's do where they succeed."""

    _node_type = NODE_TYPE.BV_OBBRSS

    def __init__(self) -> None:
        """A model without triangles."""
        self._vertices: List[np.ndarray] = []
        self._faces: List[np.ndarray] = []

    def beginModel(self, num_tris_: int = 0, num_vertices_: int = 0) -> int:
        """Begins; the counts are hints."""
        self._vertices, self._faces, self._shape = [], [], None
        return 0

    def addVertex(self, x: float, y: float, z: float) -> bool:
        """A vertex, of no triangle, in the unit of the meshes."""
        self._vertices.append(np.array([[x, y, z]], dtype=float))
        return True

    def addTriangle(self, v1: ArrayLike, v2: ArrayLike, v3: ArrayLike) -> bool:
        """A triangle of three points (3,)."""
        return self.addSubModel([v1, v2, v3], [[0, 1, 2]])

    def addSubModel(self, verts: Union[ArrayLike, Sequence[ArrayLike]], triangles: ArrayLike) -> bool:
        """verts: (n, 3). triangles: (m, 3), indices of `verts`."""
        before = sum(map(len, self._vertices))
        # Copies: the caller may use the arrays again.
        self._vertices.append(np.array(verts, dtype=float))
        self._faces.append(np.array(triangles, dtype=np.int64) + before)
        return True

    def endModel(self) -> int:
        """Prepares the mesh. Raises `MeshError`."""
        vertices = np.concatenate(self._vertices) if self._vertices else np.zeros((0, 3))
        faces = np.concatenate(self._faces) if self._faces else np.zeros((0, 3), np.int64)
        self._shape = Shape(vertices, faces, False)
        return 0

    def num_tries_(self) -> int:
        """The number of triangles."""
        return len(self._shape.model) if self._shape else sum(map(len, self._faces))


class TriangleP(CollisionGeometry):
    """A triangle of three points, the properties `a`, `b` and `c`."""

    _node_type = NODE_TYPE.GEOM_TRIANGLE

    def __init__(self, a: ArrayLike, b: ArrayLike, c: ArrayLike) -> None:
        """a, b, c: (3,)."""
        self._corners = np.array([a, b, c], dtype=float)
        self._shape = Shape(self._corners, np.array([[0, 1, 2]]), False)

    @property
    def a(self) -> NDArray[np.float64]:
        """(3,): the first corner."""
        return self._corners[0].copy()

    @property
    def b(self) -> NDArray[np.float64]:
        """(3,): the second corner."""
        return self._corners[1].copy()

    @property
    def c(self) -> NDArray[np.float64]:
        """(3,): the third corner."""
        return self._corners[2].copy()


class Convex(CollisionGeometry):
    """A convex solid: `vertices` (n, 3), and per face the number of its corners and their indices."""

    _node_type = NODE_TYPE.GEOM_CONVEX

    def __init__(self, vertices: ArrayLike, num_faces: int, faces: ArrayLike) -> None:
        """vertices: (n, 3). num_faces: of `faces`, which is flat: of each face the number of its corners, and
        their indices."""
        triangles: List[List[int]] = []
        at, flat = 0, np.asarray(faces).tolist()
        for _ in range(num_faces):
            corners = flat[at + 1 : at + 1 + flat[at]]
            at += 1 + flat[at]
            triangles += [[corners[0], q, r] for q, r in zip(corners[1:], corners[2:])]
        self.num_faces = num_faces
        self._shape = Shape(np.asarray(vertices), np.array(triangles), True)


class Box(Convex):
    """A box about the origin with these edges."""

    _node_type = NODE_TYPE.GEOM_BOX

    def __init__(self, x: float, y: float, z: float) -> None:
        """x, y, z: lengths of the edges along the axes; `side` has them."""
        self._side = np.array([x, y, z], dtype=float)
        corners = [[i, j, k] for i in (-0.5, 0.5) for j in (-0.5, 0.5) for k in (-0.5, 0.5)]
        faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
        flat = [n for face in faces for n in (4, *face)]
        super().__init__(np.array(corners) * [x, y, z], 6, flat)

    @property
    def side(self) -> NDArray[np.float64]:
        """(3,): the lengths of the edges."""
        return self._side.copy()


#: The least size of a curved body.
_LEAST = 1e-300


def _length(value: float, what: str, least: float = 0.0) -> float:
    """A length of a round or a curved body."""
    value = float(value)
    if not least <= value <= 1e300:
        error = ArgumentError(f"{what} is {value}; it must be from {least or 0} to 1e300")
        error.value = value
        raise error
    return value


class Sphere(CollisionGeometry):
    """A ball about the origin: all points within a radius of it."""

    _node_type = NODE_TYPE.GEOM_SPHERE

    def __init__(self, radius: float) -> None:
        """radius: from 0 to 1e300, in the unit of the meshes. Raises `ArgumentError`, a `ValueError`."""
        self._shape = _round.Round(_length(radius, "the radius of a Sphere"), 0.0)

    @property
    def radius(self) -> float:
        """The radius, in the unit of the meshes."""
        return self._shape.radius


class Capsule(CollisionGeometry):
    """All points within a radius of the segment of the z axis from `-lz/2` to `lz/2`."""

    _node_type = NODE_TYPE.GEOM_CAPSULE

    def __init__(self, radius: float, lz: float) -> None:
        """radius, lz: from 0 to 1e300, in the unit of the meshes; `lz` is the length without the round
        ends. Raises `ArgumentError`, a `ValueError`."""
        radius, self._lz = _length(radius, "the radius of a Capsule"), _length(lz, "the length of a Capsule")
        self._shape = _round.Round(radius, 0.5 * self._lz)

    @property
    def radius(self) -> float:
        """The radius, in the unit of the meshes."""
        return self._shape.radius

    @property
    def lz(self) -> float:
        """The length of the segment, in the unit of the meshes."""
        return self._lz


class _Upright(CollisionGeometry):
    """What cylinders and cones have in common."""

    def __init__(self, radius: float, lz: float) -> None:
        kind = type(self).__name__
        self._radius = _length(radius, f"the radius of a {kind}", _LEAST)
        self._lz = _length(lz, f"the length of a {kind}", _LEAST)
        self._shape = _curved.Curved(kind.lower(), (self._radius, 0.5 * self._lz))

    @property
    def radius(self) -> float:
        """The radius, in the unit of the meshes."""
        return self._radius

    @property
    def lz(self) -> float:
        """The length along the z axis, in the unit of the meshes."""
        return self._lz


class Cylinder(_Upright):
    """All points within a radius of the z axis, from `-lz/2` to `lz/2` along it."""

    _node_type = NODE_TYPE.GEOM_CYLINDER

    def __init__(self, radius: float, lz: float) -> None:
        """radius, lz: from 1e-300 to 1e300, in the unit of the meshes. Raises `ArgumentError`, a `ValueError`."""
        super().__init__(radius, lz)


class Cone(_Upright):
    """The convex hull of the disc of a radius about the z axis at `-lz/2` and the point of the axis at `lz/2`."""

    _node_type = NODE_TYPE.GEOM_CONE

    def __init__(self, radius: float, lz: float) -> None:
        """radius, lz: as of a `Cylinder`, with its errors."""
        super().__init__(radius, lz)


class Ellipsoid(CollisionGeometry):
    """All points with `(x/a)**2 + (y/b)**2 + (z/c)**2 <= 1`."""

    _node_type = NODE_TYPE.GEOM_ELLIPSOID

    def __init__(self, a: float, b: float, c: float) -> None:
        """a, b, c: half of the lengths along the axes, each from 1e-300 to 1e300, in the unit of the meshes; `radii`
        has them. Raises `ArgumentError`, a `ValueError`."""
        radii = [_length(value, "a radius of an Ellipsoid", _LEAST) for value in (a, b, c)]
        self._shape = _curved.Curved("ellipsoid", radii)

    @property
    def radii(self) -> NDArray[np.float64]:
        """(3,): half of the lengths along the axes."""
        return np.array(self._shape.sizes)


class _Unbounded(CollisionGeometry):
    """What halfspaces and planes have in common."""

    def __init__(self, n: ArrayLike, d: float) -> None:
        self._shape = _flat.Flat(_shaped(n, (3,), "a normal").copy(), float(d), isinstance(self, Plane))

    @property
    def n(self) -> NDArray[np.float64]:
        """(3,): the unit normal."""
        return self._shape.normal.copy()

    @property
    def d(self) -> float:
        """The height of the plane over the origin, along the unit normal, in the unit of the meshes."""
        return self._shape.height


class Halfspace(_Unbounded):
    """All points `x` with `n @ x <= d`, its edge included. `n` and `d` are divided by the length of `n`."""

    _node_type = NODE_TYPE.GEOM_HALFSPACE

    def __init__(self, n: ArrayLike, d: float) -> None:
        """n: (3,), of any length but 0. d: in the unit of the meshes times that length, at most 1e300 of it. Raises
        `ArgumentError`, a `ValueError`. Verdicts are exact for these numbers."""
        super().__init__(n, d)


class Plane(_Unbounded):
    """All points `x` with `n @ x == d`. `n` and `d` are divided by the length of `n`."""

    _node_type = NODE_TYPE.GEOM_PLANE

    def __init__(self, n: ArrayLike, d: float) -> None:
        """n, d: as of a `Halfspace`, with its errors."""
        super().__init__(n, d)


class CollisionObject:
    """A geometry at a transform."""

    def __init__(self, geom: CollisionGeometry, tf: Optional[Transform] = None) -> None:
        """geom: a `CollisionGeometry`, which is shared. tf: a `Transform`, which is copied; by default the
        identity."""
        if geom._shape is None:
            raise Error("the model has no triangles yet: call endModel")
        self._geom = geom
        self._tf = Transform() if tf is None else Transform(tf)
        self._placed = Placed(None, geom._shape, self._tf._matrix.copy())

    def _place(self, tf: Transform) -> None:
        """Takes over a transform; one that is refused leaves the old one."""
        self._placed.place(tf._matrix.copy())
        self._tf = tf

    def _changed(self, setter: Callable[[Transform, ArrayLike], None], value: ArrayLike) -> Transform:
        """The transform with a part of it replaced."""
        tf = Transform(self._tf)
        setter(tf, value)
        return tf

    def getObjectType(self) -> int:
        """One of `OBJECT_TYPE`."""
        return OBJECT_TYPE.OT_BVH if isinstance(self._geom, BVHModel) else OBJECT_TYPE.OT_GEOM

    def getNodeType(self) -> Optional[int]:
        """One of `NODE_TYPE`, that of the geometry."""
        return self._geom.getNodeType()

    def isOccupied(self) -> bool:
        """Yes: there is no other kind here."""
        return True

    def isFree(self) -> bool:
        """No."""
        return False

    def isUncertain(self) -> bool:
        """No."""
        return False

    def getTransform(self) -> Transform:
        """A copy of the `Transform`."""
        return Transform(self._tf)

    def getTranslation(self) -> NDArray[np.float64]:
        """(3,)."""
        return self._tf.getTranslation()

    def getRotation(self) -> NDArray[np.float64]:
        """(3, 3)."""
        return self._tf.getRotation()

    def getQuatRotation(self) -> NDArray[np.float64]:
        """(4,): `w x y z`, with `w` not negative."""
        return self._tf.getQuatRotation()

    def setTransform(self, tf: Transform) -> None:
        """tf: a `Transform`, which is copied."""
        self._place(Transform(tf))

    def setTranslation(self, T: ArrayLike) -> None:
        """T: (3,)."""
        self._place(self._changed(Transform.setTranslation, T))

    def setRotation(self, R: ArrayLike) -> None:
        """R: (3, 3)."""
        self._place(self._changed(Transform.setRotation, R))

    def setQuatRotation(self, q: ArrayLike) -> None:
        """q: (4,), `w x y z`, of any length."""
        self._place(self._changed(Transform.setQuatRotation, q))

    def _box(self) -> np.ndarray:
        """(2, 3): a box around it in the world, a little larger than the least one."""
        shape = self._placed.shape
        if shape.flat or shape.curved:
            return shape.box(self._placed.pose)
        low, high = shape.model.bounds
        corners = np.stack([low, high])[np.indices((2, 2, 2)).reshape(3, 8).T, [0, 1, 2]]
        pose = self._placed.pose
        corners = corners @ pose[:3, :3].T + pose[:3, 3]
        room = shape.radius + 1e-12 * (
            np.abs(corners).max() + np.abs(pose[:3, 3]).max() + shape.radius + 1e-300
        )
        return np.stack([corners.min(axis=0) - room, corners.max(axis=0) + room])


def _special(a: Placed, b: Placed) -> Optional[ModuleType]:
    """The module that answers for two placed bodies; `None` of two meshes."""
    if a.shape.flat or b.shape.flat:
        return _flat
    if a.shape.curved or b.shape.curved:
        return _curved
    return _round if a.shape.round or b.shape.round else None


def collide(
    o1: CollisionObject,
    o2: CollisionObject,
    request: Optional[CollisionRequest] = None,
    result: Optional[CollisionResult] = None,
) -> int:
    """Whether two objects collide; returns the number of contacts, and adds them to `result`."""
    request = CollisionRequest() if request is None else request
    result = CollisionResult() if result is None else result
    a, b = o1._placed, o2._placed
    special = _special(a, b)
    if not (special.collides(a, b) if special else pair_of(a, b).collides(relative(a, b), solids=True)):
        return 0
    result.is_collision = True
    if not request.enable_contact:
        found: List[Any] = [None]
    elif special:
        found = special.contacts(a, b)[: request.num_max_contacts]
    else:
        details = Pair(a.shape.model, b.shape.model).contacts(relative(a, b), details=True)
        turn, place, rows = a.pose[:3, :3], a.pose[:3, 3], rows_of(details)
        rows = [(s, t, turn @ point + place, turn @ normal) for s, t, point, normal in rows]
        found = contacts_of(a, b, rows)[: request.num_max_contacts]
    for one in found:
        contact = Contact()
        contact.o1, contact.o2, contact.b1, contact.b2 = o1._geom, o2._geom, -1, -1
        if one is not None:
            contact.b1, contact.b2 = one.b1, one.b2
            contact.normal, contact.pos = one.normal, one.pos
            contact.penetration_depth = one.penetration_depth
        result.contacts.append(contact)
    return len(found)


def _distance(a: Placed, b: Placed, signed: bool) -> Distance:
    """The distance of two placed meshes."""
    pair, b_in_a = pair_of(a, b), relative(a, b)
    if not pair.collides(b_in_a, solids=True):
        nearest = pair.nearest(b_in_a)
        turn, place = a.pose[:3, :3], a.pose[:3, 3]
        points = [turn @ p + place for p in (nearest.on_a, nearest.on_b)]
        s, t = nearest.triangles.tolist()
        return Distance(nearest.distance, s % len(a.shape.model), t % len(b.shape.model), points)
    if signed:
        return overlap(a, b)
    touching = pair.collides(b_in_a) and not (a.shape.solid and b.shape.solid)
    return Distance(0.0 if touching else -1.0, points=(np.zeros(3), np.zeros(3)))


def _distance_by(special: ModuleType, a: Placed, b: Placed, signed: bool) -> Distance:
    """The same of two placed bodies of which one is no mesh, by the module that answers for them."""
    if not special.collides(a, b):
        return special.distance(a, b)
    if signed:
        return special.overlap(a, b)
    return Distance(-1.0, points=(np.zeros(3), np.zeros(3)))


def distance(
    o1: CollisionObject,
    o2: CollisionObject,
    request: Optional[DistanceRequest] = None,
    result: Optional[DistanceResult] = None,
) -> float:
    """The least distance of two objects; `result` keeps it if it is less than what it has."""
    request = DistanceRequest() if request is None else request
    result = DistanceResult() if result is None else result
    a, b = o1._placed, o2._placed
    if special := _special(a, b):
        found = _distance_by(special, a, b, request.enable_signed_distance)
    else:
        found = _distance(a, b, request.enable_signed_distance)
    least = found.min_distance
    if least < result.min_distance:
        result.min_distance, result.nearest_points = least, list(found.nearest_points)
        result.o1, result.o2, result.b1, result.b2 = o1._geom, o2._geom, found.b1, found.b2
    return least


def _first_touch(a: Placed, b: Placed, ends: List[Placed], b_moves: bool) -> Tuple[str, float, float]:
    """"touching", "free" or "undecided", and between which times. b_moves: seen from a."""
    if _special(a, b) is _curved:
        return _curved.first_touch(a, b, ends)
    if b_moves:
        pair, start, end = pair_of(a, b), relative(a, b), relative(*ends)
    else:
        pair, start, end = pair_of(b, a), relative(b, a), relative(*ends[::-1])
    swept = pair.sweep(start, end, near=_round.reach(a, b), solids=True)
    return swept.outcome, swept.low, swept.high


def continuousCollide(
    o1: CollisionObject,
    tf1_end: Transform,
    o2: CollisionObject,
    tf2_end: Transform,
    request: Optional[ContinuousCollisionRequest] = None,
    result: Optional[ContinuousCollisionResult] = None,
) -> float:
    """When two objects first touch on their ways to these transforms; returns the time, 1 if never, and
    leaves the earlier of it and what it had in `result`.

    One of them may turn, about the origin of its frame, which runs straight, while the other rests; or
    both only move. Raises `Error` if both turn, or one turns while the other moves, and of a halfspace or a
    plane; `UndecidedError` if they graze each other, or nearly.
    """
    result = ContinuousCollisionResult() if result is None else result
    a, b = o1._placed, o2._placed
    if _special(a, b) is _flat:
        raise Error("continuousCollide has no answer for a halfspace or a plane")
    ends = []
    for placed, tf in ((a, tf1_end), (b, tf2_end)):
        there = Placed(None, placed.source, tf._matrix.copy())
        if there.shape is not there.source or placed.shape is not placed.source:
            raise Error("an object on its way has a transform that is no rigid motion")
        ends.append(there)
    turns = [not np.array_equal(p.pose[:3, :3], e.pose[:3, :3]) for p, e in zip((a, b), ends)]
    rests = [np.array_equal(p.pose, e.pose) for p, e in zip((a, b), ends)]
    if any(turns) and not any(rests):
        raise Error("two objects on their ways of which one turns: let one of them rest")
    outcome, low, high = _first_touch(a, b, ends, rests[0] or not any(turns))
    if outcome == "undecided":
        raise UndecidedError(f"they may touch between the times {low} and {high}")
    touching = outcome == "touching"
    when = high if touching else 1.0
    result.is_collide = result.is_collide or touching
    result.time_of_contact = min(result.time_of_contact, when)
    return when


def defaultCollisionCallback(o1: CollisionObject, o2: CollisionObject, cdata: CollisionData) -> bool:
    """Adds the contacts of two objects to `cdata.result`; whether it is enough."""
    if cdata.done:
        return True
    request, result = cdata.request, cdata.result
    collide(o1, o2, request, result)
    if not request.enable_cost and result.is_collision:
        cdata.done = len(result.contacts) > request.num_max_contacts
    return cdata.done


def defaultDistanceCallback(o1: CollisionObject, o2: CollisionObject, cdata: DistanceData) -> Tuple[bool, float]:
    """Adds the distance of two objects to `cdata.result`; whether it is enough, and the least one."""
    if cdata.done:
        return True, cdata.result.min_distance
    distance(o1, o2, cdata.request, cdata.result)
    least = cdata.result.min_distance
    return least <= 0 or cdata.done, least

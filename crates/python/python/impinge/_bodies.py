"""Meshes as bodies in the sense of fcl: a convex one is a solid, any other a surface without an inside.

`Pair` and `World` are asked about solids. A surface is given to them with both sides of every face: closed,
with a winding number of 0 everywhere, so that nothing is inside it, and it can be inside a solid.
"""

from __future__ import annotations

import functools
import threading
import weakref
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._errors import Error, PoseError, UndecidedError
from ._impinge import Model, Pair, straightened
from ._impinge import relative as _relative
from ._results import Contacts

#: Two faces that meet, a point of both, and the normal.
Row = Tuple[Any, ...]

#: The direction of two bodies that tell none.
UP = np.array([0.0, 0.0, 1.0])

#: Numbers of a table of directions and vertices, above which faces are not tried one by one.
_MOST = 20_000_000


class Contact:
    """A contact, with the fields of `fcl.Contact`."""

    def __init__(self, b1: int, b2: int, normal: np.ndarray, pos: np.ndarray, depth: float) -> None:
        self.b1, self.b2, self.normal, self.pos, self.penetration_depth = b1, b2, normal, pos, depth


class Distance:
    """A distance, with the fields of `fcl.DistanceResult`."""

    def __init__(
        self, distance: float, b1: int = -1, b2: int = -1, points: Sequence[Optional[np.ndarray]] = (None, None)
    ) -> None:
        self.min_distance, self.b1, self.b2, self.nearest_points = distance, b1, b2, points


class Shape:
    """A mesh, prepared: as it is, and as the world asks about it."""

    #: What lies around the mesh, in its unit, of a round body; and whether it is one, and about a point.
    radius, round, point = 0.0, False, False
    #: Whether it is a halfspace or a plane; a cylinder, a cone or an ellipsoid; and the name of what takes rigid
    #: transforms alone.
    flat, curved, rigid = False, False, ""

    def __init__(self, vertices: np.ndarray, faces: np.ndarray, convex: bool) -> None:
        self.model = Model(vertices, faces)
        self.solid = convex and self.model.is_closed
        self.asked = self.model
        if not self.solid:
            # Both sides of every face: closed, with nothing inside.
            self.asked = Model(vertices, np.concatenate([faces, faces[:, ::-1]]))

    @functools.cached_property
    def corners(self) -> Tuple[np.ndarray, np.ndarray]:
        """(n, 3), (m, 3): the vertices that triangles have, and the triangles as indices of these."""
        used, faces = np.unique(self.model.faces, return_inverse=True)
        return self.model.vertices[used], faces.reshape(-1, 3)

    @property
    def normals(self) -> np.ndarray:
        """(n, 3): the distinct unit normals of the faces that have area."""
        a, b, c = np.moveaxis(self.model.vertices[self.model.faces], 1, 0)
        sides = np.stack([b - a, c - a])
        # Sides of about 1: their products are in range at every size.
        _, exponents = np.frexp(np.abs(sides).max(axis=(0, 2)))
        normals = np.cross(*np.ldexp(sides, -exponents[:, None]))
        length = np.linalg.norm(normals, axis=1)
        normals = normals[length > 0] / length[length > 0, None]
        return np.unique(normals.round(12), axis=0)


def matrix_of(transform: Optional[ArrayLike]) -> np.ndarray:
    """A transform (4, 4), by default the identity: a copy, which the caller's later changes do not reach."""
    matrix = np.eye(4) if transform is None else np.array(transform, dtype=np.float64)
    if matrix.shape != (4, 4):
        raise ValueError("transform must be (4,4)!")
    return matrix


def _baked(shape: Shape, matrix: np.ndarray) -> Shape:
    """The shape with a transform that is no rigid motion."""
    vertices = shape.model.vertices @ matrix[:3, :3].T + matrix[:3, 3]
    faces = shape.model.faces
    if np.linalg.det(matrix[:3, :3]) < 0:
        faces = faces[:, ::-1]
    return Shape(vertices, faces, shape.solid)


class Placed:
    """A placed shape. `id` is that of the world, or `None` of one outside."""

    #: The name, and the id, or `None`; a `Shape` or a `Flat`, as given and as placed; and its pose (4, 4).
    name: Any
    id: Any
    source: Any
    shape: Any
    pose: np.ndarray

    def __init__(self, name: Optional[str], shape: Any, transform: Optional[ArrayLike]) -> None:
        self.name, self.id, self.source = name, None, shape
        self.place(matrix_of(transform))

    def place(self, matrix: np.ndarray) -> None:
        """Places it; a transform that scales or shears goes into the vertices; a round or flat body refuses it."""
        try:
            self.shape, self.pose = self.source, straightened(matrix)
            if self.source.point:
                # A ball is the same however it turns; without a turn, relative poses round less.
                self.pose = np.eye(4)
                self.pose[:3, 3] = matrix[:3, 3]
        except PoseError as error:
            if not np.isfinite(matrix).all():
                raise
            if self.source.rigid:
                raise Error(f"{self.source.rigid} takes rigid transforms alone: {error}") from error
            self.shape, self.pose = _baked(self.source, matrix), np.eye(4)

    @property
    def vertices(self) -> np.ndarray:
        """(n, 3), in the world."""
        return self.shape.model.vertices @ self.pose[:3, :3].T + self.pose[:3, 3]

    @property
    def normals(self) -> np.ndarray:
        """(k, 3), of its faces, in the world."""
        return self.shape.normals @ self.pose[:3, :3].T


class Pairs:
    """Pairs by their first shape, and then by the second; they go with either of them."""

    #: How many are made before all are let go of.
    MOST = 4096

    def __init__(self) -> None:
        self._kept: Any = weakref.WeakKeyDictionary()
        self._made = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """The number of pairs."""
        with self._lock:
            return sum(map(len, self._kept.values()))

    def of(self, a: Shape, b: Shape) -> Pair:
        """The pair of two shapes."""
        with self._lock:
            found = self._kept.get(a, {}).get(b)
            if found is None:
                if self._made >= self.MOST:
                    self._kept.clear()
                    self._made = 0
                self._made += 1
                found = Pair(a.asked, b.asked)
                self._kept.setdefault(a, weakref.WeakKeyDictionary())[b] = found
            return found


PAIRS = Pairs()


def pair_of(a: Placed, b: Placed) -> Pair:
    """The pair of two placed shapes."""
    return PAIRS.of(a.shape, b.shape)


def unit(vector: np.ndarray, of_zero: np.ndarray) -> np.ndarray:
    """A vector divided by its length; `of_zero` if that is 0."""
    most = np.abs(vector).max()
    # Divided twice: squares of the largest and smallest numbers are out of range.
    return vector / most / np.linalg.norm(vector / most) if most != 0 else of_zero


def told(least: float, faces: Tuple[int, int], points: Sequence[np.ndarray], swapped: bool) -> Distance:
    """A distance; of exchanged bodies in their order."""
    step = -1 if swapped else 1
    b1, b2 = faces[::step]
    return Distance(least, b1, b2, points[::step])


def at(body: Placed, *points: np.ndarray) -> List[np.ndarray]:
    """Points in the frame of a body, in the world."""
    return [body.pose[:3, :3] @ point + body.pose[:3, 3] for point in points]


def relative(a: Placed, b: Placed) -> np.ndarray:
    """The pose of object b in a's frame."""
    return _relative(a.pose, b.pose)


def penetration(a: Placed, b: Placed) -> Tuple[float, np.ndarray, np.ndarray]:
    """How deep two objects are in each other, the direction in which b leaves a, and a middle point."""
    pair, b_in_a = Pair(a.shape.model, b.shape.model), relative(a, b)
    closed = a.shape.model.is_closed and b.shape.model.is_closed
    found = pair.penetration(b_in_a, solids=closed)
    depth, way, may_touch = found.upper, found.translation, found.lower == 0.0
    if not closed and (a.shape.solid or b.shape.solid):
        depth, way, inside = _out_of_a_solid(a, b, b_in_a, depth, way)
        may_touch = may_touch and not inside
    normal = a.pose[:3, :3] @ way
    if may_touch:
        try:
            depth = 0.0 if pair.touch(b_in_a) == "touches" else depth
        except UndecidedError:
            pass
    normal = unit(normal, UP)
    va, vb = a.vertices, b.vertices
    if a.shape.solid and b.shape.solid and depth > 0:
        depth, normal = _across_a_face(a, b, va, vb, depth, normal)
    along = vb @ normal
    deepest = vb[np.argmax(along <= along.min() + 1e-9 * np.ptp(along))]
    return depth, normal, deepest + 0.5 * depth * normal


def _out_of_a_solid(
    a: Placed, b: Placed, b_in_a: np.ndarray, depth: float, way: np.ndarray
) -> Tuple[float, np.ndarray, bool]:
    """The depth of an open surface and a solid, the way on which b leaves, and whether one is inside the other.
    depth, way: of their surfaces.

    No shorter way parts them than the one that parts their surfaces; but it may lead into the solid.
    """
    pair = Pair(a.shape.asked, b.shape.asked)
    for out in (way, -way):
        moved = b_in_a.copy()
        moved[:3, 3] += out
        if not pair.collides(moved, solids=True):
            return depth, out, False
    found = pair.penetration(b_in_a, solids=True)
    return found.upper, found.translation, True


def _across_a_face(
    a: Placed, b: Placed, va: np.ndarray, vb: np.ndarray, depth: float, normal: np.ndarray
) -> Tuple[float, np.ndarray]:
    """The same of convex bodies. Where leaving across a face is as short, the face's normal, the least
    one by coordinates, so that symmetric bodies get the same answer every time."""
    normals = np.concatenate([a.normals, -b.normals])
    if not 0 < len(normals) * (len(va) + len(vb)) <= _MOST:
        return depth, normal
    depths = (normals @ va.T).max(axis=1) - (normals @ vb.T).min(axis=1)
    least = depths.min()
    if least > depth * (1 + 1e-6):
        return depth, normal
    equal = np.unique(normals[depths <= least * (1 + 1e-9)].round(9), axis=0)
    first = equal[0] / np.linalg.norm(equal[0])
    return float(least), first + 0.0


def contacts_of(a: Placed, b: Placed, rows: List[Row]) -> List[Contact]:
    """The contacts of two bodies that collide, of rows of faces that meet, a point and a normal.

    Of two solids there is one, the deepest; otherwise one of each pair of faces that meet, or one of a body
    inside a solid.
    """
    na, nb = len(a.shape.model), len(b.shape.model)
    rows = [row for row in rows if row[0] < na and row[1] < nb]
    if (a.shape.solid and b.shape.solid) or not rows:
        depth, normal, point = penetration(a, b)
        s, t = rows[0][:2] if rows else (-1, -1)
        return [Contact(s, t, normal, point, depth)]
    va, vb = a.vertices, b.vertices
    out = []
    for s, t, point, normal in rows:
        below = ((va[a.shape.model.faces[s]] - point) @ normal).max()
        above = ((vb[b.shape.model.faces[t]] - point) @ normal).min()
        depth = max(0.0, min(below - above, max(below, -above)))
        out.append(Contact(s, t, normal, point, float(depth)))
    return out


def overlap(a: Placed, b: Placed) -> Distance:
    """The negative depth of two objects, with a point of each that is deepest in the other."""
    depth, normal, middle = penetration(a, b)
    half = 0.5 * depth * normal
    return Distance(-depth if depth > 0 else 0.0, -1, -1, (middle + half, middle - half))


def rows_of(found: Contacts) -> List[Row]:
    """The rows of contacts: both faces, a point, and the normal."""
    counts = np.diff(found.offsets)
    if len(counts) == 0:
        return []
    centres = np.add.reduceat(found.points, found.offsets[:-1]) / counts[:, None]
    faces = found.triangles[:, -2:].tolist()
    return [(s, t, *where) for (s, t), *where in zip(faces, centres, found.normals)]


def by_pair(found: Contacts) -> Dict[Tuple[int, int], List[Row]]:
    """The rows of contacts of a world, by the ids of both objects."""
    rows: Dict[Tuple[int, int], List[Row]] = {}
    for (a, b), row in zip(found.triangles[:, :2].tolist(), rows_of(found)):
        rows.setdefault((a, b), []).append(row)
    return rows

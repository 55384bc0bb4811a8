"""Balls and capsules: all points within a radius of a core, which is a point or a segment.

The core is a mesh of one triangle without area, so that everything is a question about its distance from
the other body's mesh, or core. Of two bodies the second is round here: its few coordinates are those that
the pose rounds.
"""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from ._bodies import UP, Contact, Distance, Placed, Shape, at, pair_of, relative, told, unit
from ._impinge import Model, Pair
from ._results import Nearest

#: The share of the coordinates below which the difference of two nearest points tells no direction.
_CLOSE = 2.0**-33


class Round(Shape):
    """What is within `radius` of the segment of the z axis from `-half` to `half`."""

    rigid = "a round body"

    def __init__(self, radius: float, half: float) -> None:
        super().__init__(np.array([[0, 0, -half], [0, 0, half]]), np.array([[0, 1, 1]]), False)
        self.radius, self.round, self.point = radius, True, half == 0.0


def reach(a: Placed, b: Placed) -> float:
    """The distance of the cores of two placed bodies at which they touch."""
    return a.shape.radius + b.shape.radius


def collides(a: Placed, b: Placed) -> bool:
    """Whether two bodies, of which one is round, share a point or one is inside the other."""
    a, b, _ = _ordered(a, b)
    return pair_of(a, b).nearer_than(relative(a, b), reach(a, b), solids=True)


def distance(a: Placed, b: Placed) -> Distance:
    """The distance of two bodies that do not collide."""
    a, b, swapped = _ordered(a, b)
    near, most = pair_of(a, b).nearest(relative(a, b)), reach(a, b)
    # They are apart, by exact arithmetic: a distance that rounding takes away is the least that can be told.
    least = max(near.distance - most, float(np.spacing(most)))
    way = unit(near.on_b - near.on_a, UP)
    points = at(a, near.on_a + a.shape.radius * way, near.on_b - b.shape.radius * way)
    return told(least, (_face(a, near), -1), points, swapped)


def overlap(a: Placed, b: Placed) -> Distance:
    """The negative depth of two bodies that collide, and a point of each that is as deep in the other."""
    depth, _, points, faces = _overlap(a, b)
    return told(-depth if depth > 0 else 0.0, faces, points, False)


def contacts(a: Placed, b: Placed) -> List[Contact]:
    """The contact of two bodies that collide: the middle of the points that are deepest."""
    depth, normal, points, faces = _overlap(a, b)
    return [Contact(*faces, normal, points[0] + 0.5 * (points[1] - points[0]), max(depth, 0.0))]


def _ordered(a: Placed, b: Placed) -> Tuple[Placed, Placed, bool]:
    """Both bodies, a mesh before a capsule before a ball, and whether they have been exchanged."""
    rank = [p.shape.round + p.shape.point for p in (a, b)]
    return (b, a, True) if rank[0] > rank[1] else (a, b, False)


def _face(a: Placed, near: Nearest) -> int:
    """The nearest triangle of a body, -1 of a round one."""
    return -1 if a.shape.round else int(near.triangles[0]) % len(a.shape.model)


def _overlap(a: Placed, b: Placed) -> Tuple[float, np.ndarray, List[np.ndarray], Tuple[int, int]]:
    """How deep two bodies that collide are in each other, the direction in which b leaves a, a point of each
    that is deepest along it, and their triangles; all in the world.

    The depth is that of the cores, negative if they are apart, and the radii. Of a solid it is the length of
    the least translation that parts them; of a mesh, the largest of those for its triangles.
    """
    a, b, swapped = _ordered(a, b)
    pair, b_in_a = pair_of(a, b), relative(a, b)
    near = pair.nearest(b_in_a)
    inside = a.shape.solid and pair.collides(b_in_a, solids=True)
    core = b.shape.model.vertices @ b_in_a[:3, :3].T + b_in_a[:3, 3]
    ends, face = (near.on_a, near.on_b), int(near.triangles[0]) % len(a.shape.model)
    size = max(np.abs(core).max(), np.abs(_corners(a, [face])).max())
    if near.distance > _CLOSE * size and (b.shape.point or not inside):
        # Out of a solid by its nearest point, else away from it.
        out = -1.0 if inside else 1.0
        depth, way = -out * near.distance, unit(out * (near.on_b - near.on_a), UP)
    else:
        if a.shape.solid:
            depth, way = _out_of_a_solid(a, core)
        else:
            depth, way, face = _off_triangles(a, b, b_in_a, core, None if near.distance == 0 else face)
        if near.distance > 0 and not inside:
            depth = -near.distance
        elif depth > 0 and not b.shape.point:
            ends, face = _ends(a, b, b_in_a, depth * way, face)
    points = at(a, ends[0] + a.shape.radius * way, ends[1] - b.shape.radius * way)
    faces, normal = (-1 if a.shape.round else face, -1), a.pose[:3, :3] @ way + 0.0
    depth = float(depth + reach(a, b))
    return (depth, 0.0 - normal, points[::-1], faces[::-1]) if swapped else (depth, normal, points, faces)


def _corners(a: Placed, faces: ArrayLike) -> np.ndarray:
    """(k, 3, 3): the corners of triangles of a body."""
    return a.shape.model.vertices[a.shape.model.faces[faces]]


def _out_of_a_solid(a: Placed, core: np.ndarray) -> Tuple[float, np.ndarray]:
    """How far a core has to go to leave a convex solid that it is in or meets, and in which direction.

    Two convex bodies part by the least way across a face of their difference: a face of one of them, or one
    that an edge of each spans. The corner of a face or an edge bounds its way from below, so that few are
    taken over all corners.
    """
    vertices, faces = a.shape.model.vertices, a.shape.model.faces
    sides, along = _directions(_sides(vertices[faces])), core[1] - core[0]
    normals = _directions(np.cross(sides[:, 0], sides[:, 1]))
    edges = _seen_from_the_side(vertices, faces, normals @ _directions(along))
    spans = np.cross(_directions(vertices[edges[:, 1]] - vertices[edges[:, 0]]), _directions(along))
    ways, own = np.concatenate([normals, _directions(spans)]), np.concatenate([faces[:, 0], edges[:, 0]])
    used = vertices[np.unique(faces)]
    middle = (used / len(used)).sum(axis=0)
    ways, own = ways[ways.any(axis=1)], vertices[own[ways.any(axis=1)]]
    ways[np.einsum("ij,ij->i", ways, own - middle) < 0] *= -1.0
    back = np.minimum(ways @ along, 0.0)
    bounds = np.einsum("ij,ij->i", ways, own - core[0]) - back
    # A solid without area: away from the middle.
    depth, way = np.inf, unit(core[0] - middle, UP)
    order = np.argsort(bounds)
    for some in np.split(order, range(64, len(order), 64)):
        if len(some) == 0 or bounds[some[0]] >= depth:
            break
        depths = (ways[some] @ (used - core[0]).T).max(axis=1) - back[some]
        if depths.min() < depth:
            depth, way = float(depths.min()), ways[some[depths.argmin()]]
    return (max(depth, 0.0) if np.isfinite(depth) else 0.0), way


def _seen_from_the_side(vertices: np.ndarray, faces: np.ndarray, facing: np.ndarray) -> np.ndarray:
    """(e, 2): the edges between a triangle that faces a direction and one that does not, or nearly: indices
    of their vertices. facing: (m,), the cosines."""
    same = np.unique(vertices, axis=0, return_inverse=True)[1].reshape(-1)[faces]
    ends = np.sort(np.stack([same, np.roll(same, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    order = np.lexsort(ends.T)
    first = np.flatnonzero(np.r_[True, (np.diff(ends[order], axis=0) != 0).any(axis=1)])
    facing = np.repeat(facing, 3)[order]
    low, high = np.minimum.reduceat(facing, first), np.maximum.reduceat(facing, first)
    edges = np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1).reshape(-1, 2)
    return edges[order[first[(low <= 1e-9) & (high >= -1e-9)]]]


def _off_triangles(
    a: Placed, b: Placed, b_in_a: np.ndarray, core: np.ndarray, face: Optional[int]
) -> Tuple[float, np.ndarray, int]:
    """How far a core has to go to be off the triangle that it is deepest in, in which direction, and which
    one that is: of those that it meets, or the one that is given.
    """
    faces: Any = [face]
    if face is None:
        faces = np.unique(Pair(a.shape.model, b.shape.model).contacts(b_in_a)[:, 0])
    corners = _corners(a, faces)
    depths, ways = _least(_across(corners, core), corners, core)
    # Where no direction is across, the difference is a part of a line, and any direction off that leaves it.
    depths[np.isinf(depths)] = 0.0
    deepest = depths.argmax()
    way = ways[deepest]
    if not way.any():
        lines = np.concatenate([core[1:] - core[:1], _sides(corners[deepest])])
        line = lines[np.abs(lines).max(axis=1).argmax()]
        way = unit(np.cross(unit(line, UP), np.eye(3)[np.abs(line).argmin()]), UP)
    return max(float(depths[deepest]), 0.0), way, int(faces[deepest])


def _sides(corners: np.ndarray) -> np.ndarray:
    """(..., 3, 3): the sides of triangles."""
    return np.roll(corners, -1, axis=-2) - corners


def _across(corners: np.ndarray, core: np.ndarray) -> np.ndarray:
    """(k, 8, 3): unit directions, both ways, across k triangles and across each of their sides and a core;
    zero where there is none."""
    sides = _sides(corners)
    pairs = np.stack([sides[:, 1], *np.broadcast_to(core[1] - core[0], (3, len(sides), 3))], axis=1)
    sides = np.concatenate([sides[:, :1], sides], axis=1)
    ways = _directions(np.cross(_directions(sides), _directions(pairs)))
    return np.concatenate([ways, -ways], axis=1)


def _directions(vectors: np.ndarray) -> np.ndarray:
    """Vectors divided by their lengths; zero stays."""
    for measure in (np.abs(vectors).max(axis=-1, keepdims=True), None):
        # Divided twice: squares of the largest and smallest numbers are out of range.
        length = np.linalg.norm(vectors, axis=-1, keepdims=True) if measure is None else measure
        vectors = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return vectors


def _least(ways: np.ndarray, vertices: np.ndarray, core: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """For each of k convex bodies (k, n, 3) the least way (k,) by which a core leaves it along one of its
    directions (k, m, 3), negative if they are apart, and that direction; infinite if all are zero."""
    depths = (ways @ (vertices - core[0]).swapaxes(1, 2)).max(axis=2)
    depths -= np.minimum(ways @ (core[1] - core[0]), 0.0)
    depths[~ways.any(axis=2)] = np.inf
    best = depths.argmin(axis=1)
    each = np.arange(len(best))
    return depths[each, best], ways[each, best]


def _ends(
    a: Placed, b: Placed, b_in_a: np.ndarray, step: np.ndarray, face: int
) -> Tuple[Tuple[np.ndarray, np.ndarray], int]:
    """The points at which a core and the body that it leaves touch last, where they are before, and the
    triangle that has one of them."""
    moved = b_in_a.copy()
    moved[:3, 3] += step
    # Off a triangle of a mesh, it may well be in others.
    model = a.shape.model if a.shape.solid else Model(_corners(a, [face])[0], [[0, 1, 2]])
    touch = Pair(model, b.shape.model).nearest(moved)
    return (touch.on_a, touch.on_b - step), int(touch.triangles[0]) if a.shape.solid else face

"""Halfspaces and planes: all points x with n · x <= d, or n · x = d.

A body beside one is taken into its frame, and each vertex rounded once there, as everywhere. Signs of n · x - d
are then those of rational arithmetic: of the vertices whose sign a bound on rounding leaves open.
"""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from . import _rational
from ._bodies import Contact, Distance, Placed, at, relative, told, unit
from ._errors import ArgumentError, PoseError
from ._impinge import posed

#: The rounding of a height, in shares of its terms, and where products underflow: 10 u are proved below.
_ERROR, _TINY = 16 * 2.0**-53, 2.0**-1070

#: Numbers beyond this are refused, as everywhere.
_MOST = 1e300


class Flat:
    """A halfspace or a plane. `n` and `d` are as they were given; `normal` and `height` are them divided by the
    length of `n`, each of these numbers off by at most 6 u of itself.
    """

    radius, round, point, flat, curved, solid = 0.0, False, False, True, False, True
    rigid = "a halfspace or a plane"

    def __init__(self, n: np.ndarray, d: float, plane: bool) -> None:
        self.n, self.d, self.plane = n, d, plane
        most = np.abs(n).max()
        if not 0.0 < most < np.inf:
            raise _refused(f"the normal is {n.tolist()}; it must be finite and not zero", n)
        self.normal = unit(n, n) + 0.0
        with np.errstate(over="ignore"):
            # Divided twice: squares of the largest and smallest numbers are out of range.
            self.height = float(d / most / np.linalg.norm(n / most))
        if not abs(self.height) <= _MOST:
            raise _refused(f"the offset {d} is beyond {_MOST} lengths of the normal", d)
        self.exact = [Fraction(x) for x in n.tolist()], Fraction(d)

    def box(self, pose: np.ndarray) -> np.ndarray:
        """(2, 3): a box around it in the world, without an end where it has none."""
        low, high = np.full(3, -np.inf), np.full(3, np.inf)
        turned = pose[:3, :3] * self.n
        if np.count_nonzero(turned) == 1:
            k, axis = np.argwhere(turned)[0].tolist()
            up = np.sign(turned[k, axis])
            at = up * self.height + pose[k, 3]
            room = 1e-12 * (abs(self.height) + abs(pose[k, 3]) + 1e-300)
            if self.plane or up > 0:
                high[k] = at + room
            if self.plane or up < 0:
                low[k] = at - room
        return np.stack([low, high])


def _refused(message: str, value: Any) -> ArgumentError:
    error = ArgumentError(message)
    error.value = value
    return error


def collides(a: Placed, b: Placed) -> bool:
    """Whether two bodies, of which one is flat, share a point."""
    if a.shape.flat and b.shape.flat:
        gap = _between(a, b)[0]
        return gap is None or gap <= 0
    return Beside(*_ordered(a, b)[:2]).meets()


def distance(a: Placed, b: Placed) -> Distance:
    """The distance of two bodies that do not collide."""
    if a.shape.flat and b.shape.flat:
        return _distance_of_two(a, b)
    flat, body, swapped = _ordered(a, b)
    beside = Beside(flat, body)
    sides, n = beside.sides(), flat.shape.normal
    far = np.abs(beside.heights)
    k = int(far.argmin())
    core = _middle(beside.points, far <= far[k] + 1e-9 * np.ptp(far)) if beside.whole else beside.points[k]
    foot = core - sides[k] * far[k] * n
    # They are apart, by exact arithmetic: a distance that rounding takes away is the least that can be told.
    least = max(float(far[k] - beside.radius), 5e-324)
    face = -1 if beside.whole else int((beside.faces == k).any(axis=1).argmax())
    return told(least, (-1, face), at(flat, foot, core - sides[k] * beside.radius * n), swapped)


def overlap(a: Placed, b: Placed) -> Distance:
    """The negative depth of two bodies that collide, and a point of each that is as deep in the other."""
    if a.shape.flat and b.shape.flat:
        one = _contact_of_two(a, b)
        parted = one.penetration_depth < sys.float_info.max
        half = 0.5 * one.penetration_depth * one.normal if parted else np.zeros(3)
        return Distance(0.0 - one.penetration_depth, points=(one.pos + half, one.pos - half))
    flat, body, swapped = _ordered(a, b)
    beside = Beside(flat, body)
    depths, ways, deepest = beside.deepest(beside.heights[None], beside.points[None])
    n = flat.shape.normal
    if not beside.whole:
        # The middle of several vertices need not be on the surface.
        deepest = beside.points[[(ways[0] * beside.heights).argmin()]]
    points = at(flat, deepest[0] + depths[0] * ways[0] * n, deepest[0])
    return told(0.0 - float(depths[0]), (-1, -1), points, swapped)


def contacts(a: Placed, b: Placed) -> List[Contact]:
    """The contacts of two bodies that collide: one, of a surface one of each triangle that the flat body meets,
    the deepest first."""
    if a.shape.flat and b.shape.flat:
        return [_contact_of_two(a, b)]
    flat, body, swapped = _ordered(a, b)
    beside, n, plane = Beside(flat, body), flat.shape.normal, flat.shape.plane
    heights, points = beside.heights[None], beside.points[None]
    faces: Any = [-1]
    if not beside.whole:
        faces = np.flatnonzero(beside.triangles())
        heights, points = heights[0][beside.faces[faces]], points[0][beside.faces[faces]]
    depths, ways, deepest = beside.deepest(heights, points)
    places = deepest + ((1.0 if plane else 0.5) * depths * ways)[:, None] * n
    if plane and not beside.whole:
        places = _crossed(heights, points, places)
    out, turn = [], flat.pose[:3, :3] @ n
    for k in np.argsort(-depths, kind="stable").tolist():
        normal = (-ways[k] if swapped else ways[k]) * turn + 0.0
        b1, b2 = (-1, int(faces[k]))[:: -1 if swapped else 1]
        out.append(Contact(b1, b2, normal, at(flat, places[k])[0], float(depths[k])))
    return out


class Beside:
    """A body in the frame of a flat one: its points, and their heights over the plane.

    The heights are rounded: each component of the normal is off by at most 6 u of itself, a product by one more,
    and three sums by one each.
    """

    def __init__(self, flat: Placed, body: Placed) -> None:
        self.flat, self.radius = flat.shape, body.shape.radius
        # A convex or a round body is one, a surface the triangles that it has.
        self.whole = body.shape.solid or body.shape.round
        self.pose = relative(flat, body)
        if body.shape.curved:
            # The lowest and the highest point.
            down = self.pose[:3, :3].T @ self.flat.normal
            points, self.faces = body.shape.body.ends(down.tolist()), np.array([[0, 1, 1]])
        else:
            points, self.faces = body.shape.corners
        self.points = posed(self.pose, points)
        if not np.abs(self.points).max() <= _MOST:
            raise PoseError(f"a vertex beside a halfspace or a plane is beyond {_MOST}")
        x, y, z = (self.points * self.flat.normal).T
        self.heights = ((x + y) + z) - self.flat.height
        terms = np.abs(x) + np.abs(y) + np.abs(z) + abs(self.flat.height) + self.radius
        self.bounds = _ERROR * terms + _TINY * (np.abs(self.points).sum(axis=1) + 1.0)
        self.curved = body.shape if body.shape.curved else None
        if self.curved:
            # Others are lower or higher by 24 u of the largest size, and 18 u for the direction.
            self.bounds += 8 * _ERROR * max(self.curved.sizes)

    def _exactly(self, k: int) -> int:
        """-1 if all within the radius of point k is under the plane, 1 if it is over it, else 0."""
        n, d = self.flat.exact
        if self.curved:
            return _rational.side(self.curved, n, d, self.pose[:3, :3], self.pose[:3, 3], 1 if k else -1)
        height = sum((a * Fraction(x) for a, x in zip(n, self.points[k].tolist()) if a), -d)
        if self.radius == 0.0:
            return (height > 0) - (height < 0)
        if height * height <= Fraction(self.radius) ** 2 * sum(a * a for a in n):
            return 0
        return 1 if height > 0 else -1

    def sides(self, enough: Optional[Callable[[Any], Any]] = None) -> np.ndarray:
        """(n,): of each point, as `_exactly`. enough: a function of a side that makes the others unimportant; they
        may then be wrong."""
        sides = np.sign(self.heights).astype(int)
        sides[np.abs(self.heights) < self.radius] = 0
        undecided = np.abs(np.abs(self.heights) - self.radius) <= self.bounds
        if enough is not None and any(enough(side) and (sides[~undecided] == side).any() for side in (-1, 0)):
            return sides
        for k in np.flatnonzero(undecided).tolist():
            sides[k] = self._exactly(k)
            if enough is not None and enough(sides[k]):
                break
        return sides

    def triangles(self, enough: Optional[Callable[[Any], Any]] = None) -> np.ndarray:
        """(m,): which triangles share a point with the flat body. enough: as of `sides`."""
        sides = self.sides(enough)[self.faces]
        low, high = sides.min(axis=1), sides.max(axis=1)
        return (low <= 0) & (high >= 0) if self.flat.plane else low <= 0

    def meets(self) -> bool:
        """Whether they share a point."""
        return bool(self.triangles((lambda side: side == 0) if self.flat.plane else (lambda side: side <= 0)).any())

    def deepest(self, heights: np.ndarray, points: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of k bodies of n points (k, n, 3) at these heights (k, n): by how much each has to be moved to leave
        the flat body, whether up or down (1 or -1), and the middle of the points that are deepest then."""
        low, high = heights.min(axis=1), heights.max(axis=1)
        ways = np.where(-low < high, 1.0, -1.0) if self.flat.plane else np.ones(len(low))
        depths = np.maximum(np.where(ways > 0, -low, high) + self.radius, 0.0)
        over = np.where(ways > 0, heights.T - low, high - heights.T).T
        middles = np.stack([_middle(*both) for both in zip(points, over <= 1e-9 * (high - low)[:, None])])
        return depths, ways, middles - (ways * self.radius)[:, None] * self.flat.normal


def _middle(points: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The mean of some points."""
    return (points[chosen] / np.count_nonzero(chosen)).sum(axis=0)


def _crossed(heights: np.ndarray, points: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(k, 3): the middles of the segments in which a plane crosses triangles (k, 3, 3); where it touches
    one only, its given place."""
    others, ends = np.roll(heights, -1, axis=1), np.roll(points, -1, axis=1)
    crossing = (heights < 0) != (others < 0)
    along = np.divide(heights, heights - others, out=np.zeros_like(heights), where=crossing)[..., None]
    found = np.where(crossing[..., None], points * (1.0 - along) + ends * along, 0.0)
    count = crossing.sum(axis=1)[:, None]
    return np.where(count > 0, found.sum(axis=1) / np.maximum(count, 1), places)


def _ordered(a: Placed, b: Placed) -> Tuple[Placed, Placed, bool]:
    """Both bodies, the flat one first, and whether they have been exchanged."""
    return (a, b, False) if a.shape.flat else (b, a, True)


def _between(a: Placed, b: Placed) -> Tuple[Any, bool, Any]:
    """Of two flat bodies: the gap between them, negative if they overlap, infinitely if no way parts them, `None`
    if their planes cross; whether b is to leave a upwards; and the heights of both planes. Rational numbers
    along a's n, divided by its largest component.
    """
    (n, d), (m, e) = a.shape.exact, b.shape.exact
    if np.array_equal(a.pose[:3, :3], b.pose[:3, :3]):
        # Turned alike, whatever the rounding of rotations.
        t = a.pose[:3, :3].T @ (b.pose[:3, 3] - a.pose[:3, 3])
    else:
        t = (b_in_a := relative(a, b))[:3, 3]
        m = [sum(Fraction(r) * x for r, x in zip(row, m)) for row in b_in_a[:3, :3].tolist()]
    if any(n[i] * m[j] != n[j] * m[i] for i, j in ((0, 1), (1, 2), (2, 0))):
        return None, True, None
    along = sum(x * y for x, y in zip(n, m)) / sum(x * x for x in n)
    most = max(map(abs, n))
    d, e = d / most, (e + sum(x * Fraction(y) for x, y in zip(m, t.tolist()))) / along / most
    # From where to where they reach along n.
    low_a = d if a.shape.plane else -np.inf
    low_b, high_b = (e, e) if b.shape.plane else (-np.inf, e) if along > 0 else (e, np.inf)
    up, down = low_b - d, low_a - high_b
    return max(up, down), up >= down, (d, e)


def _length(share: Any, shape: Flat) -> float:
    """A length along n in the unit of the meshes, of one in shares of its largest component."""
    return float(share) / float(np.linalg.norm(shape.n / np.abs(shape.n).max()))


def _distance_of_two(a: Placed, b: Placed) -> Distance:
    """The distance of two flat bodies that do not collide."""
    gap, _, heights = _between(a, b)
    points = at(a, *(a.shape.normal * _length(height, a.shape) for height in heights))
    return Distance(max(_length(gap, a.shape), 5e-324), points=points)


def _contact_of_two(a: Placed, b: Placed) -> Contact:
    """The contact of two flat bodies that collide, at a point of both; no way parts those whose planes cross."""
    gap, up, heights = _between(a, b)
    normal, n = a.pose[:3, :3] @ (a.shape.normal if up else -a.shape.normal) + 0.0, a.shape.normal
    if heights is None:
        b_in_a = relative(a, b)
        m = b_in_a[:3, :3] @ b.shape.normal
        point = np.linalg.lstsq(np.stack([n, m]), [a.shape.height, b.shape.height + m @ b_in_a[:3, 3]], rcond=None)[0]
    else:
        d, e = heights
        under = not a.shape.plane and (b.shape.plane or e < d)
        point = n * _length(e if under else d, a.shape)
    depth = sys.float_info.max if gap is None or gap == -np.inf else _length(-gap, a.shape)
    return Contact(-1, -1, normal, at(a, point)[0], depth)

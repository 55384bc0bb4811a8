"""Cylinders, cones and ellipsoids beside meshes, round bodies and each other.

Everything is in the frame of the first such body. Whether bodies meet is proved in 64 bits, or told by rational
arithmetic where rounding hides it. Where that has no answer either, an `UndecidedError` says so.
"""

from __future__ import annotations

from typing import Any, List, Sequence, Tuple

import numpy as np

from . import _rational
from ._bodies import UP, Contact, Distance, Placed, at, relative, told, unit
from ._errors import UndecidedError
from ._impinge import Curved as Solid
from ._impinge import posed

#: How many steps along a way are taken.
_STEPS = 20_000

#: A share of a way within which bodies that are nearly touching are to collide.
_SOON = 1e-5


class Curved:
    """A cylinder or a cone of a radius and half of a height, or an ellipsoid of half of its lengths."""

    radius, round, point, flat, curved, solid = 0.0, False, False, False, True, True
    rigid = "a cylinder, a cone or an ellipsoid"

    def __init__(self, kind: str, sizes: Sequence[float]) -> None:
        self.kind, self.sizes, self.body = kind, list(sizes), Solid(kind, sizes)

    def box(self, pose: np.ndarray) -> np.ndarray:
        """(2, 3): a box around it in the world, a little larger than the least one."""
        ends = np.stack([self.body.ends(row.tolist()) for row in pose[:3, :3]])
        reach = np.einsum("ij,ikj->ki", pose[:3, :3], ends)
        room = 1e-12 * (max(self.sizes) + np.abs(pose[:3, 3]).max() + 1e-300)
        return reach + pose[:3, 3] + [[-room], [room]]


def collides(a: Placed, b: Placed) -> bool:
    """Whether two bodies, of which one is curved, share a point or one is inside the other."""
    a, b, _ = _ordered(a, b)
    other = _Other(a, b)
    if b.shape.curved:
        state = other.state()
        return state > 0 if state else _known(_rational.upright(a.shape, b.shape, other.pose))
    if b.shape.round and b.shape.radius > 0:
        lower, most = other.near()[:2]
        if lower > b.shape.radius:
            return False
        if most <= b.shape.radius or other.state() > 0:
            return True
        return _known(_rational.ball(a.shape, b.shape, other.points))
    if b.shape.solid and (state := other.state()):
        return state > 0
    # A solid of which rounding hides it is not around the other, nor inside it: their surfaces meet.
    meets, hidden = a.shape.body.meets(other.points, other.faces)
    return meets or any(_rational.meets(a.shape, other.points[other.faces[k]]) for k in hidden)


def _known(answer: Any) -> bool:
    """An answer, if there is one."""
    if answer is None:
        raise UndecidedError("they touch, or are apart by no more than rounding")
    return bool(answer)


class _Other:
    """A body in the frame of a curved one."""

    def __init__(self, a: Placed, b: Placed) -> None:
        self.solid, self.shape, self.pose = a.shape.body, b.shape, relative(a, b)
        # A solid as one or a core, otherwise triangles.
        self.whole = b.shape.curved or b.shape.round or b.shape.solid
        self.faces: Any = None
        if b.shape.curved:
            self.asked: Tuple[Any, ...] = (b.shape.body, self.pose)
        else:
            corners, self.faces = b.shape.corners
            self.points = posed(self.pose, corners)
            self.asked = (self.points,)

    def state(self) -> int:
        """1 if they are proved to share a point, -1 if not to, else 0; of a round body its core."""
        return self.solid.state(*self.asked)

    def near(self) -> Tuple[float, float, np.ndarray, np.ndarray]:
        """Bounds on the distance, of a core if there is one, and the nearest points."""
        return self.solid.near(*self.asked)

    def gap(self) -> float:
        """A lower bound on the distance, not below 0."""
        if self.whole:
            return max(self.near()[0] - self.shape.radius, 0.0)
        return self.solid.nearest(self.points, self.faces)[1]

    def depth(self) -> Tuple[float, np.ndarray, np.ndarray, np.ndarray, int]:
        """How far the other has to go until they touch, in which direction, the deepest points of both, and
        the triangle, or -1."""
        if not self.whole:
            found = self.solid.deepest(self.points, self.faces)
            if found is not None:
                return (*found[1][1:], found[0])
            # They touch, by rational arithmetic.
            face, _, _, on_a, on_b = self.solid.nearest(self.points, self.faces)
            return 0.0, unit(on_a, UP), on_a, on_b, face
        radius = self.shape.radius
        if radius > 0 and self.state() < 0:
            _, _, on_a, on_b = self.near()
            gap = float(np.linalg.norm(on_b - on_a))
            if gap > 0:
                way = (on_b - on_a) / gap
                return radius - gap, way, on_a, on_b - radius * way, -1
        _, depth, way, on_a, on_b = self.solid.depth(*self.asked)
        return depth + radius, way, on_a, on_b - radius * way, -1


def distance(a: Placed, b: Placed) -> Distance:
    """The distance of two bodies that do not collide."""
    a, b, swapped = _ordered(a, b)
    other, face = _Other(a, b), -1
    if other.whole:
        lower, _, on_a, on_b = other.near()
    else:
        face, lower, _, on_a, on_b = other.solid.nearest(other.points, other.faces)
    way = on_b - on_a
    # The points of a thin simplex may be off by more than the bound.
    gap = max(float(np.linalg.norm(way)), lower)
    radius = b.shape.radius
    # They are apart, by proof: a distance that rounding takes away is the least that can be told.
    least = max(gap - radius, float(np.spacing(max(radius, np.abs(on_a).max()))))
    if radius > 0 and gap > 0:
        on_b = on_b - radius * unit(way, UP)
    return told(least, (-1, face), at(a, on_a, on_b), swapped)


def overlap(a: Placed, b: Placed) -> Distance:
    """The negative depth of two bodies that collide, and a point of each that is as deep in the other."""
    a, b, swapped = _ordered(a, b)
    depth, _, on_a, on_b, _ = _Other(a, b).depth()
    return told(0.0 - max(depth, 0.0), (-1, -1), at(a, on_a, on_b), swapped)


def contacts(a: Placed, b: Placed) -> List[Contact]:
    """The contact of two bodies that collide: the middle of the points that are deepest."""
    a, b, swapped = _ordered(a, b)
    depth, way, on_a, on_b, face = _Other(a, b).depth()
    normal = a.pose[:3, :3] @ (-way if swapped else way) + 0.0
    b1, b2 = (-1, face)[:: -1 if swapped else 1]
    return [Contact(b1, b2, normal, at(a, on_a + 0.5 * (on_b - on_a))[0], max(float(depth), 0.0))]


def first_touch(a: Placed, b: Placed, ends: Sequence[Placed]) -> Tuple[str, float, float]:
    """"touching", "free" or "undecided", and between which times: of bodies on their ways to other poses.

    By steps that are too short for a collision: a bound on the distance by the most that a point can move (conservative
    advancement). Where they are nearly touching, a longer one tells whether they collide soon; if they do not
    within many steps, or leave no room for one, they graze each other.
    """
    ways = [_Way(*both) for both in zip((a, b), ends)]
    speed = float(np.linalg.norm(ways[1].along - ways[0].along)) + sum(way.angle * way.reach for way in ways)
    time = 0.0
    for _ in range(_STEPS):
        here = [way.at(time) for way in ways]
        if collides(*here):
            return "touching", time, time
        if time >= 1.0 or speed == 0.0:
            return "free", 1.0, 1.0
        # A little less, for the rounding of poses.
        step = max(_Other(*_ordered(*here)[:2]).gap() - 1e-12 * sum(way.size for way in ways), 0.0) / speed
        later = min(time + _SOON, 1.0)
        if step < _SOON and collides(*(way.at(later) for way in ways)):
            return "touching", time, later
        if step < 1e-4 * _SOON:
            return "undecided", time, later
        time = min(time + step, 1.0)
    return "undecided", time, 1.0


class _Way:
    """The way of a body: its origin runs straight, and it turns about it, the shorter way."""

    def __init__(self, start: Placed, end: Placed) -> None:
        self.start, self.end = start, end
        self.along = end.pose[:3, 3] - start.pose[:3, 3]
        turn = start.pose[:3, :3].T @ end.pose[:3, :3]
        axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        self.angle = float(np.arctan2(np.linalg.norm(axis), np.trace(turn) - 1.0))
        # The axis of a half turn is in the symmetric part alone.
        halves = turn + np.eye(3) if self.angle > 3.0 else np.zeros((3, 3))
        column = halves[:, int(np.argmax(np.diag(halves)))]
        self.axis = unit(column * (-1.0 if column @ axis < 0 else 1.0) if column.any() else axis, UP)
        corners = np.array([start.shape.sizes]) if start.shape.curved else start.shape.corners[0]
        # From the origin, and of coordinates.
        self.reach = float(np.linalg.norm(corners, axis=1).max()) + start.shape.radius
        self.size = self.reach + float(max(np.abs(one.pose[:3, 3]).max() for one in (start, end)))

    def at(self, time: float) -> Placed:
        """The body at a time from 0 to 1."""
        if time in (0.0, 1.0):
            return self.end if time else self.start
        x, y, z = self.axis
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        angle = time * self.angle
        turn = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * cross @ cross
        pose = np.eye(4)
        pose[:3, :3] = self.start.pose[:3, :3] @ turn
        pose[:3, 3] = self.start.pose[:3, 3] + time * self.along
        return Placed(None, self.start.source, pose)


def _ordered(a: Placed, b: Placed) -> Tuple[Placed, Placed, bool]:
    """Both bodies, a curved one first, and whether they have been exchanged."""
    return (a, b, False) if a.shape.curved else (b, a, True)

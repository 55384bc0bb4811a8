"""Cylinders, cones and ellipsoids by rational arithmetic, where rounding hides whether they meet something."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, List, Optional, Sequence

import numpy as np

if TYPE_CHECKING:
    from ._bodies import Shape
    from ._curved import Curved

#: Coordinates, exactly.
_Point = List[Fraction]


def _exactly(rows: Any) -> List[_Point]:
    return [[Fraction(x) for x in row] for row in np.asarray(rows, dtype=float).tolist()]


def _dot(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(p, q)), Fraction(0))


def _minus(p: _Point, q: _Point) -> _Point:
    return [x - y for x, y in zip(p, q)]


def meets(body: Curved, corners: np.ndarray) -> bool:
    """Whether a body shares a point with a triangle (3, 3) in its frame, exactly."""
    points, sizes = _exactly(corners), [Fraction(size) for size in body.sizes]
    if body.kind == "ellipsoid":
        return _squared([[x / r for x, r in zip(point, sizes)] for point in points]) <= 1
    radius, half = sizes
    for sign in (1, -1):
        points = _clipped(points, sign, half)
    if not points:
        return False
    if body.kind == "cylinder":
        return _squared([point[:2] for point in points]) <= radius**2
    # In units in which the cone is x² + y² <= s², with 0 <= s <= 1.
    return _in_cone([[x / radius, y / radius, (half - z) / (2 * half)] for x, y, z in points])


def _clipped(points: List[_Point], sign: int, half: Fraction) -> List[_Point]:
    """The part of a convex polygon with `sign * z <= half`: its corners, in order."""
    out: List[_Point] = []
    for k, (p, q) in enumerate(zip(points, points[1:] + points[:1])):
        over, next_over = sign * p[2] - half, sign * q[2] - half
        if over <= 0:
            out.append(p)
        if over * next_over < 0:
            t = over / (over - next_over)
            out.append([x + t * (y - x) for x, y in zip(p, q)])
    return out


def _squared(points: List[_Point]) -> Fraction:
    """The square of the distance of the origin from a convex polygon, in two or three dimensions."""
    sides = list(zip(points, points[1:] + points[:1]))
    nearest = min(_squared_of_side(p, q) for p, q in sides)
    first = points[0]
    spans = [_minus(p, first) for p in points[1:]]
    for u, v in zip(spans, spans[1:]):
        # The foot of the origin on the triangle of the first corner and a side.
        uu, uv, vv, pu, pv = _dot(u, u), _dot(u, v), _dot(v, v), _dot(first, u), _dot(first, v)
        area = uu * vv - uv * uv
        if area == 0:
            continue
        s, t = (uv * pv - vv * pu) / area, (uv * pu - uu * pv) / area
        if s >= 0 and t >= 0 and s + t <= 1:
            foot = [p + s * x + t * y for p, x, y in zip(first, u, v)]
            nearest = min(nearest, _dot(foot, foot))
    return nearest


def _squared_of_side(p: _Point, q: _Point) -> Fraction:
    along = _minus(q, p)
    length = _dot(along, along)
    t = min(max(-_dot(p, along) / length, Fraction(0)), Fraction(1)) if length else Fraction(0)
    foot = [x + t * d for x, d in zip(p, along)]
    return _dot(foot, foot)


def _in_cone(points: List[_Point]) -> bool:
    """Whether a convex polygon with s >= 0 has a point with x² + y² <= s².

    If it has, a corner has one; or a side, where the difference of both, a square in its parameter, has a minimum;
    or the cone's section is inside the polygon, so it has an end everywhere, and has a point of the axis.
    """
    value = lambda p, q: p[0] * q[0] + p[1] * q[1] - p[2] * q[2]  # noqa: E731
    sides = list(zip(points, points[1:] + points[:1]))
    if any(value(p, p) <= 0 for p in points):
        return True
    for p, q in sides:
        along = _minus(q, p)
        a, b = value(along, along), value(p, along)
        if a > 0 and 0 < -b < a and value(p, p) * a <= b * b:
            return True
    # The axis: whether the origin is in the polygon, seen along it.
    turns = [p[0] * q[1] - p[1] * q[0] for p, q in sides]
    return any(turns) and (min(turns) >= 0 or max(turns) <= 0)


def ball(body: Curved, other: Shape, core: np.ndarray) -> Optional[bool]:
    """Whether a body meets all points within a radius of the points of a core, exactly; `None` if that is not
    known: only of a cylinder and a point it is.
    """
    if body.kind != "cylinder" or not other.point:
        return None
    (x, y, z), radius = _exactly(core[:1])[0], Fraction(other.radius)
    own, half = (Fraction(size) for size in body.sizes)
    out, over = x * x + y * y, abs(z) - half
    if over <= 0:
        return out <= (own + radius) ** 2
    if out <= own**2:
        return over <= radius
    # (√out - own)² + over² <= radius²
    left = out + own**2 + over**2 - radius**2
    return left <= 0 or left**2 <= 4 * own**2 * out


def upright(a: Curved, b: Curved, pose: np.ndarray) -> Optional[bool]:
    """Whether two cylinders or cones with parallel axes meet, exactly; `None` of other bodies. pose: b's in a's
    frame.
    """
    turn, up = pose[:3, :3], pose[2, 2]
    parallel = abs(up) == 1.0 and not (turn[:2, 2].any() or turn[2, :2].any())
    if not parallel or "ellipsoid" in (a.kind, b.kind):
        return None
    x, y, z = _exactly([pose[:3, 3]])[0]
    ends = [_ends(a, Fraction(0), 1), _ends(b, z, int(up))]
    low, high = max(end[0][0] for end in ends), min(end[1][0] for end in ends)
    if low > high:
        return False
    # The sum of both radii is linear along the axis.
    reach = max(sum((_radius(end, at) for end in ends), Fraction(0)) for at in (low, high))
    return x * x + y * y <= reach**2


def _ends(body: Curved, middle: Fraction, up: int) -> Any:
    """The lower and the upper end of a body: heights and radii."""
    radius, half = (Fraction(size) for size in body.sizes)
    top = radius if body.kind == "cylinder" else Fraction(0)
    ends = [(middle - half, radius), (middle + half, top)]
    return ends if up > 0 else [(middle - half, top), (middle + half, radius)]


def _radius(ends: Any, at: Fraction) -> Fraction:
    """The radius at a height."""
    (low, r), (high, s) = ends
    return r + (s - r) * (at - low) / (high - low)


def side(body: Curved, n: Sequence[Fraction], d: Fraction, turn: np.ndarray, place: np.ndarray, way: int) -> int:
    """Of the point of a body at a pose that is farthest along `way * n`: -1 if n · x < d, 1 if n · x > d, else 0."""
    m = [way * sum((Fraction(r) * c for r, c in zip(column, n)), Fraction(0)) for column in turn.T.tolist()]
    # In the direction of `way`, how far the middle is over the plane.
    middle = way * (sum((c * Fraction(t) for c, t in zip(n, place.tolist())), Fraction(0)) - d)
    sizes = [Fraction(size) for size in body.sizes]
    if body.kind == "ellipsoid":
        sums = [(Fraction(0), sum((r * r * c * c for r, c in zip(sizes, m)), Fraction(0)))]
    else:
        radius, half = sizes
        across = radius**2 * (m[0] ** 2 + m[1] ** 2)
        sums = [(abs(m[2]) * half, across)] if body.kind == "cylinder" else [(m[2] * half, Fraction(0)), (-m[2] * half, across)]
    return way * max(_sign_with_root(middle + level, square) for level, square in sums)


def _sign_with_root(value: Fraction, square: Fraction) -> int:
    """The sign of `value + √square`."""
    if value >= 0:
        return 1 if value > 0 or square > 0 else 0
    return (square > value**2) - (square < value**2)

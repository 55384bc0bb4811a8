"""Answers of several parts, as named tuples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Tuple, Union

import numpy as np

if TYPE_CHECKING:
    from ._impinge import Model, Pair


class Contacts(NamedTuple):
    """Pairs of triangles that meet, and where: in A's frame, of a world in the world's.

    triangles: (k, 2) uint32, A's triangle and B's, ascending. Of a batch of poses (k, 3): the index of the pose
    first. Of a world (k, 4) int64: ids of both objects first.
    normals: (k, 3), unit normals of A's triangles, outward by their winding. Of a world from the first object
    towards the second: of one of the two triangles.
    points: (p, 3), the corners of what each pair has in common: one of a point, two of a segment, three to
    six of a polygon.
    offsets: (k + 1,) int64, pair `i` has the corners `points[offsets[i]:offsets[i + 1]]`.
    """

    triangles: np.ndarray
    normals: np.ndarray
    points: np.ndarray
    offsets: np.ndarray


class Nearest(NamedTuple):
    """The least distance and where it is attained; arrays have one more dimension for a batch.

    distance: float, or (n,): 0 if and only if the surfaces meet.
    on_a: (3,) or (n, 3), a point of A, in A's frame.
    on_b: (3,) or (n, 3), a point of posed B, in A's frame.
    triangles: (2,) or (n, 2) uint32, the triangles that have these points.
    """

    distance: Any
    on_a: np.ndarray
    on_b: np.ndarray
    triangles: np.ndarray


class Penetration(NamedTuple):
    """How deep two models are in each other; arrays have one more dimension for a batch.

    lower: float, or (n,): no shorter translation parts them.
    upper: float, or (n,): the length of `translation`.
    translation: (3,) or (n, 3), B moved by it is apart from A, by the exact test. In A's frame.
    """

    lower: Any
    upper: Any
    translation: np.ndarray


class Exit(NamedTuple):
    """The way out along a direction; arrays have one more dimension for a batch.

    by: float, or (n,): the multiple of the direction after which B is apart from A, by the exact test.
    low, high: float, or (n,): bounds of the multiple at which B ceases to meet A.
    pose: (4, 4) or (n, 4, 4), the pose there.
    triangles: those of A and of B that meet last, or `None`. Of a batch (n, 2) int64; else -1.
    """

    by: Any
    low: Any
    high: Any
    pose: np.ndarray
    triangles: Union[Tuple[int, int], np.ndarray, None]


class Swept(NamedTuple):
    """What happens on the way from one pose to another, at times from 0 to 1; arrays for a batch.

    outcome: "touching", "free" or "undecided"; or (n,) of them.
    low: float, or (n,): at every earlier time they are apart.
    high: float, or (n,). "touching": at this time they touch. "undecided": at every later time they are apart.
    distance: float, or (n,): at `high`; if they do not touch, the least that was found.
    triangles: those of A and of B that touch, or are nearest, at `high`; else `None`. Of a batch (n, 2) int64;
    else -1.
    pose: (4, 4), that at `high` if they touch, else `None`. Of a batch (n, 4, 4); else NaN.
    """

    outcome: Any
    low: Any
    high: Any
    distance: Any
    triangles: Union[Tuple[int, int], np.ndarray, None]
    pose: Optional[np.ndarray]


class Near(NamedTuple):
    """Pairs of objects of a world that are near each other.

    pairs: (k, 2) int64, ids, ascending.
    nearest: their distances (k,), with points (k, 3) in the world's frame.
    """

    pairs: np.ndarray
    nearest: Nearest


class OnTheWay(NamedTuple):
    """Pairs of objects of a world that touch on their way, or of which it is not known.

    pairs: (k, 2) int64, ids, ascending.
    swept: what happens to each, never "free": arrays (k, ...), with poses of the second object in the first
    one's frame.
    """

    pairs: np.ndarray
    swept: Swept


class Clash(NamedTuple):
    """How two objects of a world clash.

    a, b: ids, the lower one first.
    how: "touches", "pierces", "inside", "duplicate", "too-near" or "uncertain".
    inner: the id of the object inside the other, of "inside"; else `None`.
    distance: 0 if the surfaces meet.
    contacts: the number of pairs of triangles that meet; `None` if only classes were asked for.
    extent: (2, 3), least and largest corner of a box around what is common, in the world's frame, or `None`.
    nearest: (2, 3) of "too-near", a point of `a` and a point of `b` in the world's frame; else `None`.
    """

    a: int
    b: int
    how: str
    inner: Optional[int]
    distance: float
    contacts: Optional[int]
    extent: Optional[np.ndarray]
    nearest: Optional[np.ndarray]


def pair_of(a: Model, b: Model, method: str) -> Pair:
    """A pickled pair."""
    from ._impinge import Pair

    return Pair(a, b, method=method)

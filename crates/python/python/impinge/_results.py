"""Answers of several parts, as named tuples."""

from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np


class Contacts(NamedTuple):
    """Pairs of triangles that meet, and where: in A's frame, of a world in the world's."""

    #: (k, 2) uint32: A's triangle and B's, ascending. Of a world (k, 4) int64: ids of both objects
    #: first.
    triangles: np.ndarray
    #: (k, 3): unit normals of A's triangles, outward by their winding. Of a world from the first object
    #: towards the second: of one of the two triangles.
    normals: np.ndarray
    #: (p, 3): the corners of what each pair has in common: one of a point, two of a segment, three to
    #: six of a polygon.
    points: np.ndarray
    #: (k + 1,) int64: pair i has the corners `points[offsets[i]:offsets[i + 1]]`.
    offsets: np.ndarray


class Nearest(NamedTuple):
    """The least distance and where it is attained; arrays have one more dimension for a batch."""

    #: float, or (n,): 0 if and only if the surfaces meet.
    distance: Any
    #: (3,) or (n, 3): a point of A, in A's frame.
    on_a: np.ndarray
    #: (3,) or (n, 3): a point of posed B, in A's frame.
    on_b: np.ndarray
    #: (2,) or (n, 2) uint32: the triangles that have these points.
    triangles: np.ndarray


class Penetration(NamedTuple):
    """How deep two models are in each other; arrays have one more dimension for a batch."""

    #: float, or (n,): no shorter translation parts them.
    lower: Any
    #: float, or (n,): the length of `translation`.
    upper: Any
    #: (3,) or (n, 3): B moved by it is apart from A, by the exact test. In A's frame.
    translation: np.ndarray


class Exit(NamedTuple):
    """The way out along a direction."""

    #: The multiple of the direction after which B is apart from A, by the exact test.
    by: float
    #: Bounds of the multiple at which B ceases to meet A.
    low: float
    high: float
    #: (4, 4): the pose there.
    pose: np.ndarray
    #: Triangles of A and of B that meet last, or `None`.
    triangles: Optional[Tuple[int, int]]


class Swept(NamedTuple):
    """What happens on the way from one pose to another, at times from 0 to 1; arrays for a batch."""

    #: "touching", "free" or "undecided"; or (n,) of them.
    outcome: Any
    #: float, or (n,): at every earlier time they are apart.
    low: Any
    #: float, or (n,). "touching": at this time they touch. "undecided": at every later time they are apart.
    high: Any
    #: float, or (n,): their distance at `high`; if they do not touch, the least that was found.
    distance: Any
    #: Triangles of A and of B that touch, or are nearest, at `high`; else `None`. Of a batch (n, 2) int64;
    #: else -1.
    triangles: Union[Tuple[int, int], np.ndarray, None]
    #: (4, 4): the pose at `high` if they touch, else `None`. Of a batch (n, 4, 4); else NaN.
    pose: Optional[np.ndarray]


class Near(NamedTuple):
    """Pairs of objects of a world that are near each other."""

    #: (k, 2) int64: ids, ascending.
    pairs: np.ndarray
    #: Their distances, with points in the world's frame.
    nearest: Nearest


class OnTheWay(NamedTuple):
    """Pairs of objects of a world that touch on their way, or of which it is not known."""

    #: (k, 2) int64: ids, ascending.
    pairs: np.ndarray
    #: What happens to each, never "free": arrays, with poses of the second object in the first one's frame.
    swept: Swept


class Clash(NamedTuple):
    """How two objects of a world clash."""

    #: Ids, the lower one first.
    a: int
    b: int
    #: "touches", "pierces", "inside", "duplicate", "too-near" or "uncertain".
    how: str
    #: The id of the object inside the other, of "inside"; else `None`.
    inner: Optional[int]
    #: 0 if the surfaces meet.
    distance: float
    #: The number of pairs of triangles that meet; `None` if only classes were asked for.
    contacts: Optional[int]
    #: (2, 3): least and largest corner of a box around what is common, in the world's frame, or `None`.
    extent: Optional[np.ndarray]
    #: (2, 3) of "too-near": a point of `a` and a point of `b` in the world's frame; else `None`.
    nearest: Optional[np.ndarray]


def pair_of(a, b, method):
    """A pickled pair."""
    from ._impinge import Pair

    return Pair(a, b, method=method)

"""The manager of `impinge.fcl`: which pairs of objects are asked about, by the boxes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, List, Optional, Tuple, TypeVar, Union, overload

import numpy as np

if TYPE_CHECKING:
    from .fcl import CollisionObject

_Data = TypeVar("_Data")
_Objects = List["CollisionObject"]


class DynamicAABBTreeCollisionManager:
    """Objects, and calls for those whose boxes overlap or are near."""

    def __init__(self) -> None:
        """A manager of no objects."""
        self._objects: List[CollisionObject] = []

    def registerObjects(self, other_objs: Iterable[CollisionObject]) -> None:
        """other_objs: a list of `CollisionObject`."""
        self._objects.extend(other_objs)

    def registerObject(self, obj: CollisionObject) -> None:
        """Adds an object."""
        self._objects.append(obj)

    def unregisterObject(self, obj: CollisionObject) -> None:
        """Takes an object out, if it is there."""
        if obj in self._objects:
            self._objects.remove(obj)

    def setup(self) -> None:
        """Nothing has to be set up; for python-fcl's sake."""

    def update(self, arg: Any = None) -> None:
        """Objects that have moved are seen anyway; for python-fcl's sake."""

    def getObjects(self) -> List[CollisionObject]:
        """A list of all objects."""
        return list(self._objects)

    def clear(self) -> None:
        """Takes all objects out."""
        self._objects.clear()

    def empty(self) -> bool:
        """Whether there is no object."""
        return not self._objects

    def size(self) -> int:
        """The number of objects."""
        return len(self._objects)

    def _sides(self, args: Tuple[Any, ...]) -> Tuple[_Objects, Optional[_Objects], Any, Callable[..., Any]]:
        """Both lists of objects, the data and the function; of one list with itself the second is
        `None`."""
        if len(args) == 2:
            return self._objects, None, args[0], args[1]
        if len(args) != 3:
            raise ValueError("give data and a function, or an object or a manager before them")
        other, data, function = args
        if isinstance(other, DynamicAABBTreeCollisionManager):
            return self._objects, other._objects, data, function
        return self._objects, [other], data, function

    @overload
    def collide(self, data: _Data, function: Callable[[CollisionObject, CollisionObject, _Data], Any], /) -> None: ...
    @overload
    def collide(
        self,
        other: Union[CollisionObject, DynamicAABBTreeCollisionManager],
        data: _Data,
        function: Callable[[CollisionObject, CollisionObject, _Data], Any],
        /,
    ) -> None: ...
    def collide(self, *args: Any) -> None:
        """Calls `function(o1, o2, data)` for pairs whose boxes overlap, until it is true: of this
        manager's objects, `collide(data, function)`, of them and an object or another manager,
        `collide(other, data, function)`."""
        first, second, data, function = self._sides(args)
        for a, b in _near(first, second, 0.0):
            if function(a, b, data):
                return

    @overload
    def distance(
        self, data: _Data, function: Callable[[CollisionObject, CollisionObject, _Data], Tuple[Any, float]], /
    ) -> None: ...
    @overload
    def distance(
        self,
        other: Union[CollisionObject, DynamicAABBTreeCollisionManager],
        data: _Data,
        function: Callable[[CollisionObject, CollisionObject, _Data], Tuple[Any, float]],
        /,
    ) -> None: ...
    def distance(self, *args: Any) -> None:
        """Calls `function(o1, o2, data)`, which returns whether it is enough and the least distance so
        far, for pairs by the distance of their boxes, as long as that is less. Arguments as of
        `collide`."""
        first, second, data, function = self._sides(args)
        least = np.inf
        for gap, a, b in _by_gap(first, second):
            if gap > least:
                return
            enough, least = function(a, b, data)
            if enough:
                return


def _gaps(first: _Objects, second: Optional[_Objects]) -> Tuple[np.ndarray, np.ndarray]:
    """(m, n): lower bounds of the distances of all boxes; and which pairs to look at."""
    p = np.array([o._box() for o in first]).reshape(-1, 2, 3)
    q = p if second is None else np.array([o._box() for o in second]).reshape(-1, 2, 3)
    between = np.maximum(p[:, None, 0] - q[None, :, 1], q[None, :, 0] - p[:, None, 1])
    between = np.maximum(between, 0.0)
    # Squares of large numbers are out of range.
    gaps = np.hypot(np.hypot(between[..., 0], between[..., 1]), between[..., 2]) * (1 - 1e-12)
    wanted = np.ones(gaps.shape, bool)
    return gaps, (np.triu(wanted, 1) if second is None else wanted)


def _near(first: _Objects, second: Optional[_Objects], d: float) -> List[Tuple[CollisionObject, CollisionObject]]:
    gaps, wanted = _gaps(first, second)
    others = first if second is None else second
    return [(first[i], others[j]) for i, j in np.argwhere(wanted & (gaps <= d)).tolist()]


def _by_gap(
    first: _Objects, second: Optional[_Objects]
) -> Iterator[Tuple[float, CollisionObject, CollisionObject]]:
    gaps, wanted = _gaps(first, second)
    others = first if second is None else second
    i, j = np.nonzero(wanted)
    for k in np.argsort(gaps[i, j], kind="stable").tolist():
        yield gaps[i[k], j[k]], first[i[k]], others[j[k]]

"""Which jobs a task has, and where it runs: without Ray, as the simulation in `benches` has it too."""

from __future__ import annotations

import math
from collections import deque
from typing import Any, Dict, List, Optional, Sequence, Tuple

#: Tasks that are submitted before results are looked for; on their way, beyond which all results that are
#: there are taken at once.
MANY = 16


class Pace:
    """How much work a task gets, in units of the jobs' weights.

    A share of what is left: large ones first, since each task costs the caller and its worker some time
    beside the work, and small ones last, which even out. But no less than what keeps the workers busy at the
    rate at which the caller can submit. If there are more workers than it can ever keep busy, each of `k`
    tasks gets an equal part, where `k` makes the time of `k` submissions and one task least.
    """

    #: Parts of what is left, a worker.
    PARTS = 2.5

    def __init__(self, weight: float, workers: int) -> None:
        self.left, self.workers = weight, workers
        #: Weight and seconds of the tasks that are done; seconds of the caller, and its tasks.
        self._done = self._seconds = self._caller = 0.0
        self._tasks = 0

    def share(self) -> float:
        even = self.left / (self.PARTS * self.workers)
        if self._seconds <= 0.0 or not self._tasks:
            return even
        rate, own = self._done / self._seconds, self._caller / self._tasks
        least = min(self.workers * own, math.sqrt(self.left / rate * own))
        return max(even, least * rate)

    def submitted(self, weight: float) -> None:
        self.left, self._tasks = self.left - weight, self._tasks + 1

    def answered(self, weight: float, seconds: float) -> None:
        self._done, self._seconds = self._done + weight, self._seconds + seconds

    def called(self, seconds: float) -> None:
        """The caller was busy with tasks."""
        self._caller += seconds


class Queue:
    """Jobs in order, shared out to nodes in stretches, so that neighbouring jobs have their models on one
    node. A node that is done takes from the end of the longest stretch.
    """

    def __init__(self, room: Dict[Any, int], weights: Sequence[float]) -> None:
        #: By node, how many more tasks it takes.
        self.room, self.weights = dict(room), weights
        self.left: Dict[Any, deque] = {}
        self._flying: Dict[Any, Tuple[Any, List[int]]] = {}
        total, start, seen = sum(room.values()), 0, 0
        for name, own in room.items():
            seen += own
            end = len(weights) * seen // total
            self.left[name] = deque(range(start, end))
            start = end

    def next(self, share: float) -> Optional[Tuple[Any, List[int]]]:
        """The node that has most room, and jobs for it: of a weight up to `share`, but at least one."""
        name = max(self.room, key=lambda name: self.room[name])
        if self.room[name] <= 0:
            return None
        jobs, own = self.left[name], True
        if not jobs:
            jobs, own = max(self.left.values(), key=len), False
        numbers: List[int] = []
        while jobs and (not numbers or share >= self.weights[jobs[0 if own else -1]]):
            numbers.append(jobs.popleft() if own else jobs.pop())
            share -= self.weights[numbers[-1]]
        return (name, sorted(numbers)) if numbers else None

    def begin(self, node: Any, numbers: List[int], reference: Any) -> None:
        """Jobs are on their way to a node."""
        self.room[node] -= 1
        self._flying[reference] = (node, numbers)

    def end(self, reference: Any) -> List[int]:
        """Jobs have their results. Returns their numbers."""
        node, numbers = self._flying.pop(reference)
        self.room[node] += 1
        return numbers

    def flying(self) -> List[Any]:
        """The references to results on their way."""
        return list(self._flying)

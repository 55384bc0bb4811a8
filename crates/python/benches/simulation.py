"""How long a scene takes with more workers than there are here, from times that were measured here.

A simulation of `impinge.cluster` and no measurement: its caller, which submits tasks and takes results one
after the other; its own queue and pace; the connection of the caller, by which tasks and packs go one after
the other; and workers, which view the models of a pack that is new to them.
"""

import heapq
from typing import Dict, List, NamedTuple, Sequence, Tuple

from impinge._schedule import MANY, Pace, Queue


class Job(NamedTuple):
    """A unit of work: pairs, processor seconds, bytes to the worker and back, and the packs it needs."""

    pairs: int
    seconds: float
    sent: int
    returned: int
    packs: Tuple[int, ...]


class Pack(NamedTuple):
    """Bytes of a pack, and the processor seconds of a process that views its models for the first time."""

    size: int
    seconds: float


class Costs(NamedTuple):
    """What all tasks cost beside their work. Seconds, and bytes a second."""

    #: Of the caller: to submit a task, to take its result, before the first and after the last, and of
    #: the latter a result.
    submit: float
    collect: float
    before: float
    after: float
    #: Of a worker, a task.
    begin: float
    #: Between machines, one way; of the caller's connection, in each direction.
    latency: float
    bandwidth: float


class Run(NamedTuple):
    """A simulated run: its tasks, its seconds, and shares of them that the caller and the mean worker are busy."""

    tasks: int
    seconds: float
    caller: float
    worker: float


class _Machine:
    def __init__(self, workers: int) -> None:
        #: When each worker is free, and the packs it has seen.
        self.workers: List[Tuple[float, int]] = [(0.0, k) for k in range(workers)]
        self.seen: List[set] = [set() for _ in range(workers)]
        #: When each pack is here.
        self.packs: Dict[int, float] = {}


class _Cluster:
    """The caller, machines, and what is on its way between them."""

    def __init__(self, jobs: Sequence[Job], packs: Dict[int, Pack], counts: Sequence[int], costs: Costs) -> None:
        self.jobs, self.packs, self.costs = jobs, packs, costs
        self.machines = [_Machine(count) for count in counts]
        self.queue = Queue({k: 2 * count for k, count in enumerate(counts)}, [job.pairs for job in jobs])
        #: Now, of the caller; when its connection is free; for how long it and all workers were busy.
        self.now, self.link, self.caller, self.busy = costs.before, 0.0, costs.before, 0.0
        #: Results on their way: when they are there, the number of the task, and seconds of its worker.
        self.results: List[Tuple[float, int, float]] = []
        self.tasks = 0

    def act(self, seconds: float) -> None:
        """The caller is busy."""
        self.now, self.caller = self.now + seconds, self.caller + seconds

    def _carried(self, size: int) -> float:
        """When so many bytes, which the caller's machine sends now or as soon as it can, are there."""
        self.link = max(self.now, self.link) + size / self.costs.bandwidth
        return self.link + self.costs.latency

    def submit(self, place: int, numbers: List[int]) -> None:
        self.act(self.costs.submit)
        machine, jobs, local = self.machines[place], [self.jobs[number] for number in numbers], place == 0
        there = self.now if local else self._carried(sum(job.sent for job in jobs))
        needed = sorted({pack for job in jobs for pack in job.packs})
        for pack in needed:
            if pack not in machine.packs:
                machine.packs[pack] = 0.0 if local else self._carried(self.packs[pack].size)
            there = max(there, machine.packs[pack])
        free, worker = heapq.heappop(machine.workers)
        new = [pack for pack in needed if pack not in machine.seen[worker]]
        machine.seen[worker].update(new)
        work = sum(job.seconds for job in jobs) + sum(self.packs[pack].seconds for pack in new)
        end = max(free, there) + self.costs.begin + work
        self.busy += self.costs.begin + work
        heapq.heappush(machine.workers, (end, worker))
        back = 0.0 if local else self.costs.latency + sum(job.returned for job in jobs) / self.costs.bandwidth
        self.queue.begin(place, numbers, self.tasks)
        heapq.heappush(self.results, (end + back, self.tasks, work))
        self.tasks += 1


def simulate(jobs: Sequence[Job], packs: Dict[int, Pack], workers: int, costs: Costs, per_machine: int = 8) -> Run:
    """The run of these jobs by so many workers, with `per_machine` of them a machine. The first machine is
    the caller's, to which nothing has to be sent.
    """
    counts = [min(per_machine, workers - start) for start in range(0, workers, per_machine)]
    cluster, pace, done = _Cluster(jobs, packs, counts, costs), Pace(sum(job.pairs for job in jobs), workers), 0
    pairs = lambda numbers: sum(jobs[number].pairs for number in numbers)  # noqa: E731
    while done < len(jobs):
        sent = 0
        while sent < MANY and (found := cluster.queue.next(pace.share())) is not None:
            cluster.submit(*found)
            pace.submitted(pairs(found[1]))
            pace.called(costs.submit)
            sent += 1
        if sent < MANY:
            cluster.now = max(cluster.now, cluster.results[0][0])
        while cluster.results and cluster.results[0][0] <= cluster.now:
            _, number, seconds = heapq.heappop(cluster.results)
            numbers = cluster.queue.end(number)
            pace.answered(pairs(numbers), seconds)
            pace.called(costs.collect)
            cluster.act(costs.collect)
            done += len(numbers)
    cluster.act(costs.after * len(jobs))
    shares = [cluster.caller, cluster.busy / workers]
    caller, worker = [share / cluster.now if cluster.now else 1.0 for share in shares]
    return Run(cluster.tasks, cluster.now, caller, worker)

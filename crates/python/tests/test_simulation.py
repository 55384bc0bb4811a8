"""The simulation of `benches/simulation.py` against what can be said without one."""

import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "benches"))
from simulation import Costs, Job, Pack, simulate  # noqa: E402

from impinge._schedule import Pace, Queue  # noqa: E402

FREE = Costs(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1e30)
PACKS = {number: Pack(4 << 20, 0.003) for number in range(4)}


def some_jobs(count, seed=1):
    chance = random.Random(seed)
    return [
        Job(chance.randrange(500, 2000), chance.uniform(0.001, 0.02), 9_000, 700, (chance.randrange(4),))
        for _ in range(count)
    ]


def test_without_costs_workers_share_the_work():
    jobs = [Job(1, 0.01, 0, 0, ()) for _ in range(960)]
    for workers in (1, 2, 8, 40, 960):
        run = simulate(jobs, {}, workers, FREE)
        assert 9.6 / workers <= run.seconds * (1 + 1e-9) and run.seconds < 9.6 / workers + 0.0201
        assert run.caller == 0.0


@pytest.mark.parametrize("workers", [1, 3, 8, 9, 64, 1024])
def test_no_run_is_shorter_than_its_longest_part(workers):
    jobs = some_jobs(700)
    costs = Costs(2e-4, 3e-4, 0.1, 1e-5, 5e-4, 1e-4, 1e9)
    run = simulate(jobs, PACKS, workers, costs)
    work = sum(job.seconds for job in jobs) + run.tasks * costs.begin
    caller = costs.before + run.tasks * (costs.submit + costs.collect) + len(jobs) * costs.after
    assert run.seconds >= max(caller, work / workers)
    assert run.caller == pytest.approx(caller / run.seconds)
    # A worker views each pack once.
    views = run.worker * workers * run.seconds - work
    assert 0.003 * 4 - 1e-9 <= views <= 0.003 * 4 * workers + 1e-9


def test_a_pack_goes_once_to_each_machine_but_the_callers():
    jobs = [Job(1, 0.0, 0, 0, (0,)) for _ in range(3200)]
    for workers in (8, 16, 80):
        run = simulate(jobs, {0: Pack(3 << 20, 0.0)}, workers, FREE._replace(bandwidth=1 << 20))
        assert run.seconds == pytest.approx(3.0 * (workers // 8 - 1))


def test_more_workers_than_can_be_kept_busy_do_no_harm():
    """As many tasks as the caller can submit in the time of one are best; a task a job is much worse."""
    jobs = [job._replace(packs=()) for job in some_jobs(4000)]
    costs = Costs(3e-4, 1e-4, 0.0, 0.0, 0.0, 0.0, 1e30)
    work = sum(job.seconds for job in jobs)
    least = 2 * (work * 4e-4) ** 0.5
    few = simulate(jobs, {}, 16, costs).seconds
    many = simulate(jobs, {}, 1024, costs).seconds
    assert few > work / 16 and least < many < 2 * least < len(jobs) * 4e-4


def test_the_last_jobs_are_taken_from_the_longest_stretch():
    # All the work is in the second half, the stretch of the second machine.
    jobs = [Job(1, 0.0, 0, 0, ())] * 1600 + [Job(1, 0.1, 0, 0, ())] * 1600
    assert simulate(jobs, {}, 16, FREE).seconds == pytest.approx(10.0, rel=0.1)


def test_every_job_is_in_one_task():
    chance = random.Random(3)
    for _ in range(50):
        weights = [chance.choice([1, 5, 100]) for _ in range(chance.randrange(1, 300))]
        queue = Queue({name: chance.randrange(1, 9) for name in "abc"[: chance.randrange(1, 4)]}, weights)
        pace, seen, flying = Pace(sum(weights), 6), [], []
        while len(seen) < len(weights):
            found = queue.next(pace.share())
            if found is None or (flying and chance.random() < 0.3):
                numbers = queue.end(flying.pop(chance.randrange(len(flying))))
                pace.answered(sum(weights[k] for k in numbers), chance.uniform(0.0, 0.1))
            if found is not None:
                assert found[1] == sorted(found[1])
                seen += found[1]
                queue.begin(*found, len(seen))
                flying.append(len(seen))
                pace.submitted(sum(weights[k] for k in found[1]))
                pace.called(1e-3)
        assert sorted(seen) == list(range(len(weights)))
        assert queue.next(1.0) is None

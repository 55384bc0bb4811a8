"""What sharing out costs: 20,000 rods at random, 40 million placed triangles, 70,000 pairs of boxes.

Prints the plain loop (the first answer of a world, one thread; and two of them side by side, which is what two
processors can give), the cluster by the number of workers, with processor times, since wall times depend on what
else runs, a simulation of more workers than there are here from the times of tasks, of Ray and of transfers, and
the bars.

    python benches/cluster.py --workers 1 2 4
    python benches/cluster.py --parts 200000
    python benches/cluster.py --poses 10000000
    python benches/cluster.py --tori 100
"""

import argparse
import multiprocessing
import os
import pickle
import sys
import threading
import time
from pathlib import Path

import numpy as np
from bars import Bars
from simulation import Costs, Job, Pack, simulate

import impinge
from impinge import cluster, units

#: Of the simulated connections between machines: bytes a second (10 Gbit/s) and seconds, one way.
BANDWIDTH, LATENCY = 1.25e9, 100e-6
#: Workers of the simulation, and its scenes, in parts of the measured one.
SIMULATED, TIMES = (8, 16, 32, 64, 128, 256, 512, 1024), (1, 50)


def rod(sides, rings, length, radius):
    """A closed rod along z of 2 * sides * (rings + 1) triangles or so."""
    angle = 2 * np.pi * np.arange(sides) / sides
    circle = radius * np.stack([np.cos(angle), np.sin(angle)], -1)
    heights = np.linspace(-length / 2, length / 2, rings)
    corners = np.concatenate([np.column_stack([circle, np.full(sides, z)]) for z in heights])
    corners = np.concatenate([corners, [[0, 0, heights[0]], [0, 0, heights[-1]]]])
    faces, last = [], len(corners) - 1
    for r in range(rings - 1):
        for i in range(sides):
            a, b = r * sides + i, r * sides + (i + 1) % sides
            faces += [[a, b, b + sides], [a, b + sides, a + sides]]
    top = (rings - 1) * sides
    for i in range(sides):
        j = (i + 1) % sides
        faces += [[last - 1, j, i], [last, top + i, top + j]]
    return corners, np.array(faces)


def scene(parts, side, seed=22):
    rng = np.random.default_rng(seed)
    models = [impinge.Model(*rod(20, 49 + k, 2.0, 0.01 + 0.0005 * k)) for k in range(4)]
    q = rng.normal(size=(parts, 4))
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    poses = np.tile(np.eye(4), (parts, 1, 1))
    poses[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    poses[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    poses[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    poses[:, :3, 3] = rng.uniform(0, side, (parts, 3))
    return models, rng.integers(0, len(models), parts), poses


def best(runs, work):
    """The shortest wall time of some runs, its processor time of this process, and the last result."""
    times = []
    for _ in range(runs):
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        times.append((time.perf_counter() - wall, time.process_time() - processor))
    return *min(times), result


class Watch(threading.Thread):
    """Looks again and again how much memory this process and all that it has started have together: each page
    that several share is counted once.
    """

    def __init__(self):
        super().__init__(daemon=True)
        self.most, self._end = 0, threading.Event()
        self.start()

    def run(self):
        while not self._end.wait(0.05):
            self.most = max(self.most, sum(map(self._pages, self._family())))

    def stop(self):
        """The most KiB that was seen."""
        self._end.set()
        self.join()
        return self.most

    @staticmethod
    def _family():
        children = {}
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                parent = int(path.read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(path.parent.name))
        family = [os.getpid()]
        for process in family:
            family += children.get(process, [])
        return family

    @staticmethod
    def _pages(process):
        try:
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--parts", type=int, default=20_000)
    parser.add_argument("--side", type=float, help="of the cube that they lie in; by default as dense for any number")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--clearance", type=float)
    parser.add_argument("--kills", type=int, default=0, help="then kill so many workers")
    parser.add_argument("--tori", type=int, help="only the memory of two workers, of so many large models")
    parser.add_argument("--store", type=int, default=600, help="MiB of the object store, with --tori")
    parser.add_argument("--poses", type=int, help="only a pair at so many poses, by two workers")
    options = parser.parse_args()
    os.environ["RAYON_NUM_THREADS"] = "1"
    if options.tori:
        return memory(options.tori, options.store)
    if options.poses:
        return many_poses(options.poses)
    if options.side is None:
        options.side = 26.4 * (options.parts / 20_000) ** (1 / 3)
    models, numbers, poses = placed_at_random = scene(options.parts, options.side)
    placed = sum(len(models[number]) for number in numbers)
    made = units.Scene.of(models, numbers, poses)
    jobs = made.jobs(options.clearance)
    pairs = sum(len(job.pairs) for job in jobs)
    print(f"{options.parts} parts, {placed:,} placed triangles, {pairs} pairs of boxes")
    wall, processor, found = min(plain(placed_at_random, options.clearance) for _ in range(options.runs))
    print(f"plain loop, one thread: {wall:.3f} s, processor {processor:.3f} s, {found} clashes")
    alone, ideal = wall, side_by_side(options, wall)
    print(f"two plain loops side by side: {2 * alone / ideal:.3f} s each, so two processors give {ideal:.2f} times as much")
    wall, processor, _ = best(options.runs, lambda: [units.clash(job, made.packs) for job in jobs])
    print(f"units in one process: {wall:.3f} s, processor {processor:.3f} s, {len(jobs)} jobs")
    walls, beside = by_workers(options, made, alone, ideal)
    bars = Bars()
    if 2 in walls:
        required(options, bars, walls[2], alone / walls[2] / ideal)
    if beside:
        simulated(made, options.clearance, beside, walls)
    if options.kills:
        reports = killed(options.kills)
        if options.kills >= 100:
            bars.least("equal reports, workers killed meanwhile", reports, 100)
    bars.print()


def required(options, bars, wall, share):
    """The bars of two workers."""
    if options.parts == 20_000:
        bars.most("two workers, warm", wall, 0.5, "{:.3f} s".format)
    bars.least("two workers, of what two processors give the plain loop", share, 0.8, "{:.0%}".format)


def by_workers(options, made, alone, ideal):
    """The cluster by the number of workers: their wall times, and what Ray costs a task."""
    reports, walls, beside = set(), {}, None
    for workers in options.workers:
        ray = started(workers)
        watch = Watch()
        stored = cluster.put(made)
        begin = time.perf_counter()
        cluster.clash(stored, options.clearance)
        cold, most = time.perf_counter() - begin, watch.stop()
        wall, processor, report = best(options.runs, lambda: cluster.clash(stored, options.clearance))  # noqa: B023
        reports.add(report.json())
        walls[workers] = wall
        share = f"; {alone / wall / ideal:.0%} of what two processors give the plain loop" if workers == 2 else ""
        print(
            f"{workers} workers: warm {wall:.3f} s, first {cold:.3f} s; this process {processor:.3f} s;"
            f" {report.stats['tasks']} tasks; peak of a worker {report.stats['peak_kib'] >> 10} MiB,"
            f" of all processes {most >> 10} MiB;"
            f" load {os.getloadavg()[0]:.1f}{share}"
        )
        if workers == 1:
            beside = ray_costs(ray, made)
        ray.shutdown()
    assert len(reports) == 1, "the reports differ"
    return walls, beside


def started(workers, **options):
    """Ray of this machine with so many workers."""
    import ray

    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "warning"}
    ray.init(address="local", num_cpus=workers, **quiet, **options)
    return ray


def many_poses(count):
    """A pair of tori at so many poses (n, 7), by two workers and by the pair itself, and the memory of both."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from conftest import torus_arrays

    torus = impinge.Model(*torus_arrays(50, 40))
    pair, rng = impinge.Pair(torus, torus), np.random.default_rng(7)
    poses = rng.normal(size=(count, 7))
    poses[:, 3:] /= np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    poses[:, :3] *= 1.5
    ray = started(2)
    cluster.poses(pair, poses[:1])
    wall, _, hits = best(1, lambda: cluster.poses(pair, poses))
    # Once more, since to look for the memory takes time.
    watch = Watch()
    cluster.poses(pair, poses)
    most = watch.stop()
    ray.shutdown()
    alone, _, own = best(1, lambda: pair.collides(poses))
    assert np.array_equal(hits, own), "the answers differ"
    print(f"{count:,} poses of two tori of {len(torus):,} faces, {hits.mean():.0%} meet: equal answers")
    print(f"two workers {wall:.2f} s, the pair itself on one thread {alone:.2f} s; {alone / wall:.2f} times as fast")
    print(f"poses {poses.nbytes >> 20} MiB, peak of all processes {most >> 10} MiB; load {os.getloadavg()[0]:.1f}")


def plain(placed_at_random, clearance, wait=lambda: None):
    """The wall and processor time of a world's first answer, and the number of clashes. Models are prepared. A
    world that is asked again knows what kept its pairs apart, which no worker does.
    """
    models, numbers, poses = placed_at_random
    world = impinge.World()
    for number, pose in zip(numbers, poses):
        world.add(models[number], pose)
    wait()
    wall, processor, found = best(1, lambda: world.clashes(clearance))
    return wall, processor, len(found)


def plain_loop(options, barrier, times):
    """The plain loop in a process of its own, beside another one."""
    placed_at_random = scene(options.parts, options.side)
    plain(placed_at_random, options.clearance)
    for _ in range(options.runs):
        times.put(plain(placed_at_random, options.clearance, barrier.wait)[0])


def side_by_side(options, alone):
    """How much more two processes do at a time than one, by the least times, as all here: more than 2 is noise."""
    context = multiprocessing.get_context("spawn")
    barrier, times = context.Barrier(2), context.Queue()
    both = [context.Process(target=plain_loop, args=(options, barrier, times)) for _ in range(2)]
    for process in both:
        process.start()
    taken = [times.get() for _ in range(2 * options.runs)]
    for process in both:
        process.join()
    return 2 * alone / float(min(taken))


def idle(blocks, references, memory):
    """A task of the cluster without its work."""
    cluster._alone(memory)
    return [cluster._block(block)[place].pairs[:0] for block, places in blocks for place in places], cluster._facts(), 0.0


def ray_costs(ray, made, count=400):
    """What Ray costs a task on one worker: (submit, collect, begin), the first two of this thread."""
    jobs, task = made.jobs(size=2048)[: cluster.BLOCK], cluster._task(idle, 1)
    references = {pack: ray.put(made.packs[pack]) for pack in jobs[0].packs}
    blocks = [(ray.put(jobs), [0, 1, 2])]
    ray.get([task.remote(blocks, references, 1 << 30) for _ in range(20)])
    wall, begin = time.perf_counter(), time.thread_time()
    flying = [task.remote(blocks, references, 1 << 30) for _ in range(count)]
    submit = time.thread_time() - begin
    ray.wait(flying, num_returns=count)
    wall, begin = time.perf_counter() - wall, time.thread_time()
    for reference in flying:
        ready, _ = ray.wait([reference], num_returns=1)
        ray.get(ready)
    return submit / count, (time.thread_time() - begin) / count, wall / count


def simulated(made, clearance, beside, walls):
    """Prints a table of more workers than there are here."""
    submit, collect, begin = beside
    print(
        f"\nsimulation, from: submit {submit * 1e6:.0f} us, collect {collect * 1e6:.0f} us, begin {begin * 1e6:.0f} us a"
        f" task by Ray; {BANDWIDTH / 1.25e8:.0f} Gbit/s, {LATENCY * 1e6:.0f} us between machines of 8 workers"
    )
    views = {}
    for number, pack in enumerate(made.packs):
        wall, kept = time.process_time(), units.Kept(1 << 30)
        for name, place in zip(made.hashes, made.places):
            if place.pack == number:
                kept.model(name, lambda place=place: pack[place.start : place.end])  # noqa: B023
        views[number] = Pack(len(pack), time.process_time() - wall)
    print("| parts | workers | tasks | seconds | speed-up | workers busy | caller busy | measured |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for times in TIMES:
        one = None
        for workers in (1, 2, *SIMULATED):
            jobs, costs = measured(made, clearance, times, workers, (submit, collect, begin))
            run = simulate(jobs, views, workers, costs)
            one = one or run.seconds
            real = f"{walls[workers]:.3f}" if times == 1 and workers in walls else ""
            print(
                f"| {times * len(made):,} | {workers} | {run.tasks} | {run.seconds:.3f} | {one / run.seconds:.1f}"
                f" | {run.worker:.0%} | {run.caller:.0%} | {real} |"
            )


def measured(made, clearance, times, workers, beside):
    """The tasks that the cluster would make of a scene so many times as large, and what the caller does."""
    size = cluster.job_size(times * len(made), workers)
    jobs = made.jobs(clearance, size=size, memory=1 << 29)
    told, found = [], []
    for job in jobs:
        begin = time.process_time()
        found.append(units.clash(job, made.packs))
        seconds = time.process_time() - begin
        told.append(Job(len(job.pairs), seconds, len(pickle.dumps(job)), len(pickle.dumps(found[-1])), tuple(job.packs)))
    begin = time.process_time()
    made.report(found)
    after = (time.process_time() - begin) / len(jobs)
    submit, collect, worker = beside
    # Jobs are kept from the last question, as in the measured runs.
    return told * times, Costs(submit, collect, 0.0, after, worker, LATENCY, BANDWIDTH)


def killed(count):
    """Runs until so many workers were killed at random moments; all reports must be equal. Returns their number."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from conftest import Killer, crowd

    made = crowd(900, 8, side=16.0)
    here = made.report([units.clash(job, made.packs) for job in made.jobs(0.25, solids=True)]).json()
    cluster._ray(2)
    stored, victims, runs = cluster.put(made), 0, 0
    while victims < count:
        killer = Killer(runs, 1)
        killer.start()
        report = cluster.clash(stored, 0.25, solids=True)
        killer.end.set()
        killer.join()
        assert report.json() == here, f"run {runs}: the reports differ"
        victims, runs = victims + len(killer.killed), runs + 1
    print(f"{victims} workers killed at random moments of {runs} runs: {runs} equal reports")
    return runs


def memory(count, store):
    """What workers have of their own, and what it costs to get the models of a job, kept or not. store: MiB."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
    from conftest import matrices, random_quaternions, torus_arrays

    models = [impinge.Model(*torus_arrays(200 + k, 100)) for k in range(count)]
    poses = random_quaternions(count, 3)
    poses[:, :3] = np.random.default_rng(1).uniform(0, 1.3 * count ** (1 / 3), (count, 3))
    made = units.Scene.of(models, np.arange(count), matrices(poses))
    print(f"{sum(map(len, models)):,} triangles, {sum(map(len, made.packs)) >> 20} MiB of packs")
    ray = started(2, object_store_memory=store << 20)
    stored = cluster.put(made)
    spilled = sum(where["did_spill"] for where in ray.experimental.get_object_locations(stored.packs).values())
    print(f"a store of {store} MiB: {spilled} of {len(stored.packs)} packs were written to disk")

    def load(job, references):
        kept, seconds = units.Kept(1), []
        for _ in range(2):
            packs, begin = cluster._Packs(references), time.process_time()
            for name, (pack, start, end) in zip(job.hashes, job.places):
                kept.model(name, lambda: packs[pack][start:end])  # noqa: B023
            seconds.append(time.process_time() - begin)
        return len(job.hashes), seconds

    for limit in (64 << 20, 8 << 30):
        stats = cluster.clash(stored, 0.05, memory=limit).stats
        own, peak = stats["own_kib"] >> 10, stats["peak_kib"] >> 10
        print(f"at most {limit >> 20} MiB: {own} MiB of its own, peak {peak} MiB; {stats['seconds']:.2f} s")
    job = max(stored.jobs(0.05), key=lambda job: len(job.hashes))
    number, seconds = ray.get(ray.remote(load).remote(job, {n: stored.packs[n] for n in job.packs}))
    print("{} models, processor: first {:.3f} s, again {:.3f} s".format(number, *seconds))


if __name__ == "__main__":
    main()

"""What calls cost, beside python-fcl and trimesh in one process: `python benches/overhead.py`.

Needs a wheel built with `maturin build --release`, and trimesh and python-fcl. Each time is the least of
several runs. Verdicts on random poses are compared; one that differs and is not within rounding of
touching makes the exit status 1. Prints a Markdown table and the load of the machine.
"""

import argparse
import os
import sys
import time

import fcl
import numpy as np
import trimesh

import impinge
import impinge.trimesh


#: Set by `--processor`.
clock = time.perf_counter


def best(function, calls, repeats=5):
    """Seconds a call."""
    least = np.inf
    for _ in range(repeats):
        begin = clock()
        for _ in range(calls):
            function()
        least = min(least, clock() - begin)
    return least / calls


def pretty(seconds):
    """In a unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def poses_of(n, reach, seed=0):
    """(n, 4, 4): random rotations, translations in a cube of half-edge `reach`."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(n, 4))
    x, y, z, w = (q / np.linalg.norm(q, axis=1, keepdims=True)).T
    out = np.tile(np.eye(4), (n, 1, 1))
    out[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    out[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    out[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    out[:, :3, 3] = rng.uniform(-reach, reach, (n, 3))
    return out


class Fcl:
    """A pair of python-fcl."""

    def __init__(self, a, b):
        self.a, self.b = (fcl.CollisionObject(trimesh.collision.mesh_to_BVH(m)) for m in (a, b))

    def place(self, pose):
        self.b.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))

    def collides(self):
        return fcl.collide(self.a, self.b, fcl.CollisionRequest(), fcl.CollisionResult()) > 0

    def distance(self):
        return fcl.distance(self.a, self.b, fcl.DistanceRequest(), fcl.DistanceResult())

    def contacts(self):
        request = fcl.CollisionRequest(num_max_contacts=1_000_000, enable_contact=True)
        return fcl.collide(self.a, self.b, request, fcl.CollisionResult())

    def loop(self, poses):
        out = np.empty(len(poses), bool)
        for k, pose in enumerate(poses):
            self.place(pose)
            out[k] = self.collides()
        return out


def differing(pair, poses, found, expected):
    """The number of verdicts that differ, and of those not within 1e-9 of touching."""
    differ = np.flatnonzero(found != expected)
    real = 0
    for k in differ:
        near = pair.penetration(poses[k]).upper if found[k] else pair.distance(poses[k])
        real += near > 1e-9
    return len(differ), real


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=1_000_000, help="poses of the batch")
    parser.add_argument("--compared", type=int, default=100_000, help="poses with verdicts compared")
    parser.add_argument(
        "--processor", action="store_true", help="processor time, of all threads, for a machine with other load"
    )
    options = parser.parse_args()
    global clock
    if options.processor:
        clock = time.process_time
    ring = trimesh.creation.torus(1.0, 0.3, 64, 32)
    knob = trimesh.creation.icosphere(subdivisions=4, radius=0.5)
    pair = impinge.Pair(impinge.Model.from_trimesh(ring), impinge.Model.from_trimesh(knob))
    other = Fcl(ring, knob)
    apart, near, hit = np.eye(4), np.eye(4), np.eye(4)
    apart[0, 3], near[0, 3], hit[0, 3] = 9.0, 1.9, 1.5
    rows = []

    def row(what, ours, theirs):
        rows.append((what, pretty(ours), pretty(theirs), f"{theirs / ours:.1f}"))
        print(f"{what}: {pretty(ours)}, python-fcl or trimesh {pretty(theirs)}", file=sys.stderr)

    for what, pose in (("verdict, far apart", apart), ("verdict, near", near), ("verdict, meeting", hit)):
        other.place(pose)
        row(what, best(lambda: pair.collides(pose), 20_000), best(other.collides, 2_000))
    other.place(near)
    row("distance, near", best(lambda: pair.distance(near), 200), best(other.distance, 20, 3))
    other.place(hit)
    row("all contacts", best(lambda: pair.contacts(hit), 200), best(other.contacts, 20, 3))
    build = best(lambda: impinge.Model(knob.vertices, knob.faces), 5, 3)
    row(f"build, {len(knob.faces):,} faces", build, best(lambda: trimesh.collision.mesh_to_BVH(knob), 5, 3))

    poses = poses_of(options.poses, 2.5)
    ours = best(lambda: pair.collides(poses), 1, 3)
    some = poses[: max(1, options.poses // 10)]
    row(f"{len(poses):,} poses", ours, best(lambda: other.loop(some), 1, 2) * len(poses) / len(some))

    boxes = [trimesh.creation.icosphere(subdivisions=2, radius=0.4) for _ in range(200)]
    places = poses_of(200, 4.0, seed=1)
    managers = impinge.trimesh.CollisionManager(), trimesh.collision.CollisionManager()
    for manager in managers:
        for k, box in enumerate(boxes):
            manager.add_object(str(k), box, places[k])
    ask = [lambda m=m: m.in_collision_internal(return_names=True) for m in managers]
    row("manager of 200, names", best(ask[0], 5, 3), best(ask[1], 5, 3))

    compared = poses_of(options.compared, 2.0, seed=2)
    found = pair.collides(compared)
    differ, real = differing(pair, compared, found, other.loop(compared))
    print("| call | impinge | python-fcl, trimesh | ratio |\n| --- | --- | --- | --- |")
    for cells in rows:
        print("| " + " | ".join(cells) + " |")
    print(f"\n{options.compared:,} poses, {found.sum():,} meet: {differ} verdicts differ, {real} of them")
    print("farther than 1e-9 from touching.")
    print("Processor time." if options.processor else "Wall clock.")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    return 1 if real else 0


if __name__ == "__main__":
    sys.exit(main())

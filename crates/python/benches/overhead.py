"""What calls cost, beside python-fcl and trimesh in one process: `python benches/overhead.py`.

Needs a wheel built with `maturin build --release`, and trimesh and python-fcl. Each time is the least of
several runs. Verdicts on random poses are compared; one that differs and is not within rounding of
touching makes the exit status 1. Prints Markdown tables, of the times and of the bars, and the load of the
machine.
"""

import argparse
import os
import sys
import time

import fcl
import numpy as np
import trimesh
from bars import Bars

import impinge
import impinge.fcl
import impinge.trimesh
from impinge import units


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


def best_of_each(function, items, repeats=5):
    """Seconds a call, of a call with each item."""

    def all_of_them():
        for item in items:
            function(item)

    return best(all_of_them, 1, repeats) / len(items)


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


class Table:
    """The times, printed as they come and as a table."""

    def __init__(self):
        """No time yet."""
        self._rows = []

    def row(self, what, ours, theirs=None):
        """Adds a row, in seconds. Returns how many times as fast ours is."""
        ratio = "" if theirs is None else f"{theirs / ours:.1f}"
        cells = (what, pretty(ours), "" if theirs is None else pretty(theirs), ratio)
        self._rows.append(cells)
        print(f"{what}: {cells[1]}" + (f", python-fcl or trimesh {cells[2]}" if ratio else ""), file=sys.stderr)
        return theirs / ours if ratio else None

    def print(self):
        """Prints the table in Markdown."""
        print("| call | impinge | python-fcl, trimesh | ratio |\n| --- | --- | --- | --- |")
        for cells in self._rows:
            print("| " + " | ".join(cells) + " |")


def verdicts(table, bars, pair, other):
    """Single verdicts: at a pose that is set before, and at one that is set for each call."""
    places = [np.eye(4) for _ in range(3)]
    for what, pose, x in zip(("far apart", "near", "meeting"), places, (9.0, 1.9, 1.5)):
        pose[0, 3] = x
        other.place(pose)
        ours = best(lambda: pair.collides(pose), 20_000)  # noqa: B023
        ratio = table.row(f"verdict, {what}", ours, best(other.collides, 2_000))
        if what == "far apart":
            bars.most("a verdict far apart", ours, 3e-7, pretty)
            bars.least("python-fcl's, its transform set before, in ours", ratio, 10.0, "{:.1f}".format)

    def at(pose):
        other.place(pose)
        other.collides()

    for what, begin in (("far apart", 9.0), ("some meet", -2.5)):
        poses = poses_of(2_000, 2.5, seed=3)
        poses[:, 0, 3] += begin + 2.5
        some = list(poses)
        ratio = table.row(f"a verdict at a new pose, {what}", best_of_each(pair.collides, some), best_of_each(at, some, 3))
        if what == "far apart":
            bars.least("python-fcl's, with setTransform, in ours", ratio, 10.0, "{:.1f}".format)
    return places


def single(table, pair, other, knob, near, hit):
    """Distances, contacts, and what a model costs."""
    other.place(near)
    table.row("distance, near", best(lambda: pair.distance(near), 200), best(other.distance, 20, 3))
    other.place(hit)
    table.row("all contacts", best(lambda: pair.contacts(hit), 200), best(other.contacts, 20, 3))
    build = best(lambda: impinge.Model(knob.vertices, knob.faces), 5, 3)
    table.row(f"build, {len(knob.faces):,} faces", build, best(lambda: trimesh.collision.mesh_to_BVH(knob), 5, 3))


def viewed(table, bars, sides):
    """A view of a model of 2 * sides² triangles: of an image that is checked, and of one that was before."""
    grid = np.arange(sides + 1) / sides
    x, y = np.meshgrid(grid, grid, indexing="ij")
    corners = np.stack([x.ravel(), y.ravel(), np.sin(9 * x * y).ravel()], axis=1)
    k = np.arange(sides * (sides + 1)).reshape(sides, sides + 1)[:, :sides].ravel()
    faces = np.concatenate([np.stack([k, k + sides + 1, k + 1], 1), np.stack([k + 1, k + sides + 1, k + sides + 2], 1)])
    # At a multiple of 64 bytes, where a view makes no copy.
    image, _ = units.aligned([impinge.Model(corners, faces).to_image()])
    name = f"view of {len(faces):,} triangles"
    table.row(f"{name}, all checked", best(lambda: impinge.Model.view(image), 1, 5))
    again = best(lambda: impinge.Model.view(image, checked=True), 1, 5)
    table.row(f"{name}, checked before", again)
    if len(faces) >= 1_000_000:
        bars.most(f"{name}, checked before", again, 5e-3, pretty)


def many(table, bars, pair, other, count):
    """All poses in one call, and all of them in a loop of python-fcl's."""
    poses = poses_of(count, 2.5)
    ours = best(lambda: pair.collides(poses), 1, 3)
    ratio = table.row(f"{count:,} poses", ours, best(lambda: other.loop(poses), 1, 1))
    bars.least(f"python-fcl's {count:,} poses in ours in one call", ratio, 15.0, "{:.1f}".format)


def managers(table):
    """The collisions of 200 objects, by names."""
    boxes = [trimesh.creation.icosphere(subdivisions=2, radius=0.4) for _ in range(200)]
    places = poses_of(200, 4.0, seed=1)
    both = impinge.trimesh.CollisionManager(), trimesh.collision.CollisionManager()
    for manager in both:
        for k, box in enumerate(boxes):
            manager.add_object(str(k), box, places[k])
    ask = [lambda m=m: m.in_collision_internal(return_names=True) for m in both]
    table.row("manager of 200, names", best(ask[0], 30), best(ask[1], 30))


#: Pairs of bodies of fcl.
BODIES = {
    "two boxes": lambda one: (one.Box(1, 1, 1), one.Box(1, 1, 1)),
    "a sphere and a box": lambda one: (one.Sphere(0.5), one.Box(1, 1, 1)),
    "a cylinder and a box": lambda one: (one.Cylinder(0.4, 1.0), one.Box(1, 1, 1)),
    "a cone and an ellipsoid": lambda one: (one.Cone(0.5, 1.0), one.Ellipsoid(0.3, 0.4, 0.6)),
}


def bodies(table):
    """Verdicts and distances of bodies without a mesh, by `impinge.fcl` and python-fcl, each at 200 poses that are set
    in the call, about half of which meet."""
    poses = poses_of(200, 0.9, seed=3)
    for name, make in BODIES.items():
        times = []
        for one in (impinge.fcl, fcl):
            a, b = (one.CollisionObject(body) for body in make(one))
            ways = [one.Transform(pose[:3, :3], pose[:3, 3]) for pose in poses]
            for ask in (one.collide, one.distance):
                times.append(best_of_each(lambda way: (b.setTransform(way), ask(a, b)), ways))
        for k, what in enumerate(("verdict", "distance")):
            table.row(f"{what} of {name}, by `impinge.fcl`", times[k], times[k + 2])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--poses", type=int, default=1_000_000, help="poses of the batch")
    parser.add_argument("--compared", type=int, default=100_000, help="poses with verdicts compared")
    parser.add_argument("--sides", type=int, default=708, help="the model that is viewed has 2 * sides² triangles")
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
    other, table, bars = Fcl(ring, knob), Table(), Bars()
    _, near, hit = verdicts(table, bars, pair, other)
    single(table, pair, other, knob, near, hit)
    many(table, bars, pair, other, options.poses)
    managers(table)
    bodies(table)
    viewed(table, bars, options.sides)

    compared = poses_of(options.compared, 2.0, seed=2)
    found = pair.collides(compared)
    differ, real = differing(pair, compared, found, other.loop(compared))
    bars.most(f"verdicts of {options.compared:,} that differ", differ, 0)
    table.print()
    print(f"\n{options.compared:,} poses, {found.sum():,} meet: {differ} verdicts differ, {real} of them")
    print("farther than 1e-9 from touching.")
    bars.print()
    print("Processor time." if options.processor else "Wall clock.")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, Python {sys.version.split()[0]}")
    return 1 if real else 0


if __name__ == "__main__":
    sys.exit(main())

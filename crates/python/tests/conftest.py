"""Meshes, poses and scenes of the tests, from seeds; and what kills workers."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import impinge

TETRAHEDRON = (
    np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float),
    np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]),
)


def cube_arrays(edge=1.0):
    """A cube about the origin: 8 vertices, 12 triangles."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    faces = [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]  # fmt: skip
    return (corners - 0.5) * edge, np.array(faces)


def grid_arrays(n, seed=0):
    """A rough sheet of 2 n² triangles over the unit square, open."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.linspace(0, 1, n + 1), np.linspace(0, 1, n + 1), indexing="ij")
    corners = np.stack([x.ravel(), y.ravel(), 0.1 * rng.random((n + 1) ** 2)], axis=1)
    k = np.arange(n * (n + 1)).reshape(n, n + 1)[:, :n].ravel()
    faces = np.concatenate([np.stack([k, k + n + 1, k + 1], 1), np.stack([k + 1, k + n + 1, k + n + 2], 1)])
    return corners, faces


def random_quaternions(n, seed):
    """Poses (n, 7) with translations of the size of a cube."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(n, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    return np.concatenate([rng.uniform(-1.2, 1.2, (n, 3)), q], axis=1)


def matrices(poses):
    """The same poses as matrices (n, 4, 4)."""
    out = np.tile(np.eye(4), (len(poses), 1, 1))
    x, y, z, w = poses[:, 3:].T
    out[:, :3, 3] = poses[:, :3]
    out[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)], 1)
    out[:, 1, :3] = np.stack([2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)], 1)
    out[:, 2, :3] = np.stack([2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)], 1)
    return out


def bvh(fcl, vertices, faces):
    """A mesh of python-fcl, or of `impinge.fcl`."""
    model = fcl.BVHModel()
    model.beginModel(len(faces), len(vertices))
    model.addSubModel(vertices, faces)
    model.endModel()
    return model


def torus_arrays(rings=10, sides=8, thick=0.4):
    """A torus about the z axis, of 2 * rings * sides triangles, closed."""
    u, v = np.meshgrid(2 * np.pi * np.arange(rings) / rings, 2 * np.pi * np.arange(sides) / sides, indexing="ij")
    far = 1 + thick * np.cos(v)
    corners = np.stack([far * np.cos(u), far * np.sin(u), thick * np.sin(v)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    at = lambda di, dj: ((i + di) % rings * sides + (j + dj) % sides).ravel()  # noqa: E731
    a, b, c, d = at(0, 0), at(1, 0), at(1, 1), at(0, 1)
    return corners, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def crowd(parts, seed, side=14.0):
    """A scene of cubes and tori at random poses, some of them twice in one place, some with a small cube
    in their middle.
    """
    from impinge import units

    models = [impinge.Model(*cube_arrays()), impinge.Model(*torus_arrays()), impinge.Model(*torus_arrays(12, 9, 0.2))]
    models.append(impinge.Model(*cube_arrays(0.3)))
    rng = np.random.default_rng(seed)
    poses = random_quaternions(parts, seed)
    poses[:, :3] = rng.uniform(0, side, (parts, 3))
    turned = matrices(poses)
    numbers = rng.integers(0, 3, parts)
    parts -= parts % 20
    turned[1:parts:20], numbers[1:parts:20] = turned[:parts:20], numbers[:parts:20]
    turned[2:parts:20], numbers[2:parts:20] = turned[:parts:20], 3
    return units.Scene.of(models, numbers, turned)


def shift(x, y=0.0, z=0.0):
    """A pose that only moves."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def children():
    """Processes of Linux by their parent."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found.setdefault(parent, []).append(int(folder.name))
        except (OSError, ValueError, IndexError):
            continue  # It has ended.
    return found


def at_work(task):
    """The workers of this program that have a task of this function of `impinge.cluster`."""
    of, left, found = children(), [os.getpid()], []
    while left:
        process = left.pop()
        left += of.get(process, [])
        try:
            if Path(f"/proc/{process}/cmdline").read_bytes().startswith(f"ray::{task}".encode()):
                found.append(process)
        except OSError:
            continue
    return found


class Killer(threading.Thread):
    """Kills workers at work at random moments, until it has killed some."""

    def __init__(self, seed, count, task="_clash"):
        super().__init__(daemon=True)
        self.task = task
        self.random, self.count, self.killed, self.end = random.Random(seed), count, [], threading.Event()

    def run(self):
        while len(self.killed) < self.count and not self.end.wait(self.random.uniform(0.02, 0.4)):
            # One that was killed may be seen once more before it has ended.
            workers = [process for process in at_work(self.task) if process not in self.killed]
            if workers:
                victim = self.random.choice(workers)
                try:
                    os.kill(victim, signal.SIGKILL)
                    self.killed.append(victim)
                except OSError:
                    continue

    def while_killing(self, ask, seconds=120):
        """Asks again and again until enough have been killed."""
        self.start()
        deadline, runs = time.monotonic() + seconds, 0
        while self.is_alive() and time.monotonic() < deadline:
            ask()
            runs += 1
        self.end.set()
        self.join()
        assert len(set(self.killed)) == self.count, f"{self.killed} in {runs} runs"


@pytest.fixture(scope="session")
def cube():
    return impinge.Model(*cube_arrays())


@pytest.fixture(scope="session")
def small():
    return impinge.Model(*cube_arrays(0.5))


@pytest.fixture(scope="session")
def sheet():
    return impinge.Model(*grid_arrays(20))

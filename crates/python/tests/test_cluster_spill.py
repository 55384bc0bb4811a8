"""`impinge.cluster` with a scene whose models are larger than Ray's object store, which writes some to disk and
reads them again.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import matrices, random_quaternions, torus_arrays

import impinge
from impinge import cluster, units

if sys.platform != "linux":
    pytest.skip("finds what was written to disk in the folder of Ray on Linux", allow_module_level=True)
ray = pytest.importorskip("ray", reason="pip could not install Ray for this Python, or it was not asked to")

#: Bytes of the object store: the least that Ray takes.
STORE = 75 << 20


@pytest.fixture(scope="module")
def scene():
    """28 parts of seven tori, whose images have 93 MB together."""
    models = [impinge.Model(*torus_arrays(310 + k, 250, 0.3)) for k in range(7)]
    poses = random_quaternions(28, 61)
    poses[:, :3] = np.random.default_rng(62).uniform(0, 5.0, (28, 3))
    return units.Scene.of(models, np.arange(28) % 7, matrices(poses))


@pytest.fixture(scope="module")
def spilled():
    """A Ray with a small object store. Returns what tells the files that it has written."""
    assert not ray.is_initialized()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "warning"}
        ray.init(address="local", num_cpus=2, object_store_memory=STORE, **quiet)
    folder = Path(ray._private.worker.global_worker.node.get_session_dir_path())
    yield lambda: sorted(path for path in folder.glob("ray_spilled_objects*/*") if path.is_file())
    ray.shutdown()


def on_disk(scene):
    """How many packs were written to disk."""
    return sum(where["did_spill"] for where in ray.experimental.get_object_locations(scene.packs).values())


def test_a_scene_larger_than_the_store_has_the_same_report(scene, spilled):
    assert sum(pack.nbytes for pack in scene.packs) > 1.15 * STORE
    here = scene.report([units.clash(job, scene.packs) for job in scene.jobs(0.05)]).json()
    assert here.count(b"\n") > 30
    stored = cluster.put(scene)
    assert on_disk(stored) >= 1 and sum(path.stat().st_size for path in spilled()) > 10 << 20
    # Workers that hold all models, whose memory is larger than the store; and such as let go of most.
    assert cluster.clash(stored, 0.05).json() == here
    assert cluster.clash(stored, 0.05, memory=60 << 20).json() == here


def test_bytes_that_were_damaged_on_disk_are_an_error(scene, spilled):
    """So it is these that workers read, and nobody else's."""
    before = set(spilled())
    stored = cluster.put(scene)
    written = [path for path in spilled() if path not in before]
    assert written and on_disk(stored) >= 1
    for path in written:
        # A file may hold several packs, of which some may be in memory too: all are damaged.
        with path.open("r+b") as file:
            for at in range(1 << 15, path.stat().st_size, 1 << 16):
                file.seek(at)
                (byte,) = file.read(1)
                file.seek(at)
                file.write(bytes([byte ^ 1]))
    with pytest.raises(impinge.StoredError, match="model [0-9a-f]{32}: "):
        cluster.clash(stored, 0.05)

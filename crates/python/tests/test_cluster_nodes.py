"""`impinge.cluster` on several nodes of Ray, each with its own object store and its own workers, all on this
machine: the same bytes as on one node, also where a whole node is killed.
"""

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import at_work, children, matrices, random_quaternions, torus_arrays

import impinge
from impinge import cluster, units

ray = pytest.importorskip("ray", reason="pip could not install Ray for this Python, or it was not asked to")
utilities = pytest.importorskip("ray.cluster_utils", reason="this Ray has no ray.cluster_utils: nothing starts nodes")
if sys.platform != "linux":
    pytest.skip("finds the workers of a node in /proc", allow_module_level=True)

#: Ray gives a node up after five looks in vain, which takes 15 s otherwise, and asks another node for an object
#: after 1 s, otherwise 10.
LOOKS = {
    "health_check_period_ms": 300,
    "health_check_failure_threshold": 5,
    "health_check_timeout_ms": 2000,
    "object_manager_pull_timeout_ms": 1000,
}

#: Bytes of the object store of a node.
STORE = 100 << 20

#: Nodes beside the first.
MORE = 3


def stl(path, corners, faces):
    """Writes a binary STL file."""
    rows = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("rest", "<u2")])
    rows["corners"] = corners[faces]
    path.write_bytes(bytes(80) + np.uint32(len(faces)).tobytes() + rows.tobytes())


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A table of 300 parts of twelve tori, in files that a task of their own reads each."""
    folder = tmp_path_factory.mktemp("tori")
    rows = ["name,file,tx,ty,tz,qx,qy,qz,qw"]
    for k in range(12):
        stl(folder / f"{k}.stl", *torus_arrays(90 + k, 40, 0.2 + 0.02 * k))
    poses = random_quaternions(300, 51)
    poses[:, :3] = np.random.default_rng(52).uniform(0, 11.0, (300, 3))
    rows += [f"part {k},{k % 12}.stl," + ",".join(map(repr, pose.tolist())) for k, pose in enumerate(poses)]
    (folder / "scene.csv").write_text("\n".join(rows) + "\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(units.Listing.files, "__defaults__", (1 << 16,))
        assert len(units.listing(folder / "scene.csv").files()) == 12
        yield folder / "scene.csv"


def ask(scene):
    """The bytes of the report, and what is known of the run."""
    report = cluster.clash(scene, 0.05, solids=True)
    return report.json(), report.stats


@pytest.fixture(scope="module")
def questions(table):
    """The report of the plain loop, and the verdicts of a pair at poses."""
    scene = units.read(table)
    report = scene.report([units.clash(job, scene.packs) for job in scene.jobs(0.05, solids=True)])
    assert len(report) > 300 and len(set(report.classes)) >= 2
    pair = impinge.Pair(impinge.Model(*torus_arrays(60, 40)), impinge.Model(*torus_arrays(50, 30, 0.2)))
    poses = matrices(random_quaternions(300_000, 53))
    hits = pair.collides(poses)
    assert 0.1 < hits.mean() < 0.9
    return report.json(), pair, poses, hits


@pytest.fixture(scope="module")
def nodes(table, questions):
    """A Ray that had one node when it answered the questions first, and has others since."""
    report, pair, poses, hits = questions
    assert not ray.is_initialized()
    first = {"num_cpus": 1, "object_store_memory": STORE, "include_dashboard": False, "_system_config": LOOKS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        all_nodes = utilities.Cluster(initialize_head=True, head_node_args=first)
        try:
            ray.init(address=all_nodes.address, log_to_driver=False, logging_level="warning")
            json, stats = ask(cluster.load(table))
            assert json == report and len(stats["processes"]) == 1
            assert cluster.poses(pair, poses).tobytes() == hits.tobytes()
            for _ in range(MORE):
                all_nodes.add_node(wait=False, num_cpus=1, object_store_memory=STORE)
            all_nodes.wait_for_nodes()
            yield all_nodes
        finally:
            ray.shutdown()
            all_nodes.shutdown()


def processes_of(node):
    """The raylet of a node and all that it has started."""
    of, found = children(), [node.all_processes["raylet"][0].process.pid]
    for process in found:
        found += of.get(process, [])
    return found


def test_several_nodes_give_the_report_of_one(nodes, table, questions):
    report, pair, poses, hits = questions
    json, stats = ask(cluster.load(table))
    assert json == report
    for node in nodes.list_all_nodes():
        assert set(stats["processes"]) & set(processes_of(node)), "each node has answered"
    assert cluster.poses(pair, poses).tobytes() == hits.tobytes()


class Look:
    """A process of a node that answers all jobs, and tells where its models lie."""

    def where(self, jobs, references, copied):
        """Of each model, by its hash: the file that is mapped there, and the place in it; `None` of memory of
        this process alone.
        """
        packs = {number: ray.get(reference) for number, reference in references.items()}
        packs = {number: np.array(pack) for number, pack in packs.items()} if copied else packs
        kept, found = units.Kept(1 << 30), {}
        for job in jobs:
            for name, place in zip(job.hashes, job.places):
                model = kept.model(name, lambda place=place: units._image(packs, place))
                found[name] = self._place(model.memory)
        return found

    @staticmethod
    def _place(memory):
        if memory is None:
            return None
        begin, end = memory.ctypes.data, memory.ctypes.data + len(memory)
        for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
            span, access, offset, _, inode, *path = line.split()
            low, high = (int(word, 16) for word in span.split("-"))
            if low <= begin < end <= high and access[3] == "s" and "plasma" in "".join(path):
                return int(inode), int(offset, 16) + begin - low
        return None


def test_models_lie_in_the_store_of_each_node_once_and_are_viewed(nodes, table):
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as At

    # Workers cannot import this file.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    scene = cluster.load(table)
    jobs, packs = list(scene.jobs(0.05, solids=True)), dict(enumerate(scene.packs))
    look, files = ray.remote(num_cpus=0)(Look), []
    names = [node.node_id for node in nodes.list_all_nodes()]
    made = [[look.options(scheduling_strategy=At(name, soft=False)).remote() for _ in range(2)] for name in names]
    answers = [[actor.where.remote(jobs, packs, False) for actor in both] for both in made]
    for both in answers:
        one, other = ray.get(both)
        # The same bytes of the same file: no process has a copy, and the store has one.
        assert one == other and len(set(one.values())) == 12 and None not in one.values()
        files.append({inode for inode, _ in one.values()})
    copies = ray.get(made[0][0].where.remote(jobs, packs, True))
    assert len(copies) == 12 and set(copies.values()) == {None}, "a copy is noticed"
    assert all(not a & b for k, a in enumerate(files) for b in files[:k]), "each node has a store of its own"
    for where in ray.experimental.get_object_locations(scene.packs).values():
        assert sorted(where["node_ids"]) == sorted(names)


class NodeKiller(threading.Thread):
    """Kills a whole node, the raylet and all its workers, when one of these has a task: at the first such
    moment after a random one.
    """

    def __init__(self, nodes, seed, longest, task):
        super().__init__(daemon=True)
        self.nodes, self.task, self.killed, self.at = nodes, task, None, None
        self.after, self.end = random.Random(seed).uniform(0.0, longest), threading.Event()

    def run(self):
        self.end.wait(self.after)
        node = max(self.nodes.worker_nodes, key=lambda node: node.node_id)
        while not self.end.is_set():
            processes = processes_of(node)
            if set(at_work(self.task)) & set(processes):
                for process in processes:
                    os.kill(process, signal.SIGKILL)
                self.killed, self.at = node, time.monotonic()
                return

    def while_killing(self, question):
        """Asks again and again until the node is killed. Returns the answer that it was killed at."""
        self.start()
        while True:
            begin = time.monotonic()
            answer = question()
            if self.at is not None or not self.is_alive():
                break
        self.join()
        assert begin < self.at < time.monotonic(), "killed while the question was asked"
        self.nodes.remove_node(self.killed, allow_graceful=False)
        return answer


def test_a_node_that_is_killed_loses_nothing(nodes, table, questions):
    report, scene = questions[0], cluster.load(table)
    json, _ = NodeKiller(nodes, 54, 0.3, "_clash").while_killing(lambda: ask(scene))
    assert json == report
    json, stats = ask(scene)
    assert json == report and 2 <= len(stats["processes"]) <= MORE


def test_a_node_that_is_killed_at_poses_loses_nothing(nodes, table, questions):
    """Nor do packs that lay on it alone: their files are read again."""
    report, pair, poses, hits = questions
    scene = cluster.load(table)
    where = [one["node_ids"] for one in ray.experimental.get_object_locations(scene.packs).values()]
    killer = NodeKiller(nodes, 55, 0.3, "_poses")
    assert killer.while_killing(lambda: cluster.poses(pair, poses)).tobytes() == hits.tobytes()
    assert [killer.killed.node_id] in where
    assert ask(scene)[0] == report


def test_without_retries_a_killed_node_is_an_error(nodes, questions, monkeypatch):
    """Tasks that take long, so that one has surely not ended when its node is killed."""
    _, pair, poses, _ = questions
    monkeypatch.setattr(cluster, "RETRIES", 0)
    monkeypatch.setattr(cluster, "CHUNK", 30_000)
    cluster._task.cache_clear()
    few = poses[:2_000]
    assert np.array_equal(cluster.poses(pair, few, "distance"), pair.distance(few)), "no error without a kill"
    killer = NodeKiller(nodes, 56, 0.1, "_poses")
    with pytest.raises(impinge.Error, match="Ray has lost the answer of a task|a task ended its worker 1 times"):
        killer.while_killing(lambda: cluster.poses(pair, poses[:60_000], "distance"))
    cluster._task.cache_clear()
    killer.join()
    nodes.remove_node(killer.killed, allow_graceful=False)

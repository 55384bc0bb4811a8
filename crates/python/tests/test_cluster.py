"""`impinge.cluster` on a Ray of this machine: the same bytes for any number of workers, also where workers
are killed.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from conftest import Killer, crowd, cube_arrays, matrices, random_quaternions, torus_arrays

import impinge
from impinge import cluster, units

if sys.version_info < (3, 10):
    pytest.skip("Ray is for Python 3.10 and later", allow_module_level=True)
ray = pytest.importorskip("ray", reason="pip could not install Ray for this Python, or it was not asked to")


@pytest.fixture(scope="module", autouse=True)
def started():
    assert not ray.is_initialized(), "the first call starts it"
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def scene():
    return crowd(900, 8, side=16.0)


@pytest.fixture(scope="module")
def here(scene):
    """The report of this process alone."""
    return scene.report([units.clash(job, scene.packs) for job in scene.jobs(0.25, solids=True)]).json()


def test_the_first_call_starts_ray_and_the_bytes_do_not_depend_on_the_workers(scene, here):
    told = []
    stored = cluster.put(scene) if ray.is_initialized() else scene
    first = cluster.clash(stored, 0.25, solids=True, workers=2, progress=lambda *now: told.append(now))
    assert first.json() == here and len(first) > 500
    stage, done, jobs = told[-1]
    assert stage == "clashes" and done == jobs >= first.stats["tasks"] > 5
    assert first.stats["processes"] and os.getpid() not in first.stats["processes"]
    for workers in (1, None):
        assert cluster.clash(scene, 0.25, solids=True, workers=workers).json() == here
    # Also where it has made the very jobs.
    scene.jobs(0.25, solids=True, size=cluster.job_size(len(scene), 2), memory=1 << 29)
    assert cluster.clash(scene, 0.25, solids=True).json() == here
    assert isinstance(scene.packs[0], np.ndarray) and not scene._jobs[1].blocks, "the caller's scene is as it was"


def test_a_question_while_another_is_asked_changes_neither(scene, here):
    stored, others = cluster.put(scene), []

    def ask_again(stage, done, total):
        if not others:
            others.append(None)
            others[0] = cluster.clash(stored, progress=False)

    assert cluster.clash(stored, 0.25, solids=True, progress=ask_again).json() == here
    assert others[0].json() == scene.report([units.clash(job, scene.packs) for job in scene.jobs()]).json() != here


@pytest.mark.skipif(sys.platform != "linux", reason="finds its workers in /proc")
def test_workers_that_are_killed_lose_nothing(scene, here):
    stored = cluster.put(scene)

    def ask():
        assert cluster.clash(stored, 0.25, solids=True).json() == here

    Killer(22, 5).while_killing(ask)


@pytest.mark.skipif(sys.platform != "linux", reason="finds its workers in /proc")
def test_workers_that_are_killed_at_poses_lose_nothing():
    pair = impinge.Pair(impinge.Model(*torus_arrays(60, 40)), impinge.Model(*torus_arrays(50, 30, 0.2)))
    poses = matrices(random_quaternions(200_000, 6))
    here = pair.collides(poses)
    assert 0.1 < here.mean() < 0.9

    def ask():
        assert np.array_equal(cluster.poses(pair, poses), here)

    Killer(23, 3, "_poses").while_killing(ask)


@pytest.mark.skipif(sys.platform != "linux", reason="finds its workers in /proc")
def test_workers_that_are_killed_while_they_read_lose_nothing(tmp_path):
    rows = ["name,file,tx,ty,tz,qx,qy,qz,qw"]
    for k in range(4):
        # Of some 5 MiB, so that a task reads one.
        corners, faces = torus_arrays(250 + k, 120)
        lines = ["v " + " ".join(map(str, corner)) for corner in corners.tolist()]
        lines += ["f " + " ".join(map(str, face)) for face in (faces + 1).tolist()]
        (tmp_path / f"{k}.obj").write_text("\n".join(lines) + "\n")
        rows.append(f"part {k},{k}.obj,{k},0,0,0,0,0,1")
    rows.append("part 4,no.obj,0,0,0,0,0,0,1")
    table = tmp_path / "scene.csv"
    table.write_text("\n".join(rows) + "\n")
    here = units.read(table)
    report = here.report([_own(here)]).json()

    def ask():
        read = cluster.load(table)
        assert read.hashes == here.hashes and len(read) == 5
        assert cluster.clash(read).json() == report

    Killer(24, 3, "_read").while_killing(ask)


@pytest.mark.skipif(sys.platform != "linux", reason="finds its workers in /proc")
def test_without_retries_a_killed_worker_is_an_error(scene, monkeypatch):
    monkeypatch.setattr(cluster, "RETRIES", 0)
    cluster._task.cache_clear()
    stored, killer = cluster.put(scene), Killer(5, 3)
    killer.start()
    with pytest.raises(impinge.Error, match="a task ended its worker 1 times"):
        while killer.is_alive():
            cluster.clash(stored, 0.25, solids=True)
    killer.end.set()
    killer.join()
    cluster._task.cache_clear()


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"workers": -1}, "workers must be at least 1, not -1"),
        ({"workers": 0}, "workers must be at least 1, not 0"),
        ({"workers": 1.5}, "workers must be a whole number, not 1.5"),
        ({"memory": -1}, "memory must be at least 0, not -1"),
        ({"contacts": -1}, "contacts must be at least 0, not -1"),
    ],
)
def test_numbers_out_of_range_are_refused_before_ray_is_started(scene, monkeypatch, wrong, why):
    # Here whoever begins to start Ray fails.
    monkeypatch.setitem(sys.modules, "ray", None)
    pair = impinge.Pair(impinge.Model(*torus_arrays()), impinge.Model(*cube_arrays(0.3)))
    calls = {
        "clash": lambda **options: cluster.clash(scene, **options),
        "clash of files": lambda **options: cluster.clash("scene.csv", **options),
        "load": lambda **options: cluster.load("scene.csv", **options),
        "poses": lambda **options: cluster.poses(pair, matrices(random_quaternions(2, 5)), **options),
    }
    for name, call in calls.items():
        with pytest.raises(ImportError, match="impinge.cluster needs Ray"):
            call(workers=1)
        if "workers" in wrong or name.startswith("clash"):
            with pytest.raises(ValueError, match=why):
                call(**wrong)


def test_a_group_that_no_part_is_in_is_refused(scene):
    with pytest.raises(ValueError, match='no part is in group "pipes"; there are none'):
        cluster.clash(scene, groups=("pipes", "walls"))


INTERRUPTED = """
    import os, signal, sys, threading, time
    sys.path.insert(0, {tests!r})
    from conftest import crowd
    from impinge import cluster

    # A shell that starts a program in the background lets it ignore the signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    scene = cluster.put(crowd(900, 8, side=16.0))
    here = cluster.clash(scene, workers=2).json()

    def interrupt(sent, caught):
        # Again, since Python drops what is raised where an object is destroyed.
        while not caught:
            sent.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(2)

    for after in (0.3, 0.42, 0.55):
        sent, caught = [], []
        threading.Timer(after, interrupt, (sent, caught)).start()
        try:
            while True:
                cluster.clash(scene, 0.25, solids=True)
        except KeyboardInterrupt:
            caught.append(time.perf_counter())
        print("interrupted", caught[0] - sent[0])
        print("the next", cluster.clash(scene).json() == here)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to oneself")
def test_ctrl_c_ends_a_question_and_not_the_next():
    program = textwrap.dedent(INTERRUPTED).format(tests=os.path.dirname(__file__))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=200, check=False)
    lines = run.stdout.splitlines()
    assert run.returncode == 0 and lines[1::2] == ["the next True"] * 3, (run.stdout, run.stderr)
    for line in lines[::2]:
        word, seconds = line.split()
        assert word == "interrupted" and float(seconds) < 5.0


def test_tasks_of_a_question_that_is_given_up_end_before_their_time(scene, monkeypatch):
    stored, questions = cluster.put(scene), []
    give_up = cluster._give_up
    monkeypatch.setattr(cluster, "_give_up", lambda question: (questions.append(question), give_up(question)))
    # After it Ray may abort the program.
    monkeypatch.delattr(ray, "cancel")
    assert len(cluster.clash(stored)) > 100 and questions == []

    def fail(stage, done, total):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        cluster.clash(stored, progress=fail)
    (question,) = questions
    # What a task does, here.
    monkeypatch.setattr(cluster, "_alone", lambda memory: None)
    monkeypatch.setattr(cluster, "PATIENCE", 0.0)
    jobs, packs = stored.jobs(size=64), dict(enumerate(stored.packs))
    for asked, answers in ((question, 0), ("another", 3)):
        assert len(cluster._clash(asked, [(ray.put(jobs), [0, 1, 2])], packs, 1 << 30)[0]) == answers


def test_a_worker_views_models_in_the_object_store():
    models = [impinge.Model(*torus_arrays(40 + k, 30)) for k in range(3)]
    made = units.Scene.of(models, [0, 1, 2] * 4, matrices(random_quaternions(12, 2)))
    stored = cluster.put(made)
    (job,) = stored.jobs(0.25)

    def look(job, references):
        packs = cluster._Packs(references)
        found, seen = units.clash(job, packs), []
        for name, place in zip(job.hashes, job.places):
            memory, pack = units._kept.model(name, None).memory, packs[place.pack]
            begin, end = memory.ctypes.data, memory.ctypes.data + len(memory)
            mapped = ""
            if sys.platform == "linux":
                for line in open("/proc/self/maps", encoding="ascii"):
                    low, high = (int(word, 16) for word in line.split()[0].split("-"))
                    mapped = line if low <= begin < end <= high else mapped
            seen.append((begin - pack.ctypes.data == place.start, len(memory) == place.end - place.start, mapped))
        return os.getpid(), found, seen

    for _ in range(2):
        process, found, seen = ray.get(ray.remote(look).remote(job, {n: stored.packs[n] for n in job.packs}))
        assert process != os.getpid() and len(seen) == 3
        for same_place, same_size, mapped in seen:
            assert same_place and same_size
            # Memory that the processes of this node share.
            assert sys.platform != "linux" or (mapped.split()[1][3] == "s" and "plasma" in mapped), mapped
        assert made.report([found]).json() == made.report([units.clash(job, made.packs)]).json() != b""


def test_a_damaged_image_is_an_error_that_names_the_model():
    made = units.Scene.of([impinge.Model(*torus_arrays(31, 7))], [0, 0], matrices(random_quaternions(2, 3)))
    pack = made.packs[0].copy()
    pack[len(pack) // 2] ^= 1
    made.packs[0] = pack
    with pytest.raises(impinge.StoredError, match=f"model {made.hashes[0]}: .*checksum"):
        cluster.clash(made)


@pytest.mark.skipif("IMPINGE_CLASH_SCENE" not in os.environ, reason="IMPINGE_CLASH_SCENE and _LINES name no scene")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_report_of_files_has_the_bytes_of_the_command_line(workers):
    table, lines = Path(os.environ["IMPINGE_CLASH_SCENE"]), Path(os.environ["IMPINGE_CLASH_LINES"])
    assert cluster.clash(table, 0.03125, solids=True, workers=workers).json() == lines.read_bytes()


def test_a_file_that_cannot_be_read_is_named(tmp_path, monkeypatch):
    (tmp_path / "cube.impinge").write_bytes(impinge.Model(*cube_arrays()).to_bytes())
    (tmp_path / "bad.obj").write_text("v 0 0 zero\n")
    monkeypatch.chdir(tmp_path)
    lines = ["name,file,tx,ty,tz,qx,qy,qz,qw", "a,cube.impinge,0,0,0,0,0,0,1", "b,bad.obj,0,0,0,0,0,0,1"]
    Path("scene.csv").write_text("\n".join([*lines, "c,cube.impinge,0.5,0,0,0,0,0,1"]) + "\n")
    report = cluster.clash("scene.csv")
    assert report.json() == units.read("scene.csv").report([_own(units.read("scene.csv"))]).json()
    assert report.unread == {1: 'bad.obj: line 1: coordinate z is "zero", not a number'}
    assert [tuple(pair) for pair in report.pairs] == [(0, 2)]


def _own(scene):
    (job,) = scene.jobs()
    return units.clash(job, scene.packs)


def test_poses_are_in_their_order_and_errors_arrive():
    pair = impinge.Pair(impinge.Model(*torus_arrays()), impinge.Model(*cube_arrays(0.3)))
    poses = matrices(random_quaternions(150_000, 5))
    hits = cluster.poses(pair, poses)
    assert np.array_equal(hits, pair.collides(poses)) and 0 < hits.sum() < len(poses)
    codes = cluster.poses(pair, poses, "verdict", codes=True)
    assert codes.dtype == np.uint8 and np.array_equal(codes == 1, hits)
    near = cluster.poses(pair, poses[:100], "nearer_than", d=0.1)
    assert np.array_equal(near, pair.nearer_than(poses[:100], 0.1))
    poses[140_000, 0, 0] = 3
    with pytest.raises(impinge.PoseError, match="pose 140000: ") as caught:
        cluster.poses(pair, poses)
    assert caught.value.index == 140_000
    with pytest.raises(ValueError, match="'depth' is none of"):
        cluster.poses(pair, poses, "depth")
    for one in (poses[0], np.array([0.1, 0, 0, 0, 0, 0, 1.0])):
        with pytest.raises(ValueError, match="poses must be a batch"):
            cluster.poses(pair, one)


def test_a_pair_without_an_answer_is_named():
    cube = impinge.Model(*cube_arrays())
    poses = [np.eye(4), np.eye(4), np.eye(4)]
    poses[1][0, 3], poses[2][0, 3] = 9e299, -9e299
    made = units.Scene.of([cube], [0, 0, 0], poses, names=["o", "p", "q"])
    with pytest.raises(impinge.PoseError, match="^p and q: the pose moves mesh B out of range") as caught:
        cluster.clash(made, 1e307)
    assert caught.value.objects == (1, 2)

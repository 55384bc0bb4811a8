"""Scenes as arrays, the jobs of a question, and the units of work: in any order, cut in any way, with the
answers of a world and the bytes of `impinge clash --json`.
"""

import dataclasses
import gc
import json
import os
import pickle
import re
import weakref
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import crowd, cube_arrays, matrices, random_quaternions, shift, torus_arrays

import impinge
from impinge import units


def report_of(scene, size=2048, memory=1 << 29, reverse=False, **options):
    jobs = scene.jobs(size=size, memory=memory, **options)
    found = [units.clash(job, scene.packs) for job in (jobs[::-1] if reverse else jobs)]
    return scene.report(found)


def all_pairs(boxes, clearance):
    low, high = boxes[:, 0] - clearance / 2, boxes[:, 1] + clearance / 2
    meet = (low[:, None] <= high[None]) & (low[None] <= high[:, None])
    return np.argwhere(np.triu(meet.all(axis=2), 1))


@pytest.fixture(scope="module")
def scene():
    return crowd(300, 4)


@pytest.mark.parametrize("clearance", [None, 0.5])
@pytest.mark.parametrize(("size", "memory"), [(2048, 1 << 29), (64, 1 << 29), (1, 1 << 29), (500, 60_000), (9, 1)])
def test_each_pair_is_in_one_job(scene, size, memory, clearance):
    jobs = scene.jobs(clearance, size=size, memory=memory)
    pairs = np.concatenate([job.parts[job.pairs] for job in jobs])
    ordered = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    assert np.array_equal(ordered, all_pairs(scene.boxes, clearance or 0.0))
    assert len(pairs) > 600
    assert all(len(job.pairs) <= size and (job.pairs[:, 0] < job.pairs[:, 1]).all() for job in jobs)
    for job in jobs:
        held = sum(scene.sizes[scene.hashes.index(name)] for name in job.hashes)
        assert held <= memory or len(job.pairs) == 1


def test_a_report_is_that_of_a_world_however_it_is_cut(scene):
    world = impinge.World()
    models = [impinge.Model.view(scene.packs[p][s:e]) for p, s, e in scene.places]
    for model, pose in zip(scene.models, scene.poses):
        world.add(models[model], pose)
    whole = report_of(scene, clearance=0.25, solids=True)
    clashes = world.clashes(0.25, solids=True)
    assert [(*pair, units.CLASSES[k]) for pair, k in zip(whole.pairs.tolist(), whole.classes)] == [
        (clash.a, clash.b, clash.how) for clash in clashes
    ]
    assert whole.distances.tolist() == [clash.distance for clash in clashes]
    assert whole.contacts_found.tolist() == [clash.contacts for clash in clashes]
    assert len(set(whole.classes.tolist())) >= 4
    for size, reverse in [(1, True), (40, False), (40, True)]:
        assert report_of(scene, size, reverse=reverse, clearance=0.25, solids=True).json() == whole.json()
    jobs = scene.jobs(0.25, solids=True, size=40)
    found = [units.clash(job, scene.packs) for job in jobs]
    for wrong in (found[1:], found + found[:1]):
        assert scene.report(wrong).json() != whole.json(), "the report tells a job that is missing or done twice"


def test_contacts_are_sorted_with_their_clashes(scene):
    report = report_of(scene, 25, reverse=True, contacts=7)
    ends = np.cumsum(report.listed)
    for k in range(0, len(report), 11):
        a, b = report.pairs[k]
        models = [scene.places[scene.models[i]] for i in (a, b)]
        pair = impinge.Pair(*(impinge.Model.view(scene.packs[p][s:e].tobytes()) for p, s, e in models))
        pose = np.linalg.inv(scene.poses[a]) @ scene.poses[b]
        listed = report.contacts[ends[k] - report.listed[k] : ends[k]]
        assert len(listed) == min(7, report.contacts_found[k])
        # The pose is rounded otherwise here, so that contacts of equal parts differ.
        if report.contacts_found[k] < 60:
            assert np.array_equal(listed, pair.contacts(pose)[:7])


def test_groups_and_exceptions_leave_pairs_out(scene):
    whole = report_of(scene)
    of = ["odd" if i % 2 else "even" for i in range(len(scene))]
    grouped = crowd(300, 4)
    grouped.groups[:] = of
    jobs = grouped.jobs(groups=("odd", "even"))
    mixed = grouped.report([units.clash(job, grouped.packs) for job in jobs])
    assert np.array_equal(mixed.pairs, [pair for pair in whole.pairs if pair.sum() % 2])
    with pytest.raises(ValueError, match='no part is in group "none"; there are even, odd'):
        grouped.jobs(groups=("odd", "none"))
    left_out = [(scene.names[b], scene.names[a]) for a, b in whole.pairs[::2]]
    assert np.array_equal(report_of(scene, ignore=left_out).pairs, whole.pairs[1::2])
    with pytest.raises(ValueError, match='no part is called "nobody"'):
        scene.jobs(ignore=[("nobody", scene.names[0])])
    found = [units.clash(job, scene.packs) for job in scene.jobs()]
    without = scene.report(found, touching_ok=True)
    assert np.array_equal(without.pairs, whole.pairs[whole.classes != 0])


def test_empty_scenes_and_scenes_without_clashes_have_reports():
    cube = impinge.Model(*cube_arrays())
    apart = units.Scene.of([cube], [0, 0], [shift(0), shift(9)])
    assert report_of(apart).json() == b"" and len(report_of(apart)) == 0
    assert report_of(units.Scene.of([], [], np.empty((0, 4, 4)))).json() == b""


def test_scenes_of_models_are_checked_and_keep_what_they_were_made_of(scene):
    cube = impinge.Model(*cube_arrays())
    poses = np.array([shift(0), shift(9), shift(0.5)])
    for numbers, why in [
        ([0, 1, 0], "part 1: there are 1 models, not 1"),
        ([0, 0, -1], "part 2: there are 1 models, not -1"),
        ([0.0, 0.5, 0.0], "of_part must be whole numbers, not float64"),
    ]:
        with pytest.raises(ValueError, match=why):
            units.Scene.of([cube], numbers, poses)
    with pytest.raises(ValueError, match="part 0: there are 0 models"):
        units.Scene.of([], [0, 0, 0], poses)
    other = impinge.Model(*torus_arrays())
    bad = poses.copy()
    bad[2, 0, 0] = 3.0
    with pytest.raises(impinge.PoseError, match="pose 2: ") as caught:
        units.Scene.of([cube, other], [0, 1, 0], bad)
    assert caught.value.index == 2
    made = units.Scene.of([cube], [0, 0, 0], poses)
    before = report_of(made)
    poses[2, 0, 3] = 100.0
    assert before.pairs.tolist() == [[0, 2]] and report_of(made).json() == before.json()
    assert report_of(units.Scene.of([cube], [0, 0, 0], poses)).json() == b""
    for array in (made.poses, made.boxes, made.models):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_two_questions_at_a_time_have_jobs_of_their_own(scene):
    near = scene.jobs(0.5, size=40)
    near.blocks[0] = "near"
    far = scene.jobs(None, size=40)
    assert len(near) != len(far) and far.blocks == {} and near.blocks == {0: "near"}
    assert scene.jobs(None, size=40) is far
    again = scene.stored(scene.packs).jobs(None, size=40)
    assert again[0] is far[0] and again.blocks is not far.blocks


def test_a_pair_without_an_answer_is_named_by_its_parts():
    cube = impinge.Model(*cube_arrays())
    made = units.Scene.of([cube], [0, 0, 0], [shift(0), shift(9e299), shift(-9e299)], names=["o", "p", "q"])
    (job,) = made.jobs(1e307)
    alone = dataclasses.replace(job, parts=job.parts[1:], of_part=job.of_part[1:], poses=job.poses[1:])
    alone = dataclasses.replace(alone, pairs=np.array([[0, 1]], dtype=np.uint32))
    with pytest.raises(impinge.PoseError, match="^part 1 and part 2: the pose moves mesh B out of range") as caught:
        units.clash(alone, made.packs)
    assert caught.value.objects == (1, 2)
    assert str(made.named(caught.value)).startswith("p and q: the pose moves mesh B out of range")


def test_one_pose_is_no_batch():
    models = [impinge.Model(*cube_arrays()), impinge.Model(*torus_arrays())]
    images = [np.frombuffer(model.to_image(), dtype=np.uint8) for model in models]
    names = tuple(map(units.hash_of, images))
    assert units.poses(names, images.__getitem__, [shift(0.1), shift(9)]).tolist() == [True, False]
    for one in (shift(0.1), np.array([0.1, 0, 0, 0, 0, 0, 1.0])):
        with pytest.raises(ValueError, match="poses must be a batch"):
            units.poses(names, images.__getitem__, one)


HEADER = "name,file,tx,ty,tz,qx,qy,qz,qw"


def test_a_part_that_cannot_be_read_is_named_and_stops_nothing_else(tmp_path):
    cube = impinge.Model(*cube_arrays())
    (tmp_path / "cube.impinge").write_bytes(cube.to_bytes())
    (tmp_path / "again.impinge").write_bytes(cube.to_bytes())
    (tmp_path / "cut.impinge").write_bytes(cube.to_bytes()[:-9])
    (tmp_path / "bad.obj").write_text("v 0 0 zero\n")
    files = ["cube.impinge", "bad.obj", "again.impinge", "none.stl", "cut.impinge", "bad.obj"]
    rows = [f"p{k},{name},{k / 4},0,0,0,0,0,1" for k, name in enumerate(files)]
    (tmp_path / "scene.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    scene = units.read(tmp_path / "scene.csv")
    assert len(scene.hashes) == 1, "two files of one content are one model"
    report = report_of(scene)
    lines = [json.loads(line) for line in report.json().splitlines()]
    assert [line["error"]["place"] for line in lines[:-1]] == ["p1", "p3", "p4", "p5"]
    assert [(line["a"], line["b"]) for line in lines[-1:]] == [("p0", "p2")]
    messages = [line["error"]["message"] for line in lines[:-1]]
    assert messages[0] == messages[3] == f'{tmp_path / "bad.obj"}: line 1: coordinate z is "zero", not a number'
    assert messages[1] == f"{tmp_path / 'none.stl'}: No such file or directory (os error 2)"
    assert messages[2].startswith(f"{tmp_path / 'cut.impinge'}: ")


def test_files_and_rows_that_cannot_be_read_are_named_and_stop_nothing_else(tmp_path):
    (tmp_path / "cube.impinge").write_bytes(impinge.Model(*cube_arrays()).to_bytes())
    rows = ["a,cube.impinge,0,0,0,0,0,0,1,left", "b,cube.impinge,0,0,0,0,0,0,2,left"]
    rows += ["c,cube.impinge,1,0,0,0,0,0,1,right", ",cube.impinge,0,0,0,0,0,0,1,left"]
    (tmp_path / "scene.csv").write_text("\n".join([f"{HEADER},group", *rows]) + "\n")
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    (tmp_path / "bad.csv").write_text("name\n")
    paths = [tmp_path / name for name in ["scene.csv", "bad.glb", "none.csv", "bad.csv"]]
    scene = units.read(paths)
    table, glb, none, bad = map(str, paths)
    lines = [json.loads(line) for line in report_of(scene).json().splitlines()]
    assert [(line["a"], line["b"]) for line in lines[5:]] == [("a", "c")]
    errors = [line["error"] for line in lines[:5]]
    assert [error["place"] for error in errors] == ["b", f"{table}: line 5", glb, none, bad]
    messages = [error["message"] for error in errors]
    assert messages[0].startswith(f"{table}: line 3: qx, qy, qz, qw are no rotation")
    assert messages[1] == f"{table}: line 5: the name is empty"
    assert messages[2].startswith(f"{glb}: ")
    assert messages[3] == f"{none}: No such file or directory (os error 2)"
    assert messages[4].startswith(f"{bad}: line 1: the header has no column")
    # What may be of any group is named for every choice of groups, the others for their own.
    def of_groups(*groups):
        return scene.report([units.clash(job, scene.packs) for job in scene.jobs(groups=groups)], groups=groups)

    assert list(of_groups("right", "right").unread) == [3, 5, 6]
    assert list(of_groups("roof", "left").unread) == [1, 3, 5, 6]
    assert len(of_groups("left", "right")) == 1


def test_errors_of_scenes_name_the_place(tmp_path):
    (tmp_path / "scene.csv").write_text(f"{HEADER}\na,b.obj,0,0,0,0,0,0,1\na,b.obj,0,0,0,0,0,0,1\n")
    with pytest.raises(impinge.FileError, match='line 3: the name "a" stands in line 2 already'):
        units.read([tmp_path / "scene.csv"])
    with pytest.raises(impinge.FileError, match="parts 1 and 2 of the scene have this name"):
        units.read(["a.obj", "a.obj"])


@pytest.mark.skipif("IMPINGE_CLASH_SCENE" not in os.environ, reason="IMPINGE_CLASH_SCENE and _LINES name no scene")
def test_the_report_of_files_has_the_bytes_of_the_command_line(monkeypatch):
    table, lines = Path(os.environ["IMPINGE_CLASH_SCENE"]), Path(os.environ["IMPINGE_CLASH_LINES"])
    scene = units.read(table)
    for size in (2048, 5):
        report = report_of(scene, size, clearance=0.03125, solids=True)
        assert report.json() == lines.read_bytes() and len(report) > 20


def test_models_are_loaded_once_and_let_go_beyond_a_limit():
    asked = []

    def stored(model):
        asked.append(model)
        return np.frombuffer(model.to_image(), dtype=np.uint8)

    models = [impinge.Model(*torus_arrays(8 + k, 8)) for k in range(4)]
    kept = units.Kept(2 * models[3].nbytes + models[0].nbytes // 2)
    for model in [models[0], models[0], models[1], models[0], models[2], models[0], models[1]]:
        own = kept.model(units.hash_of(model.to_image()), lambda model=model: stored(model))
        assert np.array_equal(own.faces, model.faces)
    assert asked == [models[0], models[1], models[2], models[1]], "the one unused for longest went"
    assert len(kept) == 2 and kept.nbytes <= kept.limit


def test_models_are_views_of_aligned_packs(scene):
    kept = units.Kept(1 << 30)
    assert len(scene.places) > 3
    for name, (pack, start, end) in zip(scene.hashes, scene.places):
        image = scene.packs[pack][start:end]
        assert image.ctypes.data % 64 == 0 and not image.flags.writeable
        memory = kept.model(name, lambda image=image: image).memory
        assert memory.ctypes.data == image.ctypes.data and len(memory) == len(image)


def test_packs_may_lie_anywhere_and_be_writable(scene):
    whole = report_of(scene, clearance=0.25, solids=True).json()

    def moved(pack):
        room = np.empty(len(pack) + 64, dtype=np.uint8)
        first = (8 - room.ctypes.data) % 64
        room[first : first + len(pack)] = pack
        return room[first : first + len(pack)]

    for pack_of in (moved, np.ndarray.tobytes, lambda pack: bytearray(pack.tobytes())):
        packs = [pack_of(pack) for pack in scene.packs]
        kept, units._kept = units._kept, units.Kept(1 << 30)
        try:
            jobs = scene.jobs(clearance=0.25, solids=True)
            assert scene.report([units.clash(job, packs) for job in jobs]).json() == whole
            if pack_of is moved:
                assert all(model.memory is None for model in units._kept._models.values())
                assert all(pack.flags.writeable for pack in packs), "the caller's arrays are as they were"
        finally:
            units._kept = kept


def test_large_models_have_packs_of_their_own(scene, monkeypatch):
    whole = report_of(scene).json()
    monkeypatch.setattr(units, "PACK", 1)
    alone = crowd(300, 4)
    assert len(alone.packs) == 4 and [place.start for place in alone.places] == [0] * 4
    assert report_of(alone).json() == whole


def test_an_image_is_checked_once_and_then_known_by_its_hash(scene, monkeypatch):
    told = []

    class Watched:
        @staticmethod
        def view(data, *, checked=False):
            told.append(checked)
            return impinge.Model.view(data, checked=checked)

    monkeypatch.setattr(units, "Model", Watched)
    images = [scene.packs[p][s:e] for p, s, e in scene.places[:2]]
    kept = units.Kept(1)
    for k in (0, 1, 0, 1):
        kept.model(scene.hashes[k], lambda k=k: images[k])
    assert told == [False, False, True, True]
    # Bytes without the hash are not those that were checked, whatever is said of them.
    with pytest.raises(impinge.StoredError, match=f"model {scene.hashes[0]}: its image is that of another model"):
        kept.model(scene.hashes[0], lambda: images[1])
    assert told == [False, False, True, True, False]
    damaged = images[0].copy()
    damaged[len(damaged) // 2] ^= 1
    for other in (kept, units.Kept(1)):
        with pytest.raises(impinge.StoredError, match=f"model {scene.hashes[0]}: .*checksum"):
            other.model(scene.hashes[0], lambda: damaged)
    for bad in (b"", b"short", impinge.Model(*cube_arrays()).to_bytes()):
        with pytest.raises(impinge.StoredError, match=f"model {scene.hashes[0]}: "):
            kept.model(scene.hashes[0], lambda bad=bad: bad)
    assert told == [False, False, True, True] + [False] * 6


def test_a_scene_of_image_files_is_that_of_compact_ones(tmp_path):
    models = [impinge.Model(*torus_arrays(8 + k, 8)) for k in range(3)]
    reports = []
    for form in (impinge.Model.to_bytes, impinge.Model.to_image):
        for k, model in enumerate(models):
            (tmp_path / f"{k}.impinge").write_bytes(form(model))
        rows = [f"p{k},{k % 3}.impinge,{k / 2},{k / 4},0,0,0,0,1" for k in range(12)]
        (tmp_path / "scene.csv").write_text("\n".join([HEADER, *rows]) + "\n")
        found = units.read(tmp_path / "scene.csv")
        assert len(found.hashes) == 3
        reports.append((found.hashes, report_of(found, clearance=0.1).json()))
    assert reports[0] == reports[1] and len(reports[0][1]) > 1000


def test_work_and_results_travel(scene):
    job = scene.jobs(size=100)[2]
    again = pickle.loads(pickle.dumps(job))
    one, other = units.clash(job, scene.packs), units.clash(again, {n: scene.packs[n] for n in job.packs})
    assert one.keys() == other.keys() and np.array_equal(one["pairs"], other["pairs"])
    assert report_of(pickle.loads(pickle.dumps(scene))).json() == report_of(scene).json()


def test_poses_are_those_of_the_pair():
    a, b = impinge.Model(*torus_arrays()), impinge.Model(*cube_arrays(0.3))
    pair, stored = impinge.Pair(a, b), [np.frombuffer(m.to_image(), dtype=np.uint8) for m in (a, b)]
    names = tuple(units.hash_of(data.tobytes()) for data in stored)
    poses = matrices(random_quaternions(500, 3))
    asked = [("collides", {}), ("distance", {}), ("nearer_than", {"d": 0.2}), ("verdict", {}), ("verdict", {"codes": True})]
    for question, options in asked:
        answer = units.poses(names, stored.__getitem__, poses, question, **options)
        assert answer.dtype == (np.uint8 if "codes" in options else units.QUESTIONS[question])
        assert np.array_equal(answer, getattr(pair, question)(poses, **options))
    poses[7, 0, 0] = 3
    with pytest.raises(impinge.PoseError, match="pose 1007: ") as caught:
        units.poses(names, stored.__getitem__, poses, start=1000)
    assert caught.value.index == 1007 and caught.value.value is not None


def test_wrong_pairs_and_boxes_are_refused(scene):
    cube = impinge.Model(*cube_arrays())
    one = np.array([[0, 1]], dtype=np.uint32)
    make = impinge._impinge.clash_pairs
    with pytest.raises(ValueError, match="there are 1 parts, not 1"):
        make([cube], [0], [shift(0)], one)
    with pytest.raises(ValueError, match="part 0: there are 1 models, not 1"):
        make([cube], [1], [shift(0)], one)
    with pytest.raises(ValueError, match="2 parts, but 1 poses"):
        make([cube], [0, 0], [shift(0)], one)
    with pytest.raises(ValueError, match="pairs must have the shape"):
        make([cube], [0, 0], [shift(0), shift(1)], one[0])
    with pytest.raises(ValueError, match="boxes must have the shape"):
        impinge._impinge.join_boxes(np.zeros((3, 3)), 4)
    with pytest.raises(ValueError, match="a clearance must be finite"):
        scene.jobs(-1.0)


def test_groups_of_a_scene_in_memory():
    cube, poses = impinge.Model(*cube_arrays()), [shift(0.0), shift(0.5), shift(0.5, 0.5)]
    alone = units.Scene.of([cube], [0, 0, 0], poses)
    for groups in [("pipes", "walls"), ("", "")]:
        with pytest.raises(ValueError, match=f'no part is in group "{groups[0]}"; there are none'):
            alone.jobs(groups=groups)
    for of in (["a", "b", "a"], np.array(["a", "b", "a"])):
        grouped = units.Scene.of([cube], [0, 0, 0], poses, groups=of)
        for groups in (("a", "b"), np.array(["b", "a"])):
            (job,) = grouped.jobs(groups=groups)
            assert job.pairs.tolist() == [[0, 1], [1, 2]]
    assert sum(len(job.pairs) for job in grouped.jobs()) == 3
    with pytest.raises(ValueError, match="groups must be 2 texts, not 0"):
        grouped.jobs(groups=())
    # As `impinge clash --groups` refuses it, also where some parts have no group.
    for of in (["a", "b", "a"], ["a", "b", ""]):
        with pytest.raises(ValueError, match='no part is in group "c"; there are a, b$'):
            units.Scene.of([cube], [0, 0, 0], poses, groups=of).jobs(groups=("a", "c"))


@pytest.mark.parametrize(
    ("wrong", "error", "why"),
    [
        ({"groups": ["a"]}, ValueError, "groups must be 3 texts, not 1"),
        ({"groups": []}, ValueError, "groups must be 3 texts, not 0"),
        ({"groups": "aba"}, TypeError, "groups must be 3 texts, not one str"),
        ({"groups": ["a", "b", 3]}, TypeError, r"groups\[2\] must be a str, not a int"),
        ({"names": ["a", "b"]}, ValueError, "names must be 3 texts, not 2"),
        ({"names": ["a", "b", "a"]}, ValueError, r'names\[0\] and names\[2\] are both "a"'),
        ({"names": ["a", None, "b"]}, TypeError, r"names\[1\] must be a str, not a NoneType"),
        ({"models": "mesh"}, TypeError, r"models\[1\] must be an impinge.Model, not a SimpleNamespace"),
        ({"of_part": [[0, 0, 0]]}, ValueError, r"of_part must be \(n,\), not \(1, 3\)"),
        ({"poses": np.zeros((2, 4, 4))}, ValueError, r"poses must be \(3, 4, 4\), a pose a part, not \(2, 4, 4\)"),
        ({"poses": np.zeros((3, 7))}, ValueError, r"poses must be \(3, 4, 4\), a pose a part, not \(3, 7\)"),
        ({"poses": np.zeros((48,))}, ValueError, r"poses must be \(3, 4, 4\), a pose a part, not \(48,\)"),
    ],
)
def test_what_makes_no_scene_is_named(wrong, error, why):
    cube = impinge.Model(*cube_arrays())
    given = {"models": [cube], "of_part": [0, 0, 0], "poses": [shift(0), shift(9), shift(0.5)], **wrong}
    if given["models"] == "mesh":
        given["models"] = [cube, SimpleNamespace(vertices=cube.vertices, faces=cube.faces)]
    with pytest.raises(error, match=why):
        units.Scene.of(**given)


@pytest.mark.parametrize(
    ("wrong", "error", "why"),
    [
        ({"contacts": -1}, ValueError, "contacts must be at least 0, not -1"),
        ({"contacts": 2.5}, ValueError, "contacts must be a whole number, not 2.5"),
        ({"size": 0}, ValueError, "size must be at least 1, not 0"),
        ({"memory": -1}, ValueError, "memory must be at least 0, not -1"),
        ({"memory": float("nan")}, ValueError, "memory must be a whole number, not nan"),
        ({"clearance": float("nan")}, ValueError, "a clearance must be finite"),
        ({"clearance": -1.0}, ValueError, "a clearance must be finite"),
        ({"groups": "ab"}, TypeError, "groups must be 2 texts, not one str"),
        ({"groups": ("a",)}, ValueError, "groups must be 2 texts, not 1"),
        ({"ignore": ["part 0"]}, TypeError, r"ignore\[0\] must be 2 texts, not one str"),
        ({"ignore": [("part 0", "part 1", "part 2")]}, ValueError, r"ignore\[0\] must be 2 texts, not 3"),
    ],
)
def test_what_is_no_question_is_named_also_where_no_pair_is_near(wrong, error, why):
    alone = units.Scene.of([impinge.Model(*cube_arrays())], [0, 0], [shift(0), shift(9)], groups=["a", "b"])
    assert alone.jobs(contacts=np.int64(3), memory=1e9, size=1) == []
    with pytest.raises(error, match=why):
        alone.jobs(**wrong)


def test_a_limit_is_a_number_of_bytes(monkeypatch):
    monkeypatch.setattr(units, "_kept", units.Kept(1 << 30))
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match="limit must be "):
            units.keep(wrong)
    assert units._kept.limit == 1 << 30


def test_pairs_keep_no_packs_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(units, "_kept", units.Kept(1 << 30))
    models = [impinge.Model(*torus_arrays(10 + k)) for k in range(4)]
    images = [model.to_image() for model in models]
    names = [units.hash_of(image) for image in images]

    def ask(*numbers):
        """Asks the pair, and returns weak references to the memory of both packs."""
        packs = [units.aligned([images[number]])[0] for number in numbers]
        units.poses(tuple(names[number] for number in numbers), packs.__getitem__, [shift(0.1)])
        return [weakref.ref(pack.base) for pack in packs]

    def held():
        gc.collect()
        return [memory() is not None for memory in packs]

    packs = [*ask(0, 1), ask(1, 2)[1]]
    assert held() == [True] * 3 and len(units._kept._pairs) == 2
    units.keep(models[1].nbytes + models[2].nbytes)
    assert held() == [False, True, True]
    assert list(units._kept._pairs) == [(names[1], names[2])], "both models of it are kept"
    units.keep(0)
    assert held() == [False, False, True] and not units._kept._pairs
    # The second model takes the place of the first before they are a pair.
    packs += ask(0, 3)
    assert held() == [False] * 4 + [True] and not units._kept._pairs
    # A model that was viewed anew is not the one that a pair would keep.
    units.keep(1 << 30)
    pair = units._kept.pair((names[3], names[3]), (models[3], models[3]))
    assert pair.a.memory is None and not units._kept._pairs


def test_docstrings_tell_all_fields():
    """Of named tuples and dataclasses, whose fields have no docstrings of their own."""
    told, count = {}, 0
    for one in [*vars(impinge._results).values(), *vars(units).values()]:
        names = getattr(one, "_fields", None) or getattr(one, "__dataclass_fields__", ())
        if not isinstance(one, type) or not one.__module__.startswith("impinge.") or not names:
            continue
        labels = re.findall(r"(?:^ *|\. )(\w+(?:, \w+)*):", one.__doc__, re.MULTILINE)
        told[one.__name__] = {name for label in labels for name in label.split(", ")}
        public = {name for name in names if not name.startswith("_")}
        assert public <= told[one.__name__], (one, public - told[one.__name__])
        count += len(public)
    assert len(told) == 8 + 3 + 3 and count > 60
    for one in (units.Kept, units.Jobs, units.Report):
        assert one.__init__.__doc__

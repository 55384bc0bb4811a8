"""Pairs: every question, poses in both forms, batches, errors."""

import numpy as np
import pytest
from conftest import cube_arrays, matrices, random_quaternions, shift, torus_arrays

import impinge


@pytest.fixture(scope="module")
def pair(cube, sheet):
    return impinge.Pair(cube, sheet)


def test_touching_counts(cube):
    pair = impinge.Pair(cube, cube)
    assert pair.collides(shift(1.0)) is True
    assert pair.collides(shift(np.nextafter(1.0, 2.0))) is False
    assert [pair.touch(shift(x, 0.25)) for x in (1.5, 1.0, 0.75)] == [None, "touches", "pierces"]


def test_distances(cube):
    pair = impinge.Pair(cube, cube)
    found = pair.nearest(shift(3.0))
    assert pair.distance(shift(3.0)) == found.distance == 2.0
    assert found.on_a[0] == 0.5 and found.on_b[0] == 2.5 and found.triangles.shape == (2,)
    assert pair.nearer_than(shift(3.0), 2.0) is True
    assert pair.nearer_than(shift(3.0), np.nextafter(2.0, 0.0)) is False


def test_containment(cube, small):
    pair = impinge.Pair(cube, small)
    assert not pair.collides(shift(0)) and pair.collides(shift(0), solids=True)
    assert pair.contains(shift(0)) is True and pair.contains(shift(0.25)) is False
    words = ["b-in-a", "intersecting", "separated"]
    poses = np.stack([shift(0), shift(0.5), shift(2)])
    assert pair.verdict(poses) == words == [pair.verdict(pose) for pose in poses]
    assert impinge.Pair(small, cube).verdict(shift(0)) == "a-in-b"
    assert pair.distance(shift(0)) == 0.25 and pair.distance(shift(0), solids=True) == 0.0


def test_contacts_and_their_details(cube):
    pair = impinge.Pair(cube, cube)
    pose = shift(0.5, 0.25, 0.125)
    list_ = pair.contacts(pose)
    assert list_.dtype == np.uint32 and list_.tolist() == sorted(list_.tolist()) and len(list_) > 3
    details = pair.contacts(pose, details=True)
    assert np.array_equal(details.triangles, list_)
    assert details.normals.shape == (len(list_), 3) and len(details.offsets) == len(list_) + 1
    assert np.allclose(np.linalg.norm(details.normals, axis=1), 1.0)
    # Every corner lies on the boundary of both cubes.
    for points in (details.points, details.points - pose[:3, 3]):
        assert np.allclose(np.abs(points).max(axis=1), 0.5)
    assert np.array_equal(pair.contacts(pose, cap=2), list_[:2])
    apart = pair.contacts(shift(3), details=True)
    assert apart.triangles.shape == (0, 2) and apart.points.shape == (0, 3)


def test_verdicts_as_codes(cube, small):
    poses = np.concatenate([random_quaternions(300, 2), [[0, 0, 0, 0, 0, 0, 1.0]]])
    for pair in (impinge.Pair(cube, small), impinge.Pair(small, cube)):
        codes, words = pair.verdict(poses, codes=True), pair.verdict(poses)
        assert codes.dtype == np.uint8 and codes.shape == (301,) and isinstance(words, list)
        assert [impinge.VERDICTS[code] for code in codes] == words and len(set(words)) == 3
        one = [pair.verdict(pose, codes=True) for pose in poses[-20:]]
        assert one == codes[-20:].tolist() and type(one[0]) is int
        assert np.array_equal(codes != 0, pair.collides(poses, solids=True))
    assert pair.verdict(poses[:0], codes=True).shape == (0,) and pair.verdict(poses[:0]) == []


def test_contacts_of_a_batch_with_details(cube):
    pair = impinge.Pair(cube, cube)
    poses = np.stack([shift(0.5, 0.25, 0.125), shift(3), shift(0.9), shift(0.0, 0.0, 1.0)])
    for cap in (None, 2):
        found = pair.contacts(poses, details=True, cap=cap)
        assert np.array_equal(found.triangles, pair.contacts(poses, cap=cap)) and found.triangles.shape[1] == 3
        of_each = [pair.contacts(pose, details=True, cap=cap) for pose in poses]
        assert [len(one.triangles) > 0 for one in of_each] == [True, False, True, True]
        assert np.array_equal(found.normals, np.concatenate([one.normals for one in of_each]))
        assert np.array_equal(found.points, np.concatenate([one.points for one in of_each]))
        assert np.array_equal(np.diff(found.offsets), np.concatenate([np.diff(one.offsets) for one in of_each]))
        assert found.offsets[0] == 0 and found.offsets[-1] == len(found.points)
    empty = pair.contacts(poses[:0], details=True)
    assert empty.triangles.shape == (0, 3) and empty.offsets.tolist() == [0]


def test_touches_of_a_batch(cube):
    pair, seen = impinge.Pair(cube, cube), []
    poses = np.stack([shift(x, 0.25) for x in (1.5, 1.0, 0.75, 1.0)])
    codes = pair.touch(poses, progress=lambda *now: seen.append(now))
    assert codes.dtype == np.uint8 and seen[-1] == ("poses", 4, 4)
    assert [impinge.TOUCHES[code] for code in codes] == [None, "touches", "pierces", "touches"]
    assert [impinge.TOUCHES[code] for code in codes] == [pair.touch(pose) for pose in poses]
    assert pair.touch(poses[:0]).shape == (0,)


def test_ways_out_of_a_batch(cube):
    pair = impinge.Pair(cube, cube)
    poses = np.stack([shift(0.75), shift(3), shift(0.2, 0.1)])
    directions = np.array([[0, 0, 2], [1, 0, 0], [0, -1, 0.5]])
    for asked in (directions, directions[0]):
        found = pair.exit(poses, asked)
        one = [pair.exit(pose, way) for pose, way in zip(poses, np.broadcast_to(asked, (3, 3)))]
        for field in ("by", "low", "high", "pose"):
            assert np.array_equal(getattr(found, field), [getattr(way, field) for way in one]), field
        expected = [(-1, -1) if way.triangles is None else way.triangles for way in one]
        assert found.triangles.tolist() == [list(two) for two in expected] and (-1, -1) in expected
        assert not pair.collides(found.pose).any() and len(set(found.by)) == 3
    assert pair.exit(poses[:0], directions[0]).pose.shape == (0, 4, 4)
    for at, wrong in [(poses, directions[:2]), (poses[0], directions), (poses, [0, 1])]:
        with pytest.raises(ValueError, match="a direction must have the shape"):
            pair.exit(at, wrong)
    with pytest.raises(impinge.ArgumentError, match="pose 1: ") as caught:
        pair.exit(poses, directions * [[1], [0], [1]])
    assert caught.value.index == 1


def test_penetration_exit_and_sweep(cube):
    pair = impinge.Pair(cube, cube)
    deep = pair.penetration(shift(0.75, 0.1))
    assert deep.lower <= 0.25 <= deep.upper < 0.2501
    assert not pair.collides(shift(*(np.array([0.75, 0.1, 0.0]) + deep.translation)))
    out = pair.exit(shift(0.75), [0, 0, 2])
    assert out.low <= 0.5 <= out.by < 0.5001 and not pair.collides(out.pose)
    swept = pair.sweep(shift(3), shift(-1))
    assert swept.outcome == "touching" and swept.low <= 0.5 <= swept.high < 0.50001
    assert pair.collides(swept.pose) and swept.triangles is not None
    free = pair.sweep(shift(3), shift(3, 9))
    assert free.outcome == "free" and free.pose is None and free.distance > 1.9
    assert pair.sweep(shift(3), shift(1.5), near=0.75).outcome == "touching"


def test_both_forms_of_a_pose_agree(pair):
    poses = random_quaternions(200, seed=1)
    verdicts = pair.collides(poses)
    assert 20 < verdicts.sum() < 180
    assert np.array_equal(verdicts, pair.collides(matrices(poses)))
    assert np.allclose(pair.distance(poses), pair.distance(matrices(poses)), atol=1e-12)


def test_a_pose_in_any_dress(pair):
    pose = matrices(random_quaternions(1, seed=5))[0]
    wide = np.zeros((8, 8))
    wide[::2, ::2] = pose
    expected = pair.distance(pose)
    for same in (np.asfortranarray(pose), wide[::2, ::2], pose.tolist(), pose.astype(">f8")):
        assert pair.distance(same) == expected
    assert abs(pair.distance(pose.astype("f4")) - expected) < 1e-5
    assert pair.collides([3, 0, 0, 0, 0, 0, 1]) is False
    assert pair.collides(np.eye(4, dtype=int)) is True


def test_a_batch_equals_single_calls(pair):
    poses = random_quaternions(300, seed=2)
    assert pair.collides(poses).tolist() == [pair.collides(p) for p in poses]
    assert pair.nearer_than(poses, 0.2).tolist() == [pair.nearer_than(p, 0.2) for p in poses]
    assert pair.distance(poses).tolist() == [pair.distance(p) for p in poses]
    rows = pair.contacts(poses)
    single = [[i, *c] for i, p in enumerate(poses) for c in pair.contacts(p).tolist()]
    assert rows.shape[1] == 3 and len(rows) > 100 and rows.tolist() == single
    nearest = pair.nearest(poses)
    assert nearest.on_a.shape == nearest.on_b.shape == (300, 3)
    apart = np.linalg.norm(nearest.on_a - nearest.on_b, axis=1)
    assert np.allclose(apart, nearest.distance, atol=1e-12)


def test_depths_of_a_batch_equal_single_calls(cube):
    pair = impinge.Pair(cube, impinge.Model(*torus_arrays(8, 6)))
    poses = random_quaternions(12, seed=8)
    for form in (poses, matrices(poses)):
        found = pair.penetration(form, solids=True, budget=20)
        single = [pair.penetration(pose, solids=True, budget=20) for pose in form]
        assert (found.lower.shape, found.upper.shape, found.translation.shape) == ((12,), (12,), (12, 3))
        assert found.lower.tolist() == [one.lower for one in single]
        assert found.upper.tolist() == [one.upper for one in single]
        assert np.array_equal(found.translation, [one.translation for one in single])
    assert (found.lower > 0).any() and (found.lower <= found.upper).all()
    assert np.allclose(np.linalg.norm(found.translation, axis=1), found.upper)
    out = matrices(poses)
    out[:, :3, 3] += found.translation
    assert not pair.collides(out).any()
    empty = pair.penetration(np.zeros((0, 7)))
    assert empty.lower.shape == empty.upper.shape == (0,) and empty.translation.shape == (0, 3)


@pytest.mark.parametrize("way", [{}, {"near": 0.125}, {"about": [0.5, 0, 0]}, {"screw": True}])
def test_sweeps_of_a_batch_equal_single_calls(cube, way):
    pair = impinge.Pair(cube, impinge.Model(*torus_arrays(8, 6)))
    starts, ends = random_quaternions(40, seed=11), matrices(random_quaternions(40, seed=12))
    starts[::2, :3] *= 3
    ends[1::2, :3, 3] *= 3
    ends[:5, :3, 3] = starts[:5, :3] + [0, 0, 1]
    found = pair.sweep(starts, ends, **way)
    single = [pair.sweep(start, end, **way) for start, end in zip(starts, ends)]
    assert found.outcome.dtype == "<U10" and found.outcome.tolist() == [one.outcome for one in single]
    assert set(found.outcome) >= {"touching", "free"}
    for k in ("low", "high", "distance"):
        assert getattr(found, k).tolist() == [getattr(one, k) for one in single]
    assert found.triangles.tolist() == [list(one.triangles or (-1, -1)) for one in single]
    nowhere = np.full((4, 4), np.nan)
    there = [nowhere if one.pose is None else one.pose for one in single]
    assert np.array_equal(found.pose, there, equal_nan=True)
    empty = pair.sweep(np.zeros((0, 7)), np.zeros((0, 4, 4)), **way)
    assert empty.outcome.shape == (0,) and empty.triangles.shape == (0, 2) and empty.pose.shape == (0, 4, 4)


def test_refused_batches_of_depths_and_sweeps(pair, cube):
    poses = random_quaternions(9, seed=1)
    poses[:, 0] += 9.0
    bad = poses.copy()
    bad[4, 3:] = 2.0
    for ask in (pair.penetration, lambda bad: pair.sweep(poses, bad), lambda bad: pair.sweep(bad, poses)):
        with pytest.raises(impinge.PoseError, match="pose 4: ") as caught:
            ask(bad)
        assert caught.value.index == 4
    with pytest.raises(impinge.NotClosedError, match="pose 0: mesh B has no inside") as caught:
        pair.penetration(poses, solids=True)
    assert (caught.value.index, caught.value.mesh) == (0, "B")
    with pytest.raises(ValueError, match="9 poses to start from, but 8 to end at"):
        pair.sweep(poses, poses[1:])
    for start, end in [(poses, poses[0]), (poses[0], poses)]:
        with pytest.raises(ValueError, match="both be one pose, or both a batch"):
            pair.sweep(start, end)
    with pytest.raises(ValueError, match="a screw has no point"):
        pair.sweep(poses, poses, about=[0, 0, 0], screw=True)
    for some in (poses, poses[:0]):
        with pytest.raises(impinge.ArgumentError):
            pair.sweep(some, some, near=-1.0)
        for width in (-0.1, float("nan"), float("inf")):
            with pytest.raises(impinge.ArgumentError, match="the width of a penetration is") as caught:
                pair.penetration(some, width=width)
            assert caught.value.option == "width" and str(caught.value.value) == str(width)


def test_the_same_bits_again(cube, sheet):
    poses = random_quaternions(500, seed=3)
    runs = [impinge.Pair(cube, sheet) for _ in range(3)]
    first = runs[0].nearest(poses).distance.tobytes()
    assert all(run.nearest(poses).distance.tobytes() == first for run in runs[1:])
    assert len({run.contacts(poses).tobytes() for run in runs}) == 1


def test_an_empty_batch(pair):
    for empty in (np.zeros((0, 7)), np.zeros((0, 4, 4))):
        assert pair.collides(empty).shape == (0,)
        assert pair.contacts(empty).shape == (0, 3)
        assert pair.nearest(empty).on_a.shape == (0, 3)


@pytest.mark.parametrize("method", ["wide"])
def test_methods(cube, sheet, method):
    assert method in impinge.methods()
    assert impinge.Pair(cube, sheet, method=method).collides(np.eye(4)) is True
    with pytest.raises(ValueError, match="unknown method"):
        impinge.Pair(cube, sheet, method="wade")


def bad_poses():
    nan, scaled, mirrored, projective = (np.eye(4) for _ in range(4))
    nan[0, 3] = np.nan
    scaled[:3, :3] *= 2
    mirrored[0, 0] = -1
    projective[3, 0] = 0.5
    return [
        (nan, "translation holds NaN"),
        (scaled, "deviates from an orthonormal"),
        (mirrored, "mirrors space"),
        (projective, "last row"),
    ]


@pytest.mark.parametrize(("pose", "message"), bad_poses())
def test_bad_poses(pair, pose, message):
    with pytest.raises(impinge.PoseError, match=message) as caught:
        pair.collides(pose)
    assert caught.value.index is None
    batch = np.tile(np.eye(4), (70_000, 1, 1))
    batch[:, 0, 3] = 9.0
    # Of several, read by different threads, the first is told.
    batch[[66_000, 68_500, 69_900]] = pose
    with pytest.raises(impinge.PoseError, match="pose 66000: ") as caught:
        pair.collides(batch)
    assert caught.value.index == 66_000


def test_a_pose_out_of_range_names_its_place(cube):
    far = impinge.Pair(cube, impinge.Model(cube_arrays()[0] * 1e300, cube_arrays()[1]))
    poses = np.stack([np.eye(4), shift(9e299)])
    with pytest.raises(impinge.PoseError, match="pose 1: .*out of range") as caught:
        far.collides(poses)
    assert caught.value.index == 1


@pytest.mark.parametrize("shape", [(3,), (4,), (3, 4), (2, 3, 4), (2, 6), (1, 1, 4, 4), ()])
def test_wrong_shapes(pair, shape):
    with pytest.raises(ValueError, match="a pose must have the shape"):
        pair.collides(np.zeros(shape))


def test_other_arguments(pair, cube, sheet):
    with pytest.raises(impinge.NotClosedError, match="mesh B has no inside") as caught:
        pair.collides(np.eye(4), solids=True)
    assert caught.value.mesh == "B" and len(caught.value.edge) == 2
    for d in (-1.0, np.nan):
        with pytest.raises(impinge.ArgumentError):
            pair.nearer_than(shift(9), d)
        with pytest.raises(impinge.ArgumentError):
            pair.nearer_than(np.zeros((0, 7)), d)
    with pytest.raises(impinge.PoseError, match="pose 0: ") as caught:
        pair.touch(np.zeros((2, 7)))
    assert caught.value.index == 0
    with pytest.raises(ValueError, match="numbers"):
        pair.collides("here")
    with pytest.raises(TypeError):
        impinge.Pair(cube, 3)
    with pytest.raises(impinge.ArgumentError):
        pair.exit(np.eye(4), [0, 0, 0])

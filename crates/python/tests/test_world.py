"""Worlds: objects that come, move and go, and questions about all pairs or one object."""

import time

import numpy as np
import pytest
from conftest import matrices, random_quaternions, shift, torus_arrays

import impinge


@pytest.fixture
def row(cube):
    """Five cubes in a row, 0.9 apart."""
    world = impinge.World()
    ids = [world.add(cube, shift(0.9 * i)) for i in range(5)]
    return world, ids


def test_objects(row, cube):
    world, ids = row
    assert ids == [0, 1, 2, 3, 4] and len(world) == 5 and 4 in world and 5 not in world
    assert world.colliding().tolist() == [[0, 1], [1, 2], [2, 3], [3, 4]]
    world.remove(2)
    assert world.colliding().tolist() == [[0, 1], [3, 4]] and world.ids.tolist() == [0, 1, 3, 4]
    assert world.add(cube, shift(1.8)) == 5  # ids are never given twice
    assert world.colliding().tolist() == [[0, 1], [1, 5], [3, 4], [3, 5]]
    world.set_pose(5, shift(0, 9))
    assert np.array_equal(world.pose(5), shift(0, 9))
    assert world.colliding().tolist() == [[0, 1], [3, 4]]
    with pytest.raises(KeyError, match="no object 2"):
        world.set_pose(2, np.eye(4))
    assert world.model(0) is cube


def test_points_of_clashes_are_on_the_objects_of_their_ids(cube):
    world = impinge.World()
    gone, first = world.add(cube, shift(50)), world.add(cube, shift(0))
    world.remove(gone)
    second = world.add(cube, shift(1.5))  # in the place of the first
    (clash,), near = world.clashes(1.0), world.near(1.0)
    assert (clash.a, clash.b) == (first, second) and clash.distance == 0.5
    assert clash.nearest[:, 0].tolist() == [0.5, 1.0]
    assert near.pairs.tolist() == [[first, second]]


def test_pairs_that_are_not_asked(row):
    world, ids = row
    assert world.allow(0, 1) is False and world.allow(0, 1) is True
    world.set_fixed(1, True)
    world.set_fixed(2, True)
    world.set_groups(4, 2, 2)
    world.set_groups(3, 1, 1)
    assert world.colliding().tolist() == [[2, 3]]


def test_many_poses_at_once(row):
    world, ids = row
    poses = np.stack([shift(3.0 * i) for i in ids])
    world.set_poses(ids, poses)
    assert len(world.colliding()) == 0
    poses[3, 0, 0] = 7.0
    with pytest.raises(impinge.PoseError, match="pose 3"):
        world.set_poses(ids, poses[::-1][::-1])
    assert np.array_equal(world.pose(4), shift(12))
    with pytest.raises(ValueError, match="2 ids, but 5 poses"):
        world.set_poses([0, 1], np.tile(np.eye(4), (5, 1, 1)))


def test_answers_equal_those_of_pairs(cube, sheet):
    rng = np.random.default_rng(7)
    poses = matrices(random_quaternions(12, seed=8))
    poses[:, :3, 3] += rng.uniform(-1, 1, (12, 3))
    models = [cube if i % 2 else sheet for i in range(12)]
    world = impinge.World()
    for model, pose in zip(models, poses):
        world.add(model, pose)
    colliding = {tuple(pair) for pair in world.colliding().tolist()}
    rows = world.contacts()
    assert colliding and {tuple(row[:2]) for row in rows.tolist()} == colliding
    near = world.near(0.3)
    assert {tuple(p) for p in near.pairs.tolist()} == {tuple(p) for p in world.nearer_than(0.3).tolist()}
    least = np.inf
    for i in range(12):
        for j in range(i + 1, 12):
            b_in_a = np.linalg.inv(poses[i]) @ poses[j]
            pair = impinge.Pair(models[i], models[j])
            distance = pair.distance(b_in_a)
            least = min(least, distance) if (i, j) not in colliding else least
            assert ((i, j) in colliding) == (distance == 0)
            known = [k for k, p in enumerate(near.pairs.tolist()) if p == [i, j]]
            assert bool(known) == (distance <= 0.3)
            for k in known:
                on = near.nearest
                assert abs(on.distance[k] - distance) < 1e-12
                between = np.linalg.norm(on.on_a[k] - on.on_b[k])
                assert abs(between - distance) < 1e-12


def test_contacts_in_the_world(row, cube):
    world, ids = row
    world.set_pose(1, shift(0.9, 0.3, 0.2))
    details = world.contacts(details=True)
    assert np.array_equal(details.triangles, world.contacts())
    for k, (a, b, s, t) in enumerate(details.triangles.tolist()):
        points = details.points[details.offsets[k] : details.offsets[k + 1]]
        assert len(points) > 0
        for body in (a, b):
            local = points - world.pose(body)[:3, 3]
            assert np.allclose(np.abs(local).max(axis=1), 0.5)
    one = world.contacts_with(1)
    both = details.triangles[(details.triangles[:, :2] == 1).any(axis=1)]
    assert len(one) == len(both) > 0 and set(one[:, 0]) == {1} and set(one[:, 1]) == {0, 2}


def test_the_nearest_pair_inside_an_object_around_all(cube):
    vertices = cube.vertices * 40.0
    around = impinge.Model(vertices, cube.faces)
    places = 1.5 * np.indices((8, 8, 8)).reshape(3, -1).T - 5.25
    places[100] += [0.25, 0, 0]
    times = []
    for first in ([], [around]):
        world = impinge.World()
        for model in first:
            world.add(model)
        for place in places:
            world.add(cube, shift(*place))
        start = time.perf_counter()
        a, b, found = world.nearest_pair()
        times.append(time.perf_counter() - start)
        assert {a, b} == {100 + len(first), 164 + len(first)}
        assert abs(found.distance - 0.25) < 1e-12
    # Not the distance of each from the one around them.
    assert times[1] < 10 * times[0] + 0.5, times


def test_one_object_and_the_world(row, cube, small):
    world, ids = row
    assert world.colliding_with(1).tolist() == [0, 2]
    assert world.colliding_with(cube, shift(0, 1.0)).tolist() == [0, 1]
    assert world.colliding_with(small).tolist() == []
    assert world.colliding_with(small, solids=True).tolist() == [0]
    assert world.nearer_to(cube, 1.0, shift(-1.5)).tolist() == [0]
    id_, found = world.nearest_to(cube, shift(6.6))
    assert id_ == 4 and abs(found.distance - 2.0) < 1e-12 and found.on_a[0] > found.on_b[0]
    world.set_poses(ids, np.stack([shift(2.0 * i + 0.1 * i * i) for i in ids]))
    a, b, found = world.nearest_pair()
    assert (a, b) == (0, 1) and abs(found.distance - 1.1) < 1e-12
    assert world.nearest_to(3)[0] == 2
    assert impinge.World().nearest_pair() is None and impinge.World().nearest_to(cube) is None
    with pytest.raises(ValueError, match="pose of its own"):
        world.colliding_with(1, np.eye(4))


def test_clashes(cube, small):
    world = impinge.World()
    for x in (0.0, 1.0, 2.125, 2.125):
        world.add(cube, shift(x))
    world.add(small, shift(0.0))
    found = world.clashes(0.125, solids=True)
    named = [(c.a, c.b, c.how, c.inner) for c in found]
    assert named == [
        (0, 1, "touches", None),
        (0, 4, "inside", 4),
        (1, 2, "too-near", None),
        (1, 3, "too-near", None),
        (2, 3, "duplicate", None),
    ]
    assert found[0].contacts > 0 and found[0].extent.shape == (2, 3) and found[2].distance == 0.125
    classes = world.clashes(0.125, solids=True, only_class=True)
    assert [(c.a, c.b, c.how, c.inner) for c in classes] == named
    assert all(c.contacts is None for c in classes)
    assert [c.extent is None for c in classes] == [True, True, False, False, True]


def test_a_failed_question_names_the_objects(cube, sheet):
    world = impinge.World()
    world.add(cube)
    world.remove(0)
    a, b = world.add(cube), world.add(sheet)
    with pytest.raises(impinge.NotClosedError) as caught:
        world.colliding(solids=True)
    assert caught.value.objects == (a, b) and caught.value.mesh == "B"
    assert str(caught.value) == f"objects {a} and {b}: {caught.value.reason}"
    with pytest.raises(impinge.NotClosedError, match=f"^the mesh outside and object {b}: mesh B has no inside"):
        world.colliding_with(cube, np.eye(4), solids=True)
    assert b in world and 0 not in world and -1 not in world and "b" not in world


def test_a_sweep_finds_what_touches_on_the_way(cube):
    """Against each pair by itself, and against the world at many times in between."""
    rng = np.random.default_rng(5)
    torus = impinge.Model(*torus_arrays(12, 8))
    world, models = impinge.World(), {}
    for number, pose in enumerate(matrices(random_quaternions(24, seed=7))):
        pose[:3, 3] *= 4
        model = cube if number % 2 else torus
        models[world.add(model, pose)] = model
    # The object with the lowest place in the world gets the highest id.
    world.remove(0)
    models[world.add(models.pop(0), world.pose(6) @ shift(0.3, 0.2, 0.1))] = torus
    ids = [number for number in models if number % 4]
    starts = {number: world.pose(number) for number in models}
    ends = {number: pose.copy() for number, pose in starts.items()}
    for number in ids:
        ends[number][:3, 3] += rng.uniform(-2, 2, 3)
    found = world.sweep(ids, np.stack([ends[number] for number in ids]))
    assert all(np.array_equal(world.pose(number), pose) for number, pose in starts.items())
    pairs = [tuple(pair) for pair in found.pairs.tolist()]
    assert pairs == sorted(set(pairs)) and set(found.swept.outcome) == {"touching"}
    assert any(max(models) in pair for pair in pairs) and (found.swept.low > 0).sum() > 3
    relative = lambda poses, a, b: np.linalg.inv(poses[a]) @ poses[b]  # noqa: E731
    for a in models:
        for b in (b for b in models if b > a):
            if a in ids and b in ids:
                continue  # seen from A, that B turns about is not what it does here
            first, second = (b, a) if a in ids else (a, b)
            one = impinge.Pair(models[first], models[second]).sweep(
                relative(starts, first, second), relative(ends, first, second)
            )
            assert (one.outcome == "touching") == ((a, b) in pairs)
            if one.outcome == "touching":
                k = pairs.index((a, b))
                assert found.swept.low[k] <= one.high and one.low <= found.swept.high[k]
    for k, (a, b) in enumerate(pairs):
        assert impinge.Pair(models[a], models[b]).collides(found.swept.pose[k])
    for t in np.linspace(0, 1, 60):
        world.set_poses(list(models), np.stack([(1 - t) * starts[n] + t * ends[n] for n in models]))
        for a, b in map(tuple, world.colliding().tolist()):
            assert found.swept.low[pairs.index((a, b))] <= t


def test_sweeps_of_few_objects(row):
    world, ids = row
    world.set_poses(ids, np.stack([shift(3 * i) for i in ids]))
    found = world.sweep([0], [shift(6)])
    assert found.pairs.tolist() == [[0, 1], [0, 2]]
    assert np.allclose(found.swept.low, [1 / 3, 5 / 6], atol=1e-6) and found.swept.pose.shape == (2, 4, 4)
    assert np.allclose(found.swept.pose[:, 0, 3], 1, atol=1e-6)
    assert world.sweep([0], [shift(1.5)]).pairs.shape == (0, 2)
    assert world.sweep([0], [shift(1.5)], near=0.5).pairs.tolist() == [[0, 1]]
    assert world.sweep([], np.zeros((0, 7))).swept.outcome.shape == (0,)
    with pytest.raises(KeyError, match="no object 9"):
        world.sweep([9], [shift(1)])
    with pytest.raises(ValueError, match="2 ids, but 1 poses"):
        world.sweep([0, 1], [shift(1)])
    with pytest.raises(impinge.PoseError, match="pose 1: "):
        world.sweep([0, 1], [shift(1), np.full((4, 4), 2.0)])
    with pytest.raises(ValueError):
        world.sweep([0], [shift(1)], near=-1.0)

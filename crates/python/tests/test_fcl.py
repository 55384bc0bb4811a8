"""`impinge.fcl`: beside python-fcl, and under trimesh's own manager and tests."""

import gc
import inspect
import sys
import threading
import weakref

import numpy as np
import pytest
from conftest import bvh, cube_arrays, grid_arrays, matrices, random_quaternions, shift

import impinge
import impinge.fcl as ours

theirs = pytest.importorskip("fcl")
trimesh = pytest.importorskip("trimesh")


def convex(fcl, vertices, faces):
    flat = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1).ravel()
    return fcl.Convex(vertices, len(faces), flat)


MAKE = {
    "cube": lambda fcl: convex(fcl, *cube_arrays()),
    "box": lambda fcl: fcl.Box(0.5, 1.0, 0.75),
    "sheet": lambda fcl: bvh(fcl, *grid_arrays(12)),
    "hollow": lambda fcl: bvh(fcl, *cube_arrays(1.5)),
    "triangle": lambda fcl: fcl.TriangleP(*np.eye(3)),
}


def at(fcl, geometry, pose):
    return fcl.CollisionObject(geometry, fcl.Transform(pose[:3, :3], pose[:3, 3]))


@pytest.mark.parametrize(
    ("a", "b"),
    [("cube", "box"), ("cube", "sheet"), ("sheet", "hollow"), ("hollow", "hollow"), ("box", "hollow")],
)
def test_verdicts_and_distances_beside_python_fcl(a, b):
    geometries = {fcl: (MAKE[a](fcl), MAKE[b](fcl)) for fcl in (ours, theirs)}
    hits = 0
    poses = random_quaternions(300, seed=21) * ([1.6] * 3 + [1.0] * 4)
    for pose in matrices(poses):
        found = {}
        for fcl, (p, q) in geometries.items():
            o1, o2 = fcl.CollisionObject(p), at(fcl, q, pose)
            result = fcl.DistanceResult()
            count = fcl.collide(o1, o2, fcl.CollisionRequest(), fcl.CollisionResult())
            request = fcl.DistanceRequest(enable_nearest_points=True)
            found[fcl] = count > 0, fcl.distance(o1, o2, request, result), result
        (hit, distance, result), (their_hit, their_distance, _) = found[ours], found[theirs]
        hits += hit
        assert hit == their_hit
        if not hit:
            assert abs(distance - their_distance) < 1e-4
            between = result.nearest_points[0] - result.nearest_points[1]
            assert abs(np.linalg.norm(between) - distance) < 1e-9
        else:
            assert distance <= 0
    assert 10 < hits < 300


def test_a_shifted_box_is_noticed():
    differ = 0
    for pose in matrices(random_quaternions(300, seed=22)):
        p, q = (MAKE["cube"](fcl) for fcl in (ours, theirs))
        mine = ours.collide(at(ours, p, shift(0.1)), at(ours, MAKE["box"](ours), pose))
        other = theirs.collide(theirs.CollisionObject(q), at(theirs, MAKE["box"](theirs), pose))
        differ += (mine > 0) != (other > 0)
    assert differ > 0


def test_contacts_of_meshes():
    o1, o2 = ours.CollisionObject(MAKE["hollow"](ours)), at(ours, MAKE["sheet"](ours), shift(0.5))
    result = ours.CollisionResult()
    count = ours.collide(o1, o2, ours.CollisionRequest(1000, True), result)
    assert count == len(result.contacts) > 3
    for contact in result.contacts:
        assert (contact.o1, contact.o2) == (o1._geom, o2._geom)
        assert 0 <= contact.b1 < 12 and 0 <= contact.b2 < 288 and contact.penetration_depth >= 0
        assert abs(np.abs(contact.pos).max() - 0.75) < 1e-12
    assert ours.collide(o1, o2, ours.CollisionRequest(2, True), ours.CollisionResult()) == 2


def test_depth_of_boxes():
    box = ours.Box(1, 1, 1)
    o1, o2 = ours.CollisionObject(box), ours.CollisionObject(box, ours.Transform(np.array([0.75, 0, 0])))
    signed = ours.DistanceRequest(enable_signed_distance=True)
    assert abs(ours.distance(o1, o2, signed) + 0.25) < 1e-9 and ours.distance(o1, o2) == -1.0
    result = ours.CollisionResult()
    assert ours.collide(o1, o2, ours.CollisionRequest(enable_contact=True), result) == 1
    assert np.allclose(result.contacts[0].normal, [1, 0, 0])
    assert abs(result.contacts[0].penetration_depth - 0.25) < 1e-9


def test_transforms():
    q, t = np.array([0.707, 0.0, 0.0, 0.707]), np.array([1.0, 2.0, 3.0])
    turned = ours.Transform(q, t)
    assert np.allclose(turned.getRotation(), [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-12)
    for args in [(), (q,), (t,), (turned.getRotation(),), (turned.getRotation(), t)]:
        mine, other = ours.Transform(*args), theirs.Transform(*args)
        assert np.allclose(mine.getTranslation(), other.getTranslation())
        assert np.allclose(mine.getRotation(), other.getRotation(), atol=1e-3)
    for pose in random_quaternions(50, seed=3):
        wxyz = pose[[6, 3, 4, 5]]
        back = ours.Transform(wxyz, pose[:3]).getQuatRotation()
        assert min(np.abs(back - wxyz).max(), np.abs(back + wxyz).max()) < 1e-12
    copy = ours.Transform(turned)
    copy.setTranslation([0, 0, 0])
    assert np.array_equal(turned.getTranslation(), t)
    with pytest.raises(ValueError):
        ours.Transform(np.eye(2))


def test_ways():
    box = ours.Box(1, 1, 1)
    o1, o2 = ours.CollisionObject(box), ours.CollisionObject(box, ours.Transform(np.array([5.0, 0, 0])))
    to = lambda x: ours.Transform(np.array([x, 0.0, 0.0]))  # noqa: E731
    result = ours.ContinuousCollisionResult()
    time = ours.continuousCollide(o1, to(0.0), o2, to(-5.0), None, result)
    assert result.is_collide and 0.4 <= time < 0.40001
    assert abs(ours.continuousCollide(o1, to(2.0), o2, to(3.0)) - 1.0) < 1e-5  # both, until they touch
    assert ours.continuousCollide(o1, to(2.0), o2, to(9.0)) == 1.0
    turned = ours.Transform(np.array([np.sqrt(0.5), 0, 0, np.sqrt(0.5)]), np.array([4.25, 0, 0]))
    assert ours.continuousCollide(o1, turned, o2, to(5.0)) < 1.0
    with pytest.raises(impinge.Error, match="one of them rest"):
        ours.continuousCollide(o1, turned, o2, to(-5.0))


def managed(fcl):
    """What the README of python-fcl does with managers: names of pairs, and distances."""
    box, manager = fcl.Box(1, 1, 1), fcl.DynamicAABBTreeCollisionManager()
    objects = [at(fcl, box, shift(x)) for x in (0.0, 0.75, 5.0, 9.5)]
    manager.registerObjects(objects)
    manager.setup()
    data = fcl.CollisionData(fcl.CollisionRequest(num_max_contacts=100, enable_contact=True))
    manager.collide(data, fcl.defaultCollisionCallback)
    out = [data.result.is_collision]
    objects[1].setTranslation(np.array([2.0, 0.0, 0.0]))
    manager.update()
    data, distance = fcl.CollisionData(), fcl.DistanceData()
    manager.collide(data, fcl.defaultCollisionCallback)
    manager.distance(distance, fcl.defaultDistanceCallback)
    out += [data.result.is_collision, round(distance.result.min_distance, 6), manager.size()]
    other = fcl.DynamicAABBTreeCollisionManager()
    other.registerObject(at(fcl, box, shift(7.5)))
    data, distance = fcl.CollisionData(), fcl.DistanceData()
    manager.collide(other, data, fcl.defaultCollisionCallback)
    manager.distance(other, distance, fcl.defaultDistanceCallback)
    out += [data.result.is_collision, round(distance.result.min_distance, 6)]
    data = fcl.CollisionData()
    manager.collide(at(fcl, box, shift(5.5)), data, fcl.defaultCollisionCallback)
    manager.unregisterObject(objects[2])
    out += [data.result.is_collision, len(manager.getObjects())]
    return out


def test_managers():
    assert managed(ours) == managed(theirs) == [True, False, 1.0, 4, False, 1.0, True, 3]


def test_pairs_go_with_their_shapes():
    box, kept = at(ours, ours.Box(1, 1, 1), shift(0.5)), []
    before = len(ours._pairs)
    for k in range(5):
        other = at(ours, MAKE["cube"](ours), shift(0.1 * k))
        assert ours.collide(box, other) and ours.collide(other, box)
        kept.append(weakref.ref(other._placed.shape.model))
        del other
    gc.collect()
    assert [model() for model in kept] == [None] * 5
    assert len(ours._pairs) == before


def test_threads_share_the_pairs():
    objects = [at(ours, ours.Box(1, 1, 1), shift(0.5 * k)) for k in range(40)]
    expected = [[bool(ours.collide(a, b)) for b in objects] for a in objects]
    ours._pairs._kept.clear()
    found, interval = {}, sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def ask(number):
        found[number] = [[bool(ours.collide(a, b)) for b in objects] for a in objects]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert [found.get(number) for number in range(4)] == [expected] * 4


@pytest.mark.parametrize("fcl", [ours, theirs])
def test_arrays_that_are_used_again_change_no_mesh(fcl):
    model, (corners, faces) = fcl.BVHModel(), cube_arrays()
    assert model.beginModel(24, 16) == 0
    used = corners.copy()
    model.addSubModel(used, faces)
    used += [10, 0, 0]
    assert model.addSubModel(used, faces) is True
    assert model.endModel() == 0
    probe = at(fcl, fcl.Box(0.1, 0.1, 3.0), shift(0.0))
    assert fcl.collide(fcl.CollisionObject(model, fcl.Transform()), probe) == 1


def test_transforms_take_no_other_shapes():
    assert np.array_equal(ours.Transform(np.eye(3), [[1], [2], [3]]).getTranslation(), [1, 2, 3])
    assert np.array_equal(ours.Transform([0.0, 0, 0, 0]).getRotation(), np.eye(3))
    for scale in (1e-200, 1e200):
        q = np.array([0.6, 0.0, 0.0, 0.8])
        assert np.allclose(ours.Transform(scale * q).getRotation(), ours.Transform(q).getRotation())
    for change in (
        lambda tf: tf.setTranslation(5.0),
        lambda tf: tf.setTranslation([5.0]),
        lambda tf: tf.setRotation([1, 2, 3]),
        lambda tf: tf.setQuatRotation([1, 2, 3]),
        lambda tf: ours.Transform(np.eye(3), [5.0]),
    ):
        with pytest.raises(ValueError, match="has the shape"):
            change(ours.Transform())


def test_a_refused_transform_leaves_the_old_one():
    one = at(ours, ours.Box(1, 1, 1), shift(2.0))
    for bad in ([np.nan, 0, 0], [1.0]):
        with pytest.raises(ValueError):
            one.setTranslation(bad)
        assert one.getTranslation().tolist() == [2, 0, 0]
    with pytest.raises(ValueError):
        one.setQuatRotation([np.nan, 0, 0, 0])
    assert np.array_equal(one.getRotation(), np.eye(3))
    assert ours.distance(one, at(ours, ours.Box(1, 1, 1), shift(0.0))) == 1.0
    one.setTransform(ours.Transform([0.0, 3, 0]))
    assert one.getTranslation().tolist() == [0, 3, 0]


@pytest.mark.parametrize("fcl", [ours, theirs])
def test_managed_objects_come_first(fcl):
    manager, called = fcl.DynamicAABBTreeCollisionManager(), []
    inside, outside = at(fcl, fcl.Box(1, 1, 1), shift(0.0)), at(fcl, fcl.Box(1, 1, 1), shift(0.5))
    manager.registerObject(inside)
    manager.setup()
    places = lambda a, b: [a.getTranslation()[0], b.getTranslation()[0]]  # noqa: E731
    manager.collide(outside, None, lambda a, b, data: called.append(places(a, b)))
    manager.distance(outside, None, lambda a, b, data: (called.append(places(a, b)) or True, 0.0))
    assert called == [[0.0, 0.5]] * 2


def test_a_result_keeps_the_earliest_time():
    result, still = ours.ContinuousCollisionResult(), ours.Transform()
    wall, mover = at(ours, ours.Box(1, 1, 1), shift(0.0)), at(ours, ours.Box(1, 1, 1), shift(-5.0))
    ends = [ours.Transform([float(x), 0, 0]) for x in (5, -9)]
    times = [ours.continuousCollide(mover, end, wall, still, None, result) for end in ends]
    assert times[0] < 1 and times[1] == 1 and result.is_collide
    assert result.time_of_contact == pytest.approx(times[0])


def test_a_sheet_in_a_solid_has_a_depth():
    sheet = bvh(ours, *[np.array(x) for x in ([[-1, -1, 0], [1, -1, 0], [1, 1, 0.0]], [[0, 1, 2]])])
    signed = ours.DistanceRequest(enable_signed_distance=True)
    solid = at(ours, ours.Box(4, 4, 4), shift(0.0))
    assert ours.distance(at(ours, sheet, shift(0.0)), solid, signed) == pytest.approx(-2.0, rel=0.06)


@pytest.mark.parametrize("seed", range(3))
def test_trimesh_on_our_fcl(monkeypatch, seed):
    """trimesh's own manager asks `impinge.fcl`, with the answers of `impinge.trimesh`."""
    import impinge.trimesh

    from test_trimesh import scene

    monkeypatch.setattr(trimesh.collision, "fcl", ours)
    managers = trimesh.collision.CollisionManager(), impinge.trimesh.CollisionManager()
    for manager in managers:
        for name, part, transform in scene(seed):
            manager.add_object(name, part, transform)
    first, second = (manager.in_collision_internal(return_names=True) for manager in managers)
    assert first == second and len(first[1]) > 10


def test_names_have_their_values():
    for name in ("GJKSolverType", "CCDMotionType", "CCDSolverType", "NODE_TYPE", "OBJECT_TYPE"):
        mine, other = vars(getattr(ours, name)), getattr(theirs, name)
        values = {key: value for key, value in mine.items() if not key.startswith("_")}
        assert values == {key: getattr(other, key) for key in dir(other) if not key.startswith("_")}


def test_geometries_tell_what_they_are():
    told = {}
    for fcl in (ours, theirs):
        told[fcl] = []
        for name in ("cube", "box", "sheet", "triangle"):
            geometry = MAKE[name](fcl)
            one = at(fcl, geometry, shift(3.0))
            geometry.computeLocalAABB()
            told[fcl] += [geometry.getNodeType(), one.getNodeType(), one.getObjectType()]
            told[fcl] += [one.isOccupied(), one.isFree(), one.isUncertain(), *geometry.aabb_center.round(12)]
    assert told[ours] == told[theirs]
    assert ours.BVHModel().aabb_center is ours.CollisionGeometry().getNodeType() is None


@pytest.mark.parametrize("fcl", [ours, theirs])
def test_edges_and_corners_are_copies(fcl):
    box, triangle = fcl.Box(1, 2, 3), fcl.TriangleP(*np.eye(3))
    for _ in range(2):
        found = [box.side, triangle.a, triangle.b, triangle.c]
        assert np.array_equal(found, [[1, 2, 3], *np.eye(3)])
        for array in found:
            array += 1.0
    if fcl is ours:  # python-fcl changes the geometry
        with pytest.raises(AttributeError):
            box.side = np.ones(3)


def test_arguments_are_theirs():
    for name in ("CollisionRequest", "CollisionResult", "CollisionData", "ContinuousCollisionRequest"):
        mine, other = inspect.signature(getattr(ours, name)), inspect.signature(getattr(theirs, name))
        assert list(mine.parameters) == list(other.parameters), name
    with pytest.raises(impinge.Error, match="endModel"):
        ours.CollisionObject(ours.BVHModel())

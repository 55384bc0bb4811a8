"""Halfspaces and planes of `impinge.fcl`: beside python-fcl, and against rational arithmetic."""

import sys
from fractions import Fraction

import numpy as np
import pytest
from conftest import bvh, cube_arrays, matrices, random_quaternions, shift

import impinge
import impinge.fcl as ours

theirs = pytest.importorskip("fcl")

from test_fcl import at  # noqa: E402, needs python-fcl
from test_fcl_round import MAKE, SHEAR, asked, exact, hit, moved, put, radii_about  # noqa: E402

N, D = np.array([0.5, -1.0, 2.0]), 0.3
FLAT = {"halfspace": lambda fcl: fcl.Halfspace(N, D), "plane": lambda fcl: fcl.Plane(N, D)}
#: Bodies, and by how much places are scaled, so that some of the poses collide with a plane and some do not.
BODIES = [("cube", 1.0), ("pebble", 1.0), ("box", 0.8), ("ball", 0.6), ("capsule", 1.0), ("thin", 1.0), ("sheet", 0.8), ("hollow", 1.6)]


def apart(one, other, pose):
    """How far the two are from touching, at most; python-fcl decides by rounded arithmetic."""
    return abs(ours.distance(one, at(ours, other, pose), ours.DistanceRequest(True, True)))


def same(mine, other, kinds):
    """Whether two contacts are alike. kinds: the names of both bodies."""
    exchanged = mine.o1.getNodeType() != other.o1.getNodeType()  # a mesh always comes first in python-fcl
    normal = -mine.normal if exchanged else mine.normal
    place = np.linalg.norm(mine.pos - other.pos) < 1e-9
    if kinds in (("plane", "capsule"), ("plane", "thin")):  # on the plane, but by no rule
        place = True
    return (
        np.allclose(normal, other.normal, atol=1e-9)
        and abs(mine.penetration_depth - other.penetration_depth) < 1e-9
        and place
    )


def beside(kind, body, spread, d=0.0):
    """Over 200 poses: how many hit, and how many verdicts, and contacts, differ from those of python-fcl. d: how
    much higher ours is.
    """
    base = matrices(random_quaternions(1, 80))[0]
    flats = {theirs: FLAT[kind](theirs), ours: type(FLAT[kind](ours))(N, D + d)}
    hits = verdicts = contacts = 0
    poses = random_quaternions(200, 81) * ([spread] * 3 + [1.0] * 4)
    geometries = {fcl: MAKE[body](fcl) for fcl in (ours, theirs)}
    for k, pose in enumerate(matrices(poses)):
        found = {}
        for fcl in (ours, theirs):
            two = [at(fcl, flats[fcl], base), at(fcl, geometries[fcl], pose)]
            result = fcl.CollisionResult()
            fcl.collide(*two[:: 1 if k % 2 else -1], fcl.CollisionRequest(10_000, True), result)
            assert (fcl.collide(*two) > 0) == result.is_collision
            found[fcl] = sorted(result.contacts, key=lambda one: (max(one.b1, one.b2), -one.penetration_depth))
        mine, other = found[ours], found[theirs]
        hits += len(mine) > 0
        verdicts += (len(mine) > 0) != (len(other) > 0)
        alike = len(mine) == len(other) and all(same(*both, (kind, body)) for both in zip(mine, other))
        contacts += not alike
        assert apart(at(ours, flats[ours], base), geometries[ours], pose) > 1e-9
    return hits, verdicts, contacts


#: python-fcl ends the process where a `Convex` is asked about beside a `Plane`.
BESIDE = [(kind, *body) for kind in FLAT for body in BODIES if kind == "halfspace" or body[0] not in ("cube", "pebble")]


@pytest.mark.parametrize(("kind", "body", "spread"), BESIDE)
def test_verdicts_and_contacts_beside_python_fcl(kind, body, spread):
    hits, verdicts, contacts = beside(kind, body, spread)
    assert 30 < hits < 190 and (verdicts, contacts) == (0, 0)


@pytest.mark.parametrize("kind", FLAT)
def test_a_plane_that_is_a_little_higher_is_noticed(kind):
    _, verdicts, contacts = beside(kind, "box", 0.8, d=0.2)
    assert verdicts > 3 and contacts > 30


@pytest.mark.parametrize("turn", [np.eye(4), *matrices(random_quaternions(5, 90) * ([0.0] * 3 + [1.0] * 4))])
def test_a_box_on_a_face_has_its_contact_in_the_middle(turn):
    for n, d in (([0, 0, 1.0], 0.1), ([0, -2.0, 0], 0.4), ([1.0, 1.0, 1.0], -0.2)):
        for kind in ("Halfspace", "Plane"):
            contacts = []
            for fcl in (ours, theirs):
                flat = getattr(fcl, kind)(turn[:3, :3] @ n, d)
                two = at(fcl, fcl.Box(1, 2, 3), turn), at(fcl, flat, np.eye(4))
                result = fcl.CollisionResult()
                fcl.collide(*two, fcl.CollisionRequest(9, True), result)
                contacts += result.contacts
            assert len(contacts) == 2 and same(*contacts, (kind, "Box"))


def posed(pose, points):
    """The points at a pose, by the sum that the conventions state, in floating-point numbers of Python."""
    rows = pose[:3].tolist()
    return [[((r[0] * x + r[1] * y) + r[2] * z) + r[3] for r in rows] for x, y, z in points.tolist()]


def heights(points, n, d):
    """Of points, in fractions: n · x - d."""
    return [exact(np.array(p)) @ exact(n) - Fraction(float(d)) for p in points]


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e200])
def test_vertices_next_to_touching_are_told_apart(scale):
    rng, told, wrong = np.random.default_rng(82), [], 0
    for pose in matrices(random_quaternions(80, 83)):
        pose[:3, 3] *= scale
        corners, n = rng.normal(size=(3, 3)) * scale, rng.normal(size=3)
        body = at(ours, ours.TriangleP(*corners), pose)
        points = posed(body._placed.pose, corners)
        lowest = min(points, key=lambda p: heights([p], n, 0.0)[0])
        near = float(np.array(lowest) @ n)
        for d in (near, np.nextafter(near, np.inf), np.nextafter(near, -np.inf)):
            signs = [(h > 0) - (h < 0) for h in heights(points, n, d)]
            for flat, touches in ((ours.Halfspace, min(signs) <= 0), (ours.Plane, min(signs) <= 0 <= max(signs))):
                one = put(flat(n, d))
                assert hit(one, body) == hit(body, one) == touches
                signed = ours.distance(one, body, ours.DistanceRequest(True, True))
                assert (signed > 0) == (not touches)
            told.append(min(signs) <= 0)
            wrong += (min(np.array(points) @ one.n - one.d for one in [ours.Plane(n, d)])[0] <= 0) != told[-1]
    assert 60 < sum(told) < 180
    assert wrong > 5, "rounded arithmetic decides all of them"


@pytest.mark.parametrize("scale", [1e-120, 1.0, 1e100])
def test_balls_next_to_touching_are_told_apart(scale):
    rng, told = np.random.default_rng(84), []
    for k in range(60):
        centre, n, d = rng.normal(size=3) * scale, rng.normal(size=3), float(rng.normal() * scale)
        (height,) = heights([centre], n, d)
        squared = height * height / sum(exact(n) ** 2)
        for radius, touches in radii_about(squared):
            ball = put(ours.Sphere(radius), *centre)
            assert hit(put(ours.Plane(n, d)), ball) == touches
            assert hit(ball, put(ours.Halfspace(n, d))) == (touches or height < 0)
            told.append(touches)
        assert hit(put(ours.Plane(n, d)), put(ours.Capsule(0.1 * scale, 1e9 * scale), *centre))
    assert 50 < sum(told) < 130


def test_scales_of_the_normal_change_no_verdict():
    box, told = ours.Box(1, 1, 1), []
    for factor in (1e-300, 2.0**-1070, 1.0, 3.0, 1e200, 1e300):
        for n in ([0, 0, 1.0], [0, -1.0, 0]):
            n, d = np.array(n) * factor, 0.25 * factor
            for one in (put(ours.Halfspace(n, d)), put(ours.Plane(n, d))):
                assert np.allclose(one._geom.n, n / factor) and one._geom.d == pytest.approx(0.25, rel=1e-12)
                up = 0.75 * n / factor
                told.append((hit(one, put(box, *up)), hit(one, put(box, *(up * (1 + 1e-15))))))
    assert told == [(True, False)] * 24


@pytest.mark.parametrize("geometry", [ours.Box(1, 1, 1), ours.Sphere(0.5), ours.Capsule(0.25, 0.5), bvh(ours, *cube_arrays())])
def test_what_touches_from_either_side(geometry):
    for n, d in (([0, 0, 2.0], 0.5), ([0, 0, -3.0], -0.75)):
        plane = put(ours.Plane(n, d))
        for z in (0.75, -0.25):
            out = np.sign(z - 0.25) * 1e-15
            assert hit(plane, put(geometry, 0, 0, z)) and not hit(plane, put(geometry, 0, 0, z + out))
            assert ours.distance(plane, put(geometry, 0, 0, z), ours.DistanceRequest(True, True)) == 0.0
    half = put(ours.Halfspace([0, 0, 2.0], 0.5))
    assert [hit(half, put(geometry, 0, 0, z)) for z in (0.75, 0.75 + 1e-15, -99)] == [True, False, True]


@pytest.mark.parametrize("kind", FLAT)
@pytest.mark.parametrize("body", [name for name, _ in BODIES] + ["slab", "triangle"])
def test_depths_part_them_and_distances_join_them(kind, body):
    base, hits = matrices(random_quaternions(1, 85))[0], 0
    geometry, one = MAKE[body](ours), at(ours, FLAT[kind](ours), base)
    n = base[:3, :3] @ one._geom.n
    for pose in matrices(random_quaternions(60, 86) * ([2.5] * 3 + [1.0] * 4)):
        other = at(ours, geometry, pose)
        count, contacts, distance, result = asked(ours, one, other)
        points = result.nearest_points
        hits += count > 0
        assert (count > 0) == (distance <= 0) and abs(np.linalg.norm(points[0] - points[1]) - abs(distance)) < 1e-12
        assert abs(n @ (points[0] - base[:3, 3]) - one._geom.d) < 1e-12
        probe = at(ours, ours.Sphere(1e-12), shift(*points[1]))
        assert ours.distance(other, probe, ours.DistanceRequest(True, True)) < 1e-12  # on or in the body
        step = points[0] - points[1]
        if count > 0:
            assert not hit(one, moved(other, 1.000001 * step)) and hit(one, moved(other, 0.999999 * step))
            assert ours.distance(one, other) == -1.0
            if contacts[0].b2 == -1 or kind == "halfspace":
                assert contacts[0].penetration_depth == pytest.approx(-distance, abs=1e-15)
            depths = [contact.penetration_depth for contact in contacts]
            assert depths == sorted(depths, reverse=True)
            assert all(abs(abs(contact.normal @ n) - 1) < 1e-12 for contact in contacts)
        else:
            assert hit(one, moved(other, 1.000001 * step)) and not hit(one, moved(other, 0.999999 * step))
        back = asked(ours, other, one)
        assert back[0] == count and back[2] == distance and np.array_equal(back[3].nearest_points, points[::-1])
        assert [(c.b2, c.b1) for c in back[1]] == [(c.b1, c.b2) for c in contacts]
        assert all(np.array_equal(c.normal, -e.normal) and np.array_equal(c.pos, e.pos) for c, e in zip(back[1], contacts))
    assert 4 < hits < 58


def test_a_plane_between_two_parts_touches_neither():
    vertices, faces = cube_arrays()
    both = np.concatenate([vertices, vertices + [0, 0, 5]]), np.concatenate([faces, faces + 8])
    two, plane = put(bvh(ours, *both)), put(ours.Plane([0, 0, 2.0], 4.0))
    assert not hit(two, plane) and ours.distance(two, plane) == 1.5
    assert hit(two, put(ours.Halfspace([0, 0, 1.0], 2.0))) and hit(two, put(ours.Plane([0, 0, 1.0], 4.5)))
    result = ours.DistanceResult()
    ours.distance(put(ours.Plane([0, 0, 1.0], 3.75)), two, None, result)
    assert result.min_distance == 0.75 and result.b1 == -1 and 12 <= result.b2 < 24
    # Vertices of no triangle are no part of a mesh.
    loose = put(bvh(ours, np.concatenate([[[0, 0, -9.0]], vertices]), faces + 1))
    floor = put(ours.Halfspace([0, 0, 1.0], -1.0))
    assert not hit(loose, floor) and ours.distance(loose, floor) == 0.5
    loose = put(bvh(ours, np.concatenate([[[0, 0, -0.75]], vertices]), faces + 1))
    assert ours.distance(loose, floor) == 0.5


def test_points_are_on_the_mesh():
    """The middle of its lowest vertices is between its parts."""
    vertices, faces = cube_arrays()
    two = put(bvh(ours, np.concatenate([vertices, vertices + [5, 0, 0]]), np.concatenate([faces, faces + 8])))
    for d in (-1.0, 0.0):
        result = ours.DistanceResult()
        ours.distance(two, put(ours.Halfspace([0, 0, 1.0], d)), ours.DistanceRequest(True, True), result)
        x, y, z = result.nearest_points[0]
        assert z == -0.5 and abs(y) <= 0.5 and (abs(x) <= 0.5 or abs(x - 5) <= 0.5)


def test_contacts_up_to_the_most():
    sheet, floor = put(MAKE["sheet"](ours)), put(ours.Halfspace([0, 0, 1.0], 0.05))
    found = {}
    for most in (1, 10_000):
        result = ours.CollisionResult()
        assert ours.collide(sheet, floor, ours.CollisionRequest(most, True), result) == len(result.contacts)
        found[most] = result.contacts
    assert len(found[1]) == 1 and 100 < len(found[10_000]) < 288
    assert found[1][0].penetration_depth == max(c.penetration_depth for c in found[10_000])
    plain = ours.CollisionResult()
    assert ours.collide(sheet, floor, None, plain) == 1 and plain.contacts[0].b1 == -1


def wall(kind, n, d, turned=False):
    """A halfspace or a plane, `turned` where it is, about the origin."""
    tf = matrices(random_quaternions(1, 87))[0] if turned else np.eye(4)
    tf[:3, 3] = 0
    return at(ours, getattr(ours, kind)(np.array(n, dtype=float), d), tf)


MOST = sys.float_info.max
#: Two flat bodies, and their signed distance.
TWO = [
    (("Halfspace", [0, 0, 1], 1), ("Halfspace", [0, 0, -2], -4), 1.0),
    (("Halfspace", [0, 0, 1], 1), ("Halfspace", [0, 0, -2], -2), 0.0),
    (("Halfspace", [0, 0, 1], 1), ("Halfspace", [0, 0, -2], 1), -1.5),
    (("Halfspace", [0, 0, 1], 1), ("Halfspace", [0, 0, 2], -8), -MOST),
    (("Halfspace", [0, 0, 1], 1), ("Plane", [0, 0, 2], 3), 0.5),
    (("Halfspace", [0, 0, 1], 1), ("Plane", [0, 0, -2], -2), 0.0),
    (("Halfspace", [0, 0, 1], 1), ("Plane", [0, 0, 2], -8), -5.0),
    (("Plane", [0, 0, 1], 1), ("Plane", [0, 0, -3], -3), 0.0),
    (("Plane", [0, 0, 1], 1), ("Plane", [0, 0, -3], 3), 2.0),
    (("Plane", [0, 0, 1], 1), ("Plane", [0, 0, 1], np.nextafter(1, 2)), 2.0**-52),
    (("Plane", [1, 0, 1], 1), ("Halfspace", [0, 0, 1], 9), -MOST),
    (("Halfspace", [1, 0, 1], 1), ("Halfspace", [0, 3, 1], -9), -MOST),
]


def under(shape, point):
    """How far a point is from a flat body."""
    height = shape.n @ point - shape.d
    return abs(height) if isinstance(shape, ours.Plane) else max(height, 0.0)


@pytest.mark.parametrize(("one", "other", "expected"), TWO)
def test_two_flat_bodies(one, other, expected):
    for turned in (False, True):
        for a, b in ((wall(*one, turned), wall(*other, turned)), (wall(*other, turned), wall(*one, turned))):
            count, contacts, distance, result = asked(ours, a, b)
            assert distance == pytest.approx(expected, rel=1e-15) and count == (expected <= 0) == len(contacts)
            between = result.nearest_points[0] - result.nearest_points[1]
            length = abs(expected) if expected > -MOST else 0.0  # no points are so deep
            assert abs(np.linalg.norm(between) - length) < 1e-14
            for contact in contacts:
                assert contact.penetration_depth == -distance
                turn = a.getRotation()
                assert under(a._geom, turn.T @ contact.pos) < 1e-12 and under(b._geom, turn.T @ contact.pos) < 1e-12
                if -MOST < expected:
                    assert not hit(a, moved(b, (1.0001 * contact.penetration_depth + 1e-9) * contact.normal))


@pytest.mark.parametrize("kind", ["Halfspace", "Plane"])
def test_python_fcl_answers_the_opposite_for_opposite_normals(kind):
    for d, touch in ((-4.0, False), (4.0, True)):
        found = []
        for fcl in (ours, theirs):
            low = at(fcl, fcl.Halfspace(np.array([0, 0, 1.0]), 1.0), np.eye(4))
            found.append(fcl.collide(low, at(fcl, getattr(fcl, kind)(np.array([0, 0, -1.0]), d), np.eye(4))) > 0)
        assert found == [touch, not touch]


def test_planes_are_parallel_or_not():
    one, other = put(ours.Plane([0, 0, 1.0], 1.0)), at(ours, ours.Plane([1.0, 0, 0], 0.5), shift(4, 0, 0))
    for a, b in ((one, other), (other, one)):
        assert np.allclose(asked(ours, a, b)[1][0].pos[[0, 2]], [4.5, 1.0])
    # They cross, however far away.
    assert hit(put(ours.Plane([0, 0, 1.0], 1.0)), put(ours.Plane([0, 1e-300, 1.0], 9.0)))
    # Moved along its normal by a transform.
    a, b = wall("Plane", [0, 0, 1], 1), at(ours, ours.Plane([0, 0, 1.0], 0), shift(5, 5, 1))
    assert hit(a, b) and ours.distance(a, moved(b, [0, 0, 2.0])) == 2.0


def test_managers_ask_about_what_has_no_end():
    shapes = [MAKE[name](ours) for name in ("box", "ball", "capsule", "hollow", "sheet", "triangle")]
    poses = matrices(random_quaternions(24, 88) * ([2.5] * 3 + [1.0] * 4))
    objects = [at(ours, shapes[k % 6], pose) for k, pose in enumerate(poses)]
    turned = matrices(random_quaternions(1, 89))[0]
    flats = [put(ours.Halfspace([0, 0, 2.0], -3.0)), put(ours.Halfspace([0, 1.0, 0.0], -9.0)), put(ours.Plane([0, -1.0, 0], 1.0)), at(ours, ours.Plane(N, D), turned)]
    manager, pairs, data = ours.DynamicAABBTreeCollisionManager(), set(), ours.DistanceData()
    manager.registerObjects(objects)
    for flat in flats:
        manager.collide(flat, None, lambda a, b, _: hit(a, b) and pairs.add((id(a), id(b))) or False)
    expected = {(id(a), id(b)) for a in objects for b in flats if hit(a, b)}
    assert pairs == expected and 8 < len(expected) < 72
    for flat in flats:
        high = at(ours, flat._geom, turned)
        for one in (flat, high):
            data = ours.DistanceData()
            manager.distance(one, data, lambda a, b, d: (False, ours.distance(a, b, d.request, d.result) and d.result.min_distance))
            assert data.result.min_distance == min(ours.distance(a, one, data.request) for a in objects)
    # What a box tells is not asked about.
    called, floor = [], put(ours.Halfspace([0, 0, 1.0], -9.0))
    manager.collide(floor, None, lambda a, b, _: called.append(1))
    assert called == [] and np.isinf(put(ours.Plane(N, D))._box()).all()
    for kind, low in ((ours.Halfspace, -np.inf), (ours.Plane, 0.5)):
        quarter = np.array([[0, 0, 1, 2], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]])
        box = at(ours, kind([0, 0, -2.0], 3.0), quarter)._box()
        sides = [0.5, np.inf] if kind is ours.Halfspace else [0.5, 0.5]
        assert np.allclose(box[:, 0], sides) and np.isinf(box[:, 1:]).all()
        box = at(ours, kind([0, 0, 2.0], -3.0), quarter)._box()
        assert np.allclose(box[:, 0], [low, 0.5]) and np.isinf(box[:, 1:]).all()


def test_geometries_tell_what_they_are():
    for kind in ("Halfspace", "Plane"):
        for n, d in ((N, D), (-3 * N, 7.0)):
            mine, other = getattr(ours, kind)(n, d), getattr(theirs, kind)(n, d)
            assert np.allclose(mine.n, other.n, rtol=1e-15) and mine.d == pytest.approx(other.d, rel=1e-15)
            assert mine.getNodeType() == other.getNodeType() and mine.aabb_center is None
            one, two = ours.CollisionObject(mine), theirs.CollisionObject(other)
            assert one.getObjectType() == two.getObjectType() and one.getNodeType() == two.getNodeType()
            mine.n[:] = 0
            assert mine.n.any()
            with pytest.raises(AttributeError):
                mine.d = 1.0


@pytest.mark.parametrize("kind", ["Halfspace", "Plane"])
def test_what_is_refused(kind):
    make = getattr(ours, kind)
    for n, d in (([0, 0, 0.0], 1), ([np.nan, 0, 1], 1), ([np.inf, 0, 0], 1), ([0, 0, 1.0], np.nan), ([0, 0, 1e-300], 1e10)):
        with pytest.raises(ValueError, match="normal") as error:
            make(n, d)
        assert isinstance(error.value, impinge.ArgumentError)
    with pytest.raises(ValueError, match="shape"):
        make([1.0, 2.0], 3)
    flat, box = put(make(N, D)), put(ours.Box(1, 1, 1))
    for matrix in (2 * np.eye(3), np.diag([1, 1, -1.0]), SHEAR):
        with pytest.raises(impinge.Error, match="a halfspace or a plane takes rigid transforms"):
            flat.setRotation(matrix)
    assert np.array_equal(flat.getRotation(), np.eye(3))
    with pytest.raises(impinge.Error, match="has no answer"):
        ours.continuousCollide(box, ours.Transform(), flat, ours.Transform())
    with pytest.raises(impinge.PoseError, match="beyond"):
        hit(at(ours, ours.Box(1e300, 1, 1), shift(9e299)), flat)

"""Cylinders, cones and ellipsoids of `impinge.fcl`: beside python-fcl, where they touch, and on their ways."""

from fractions import Fraction

import numpy as np
import pytest
from conftest import bvh, cube_arrays, grid_arrays, matrices, random_quaternions, shift

import impinge
import impinge.fcl as ours

theirs = pytest.importorskip("fcl")

from test_fcl import at  # noqa: E402, needs python-fcl
from test_fcl_round import MAKE as OTHERS  # noqa: E402
from test_fcl_round import SIGNED, asked, at_two_sizes, hit, moved, put, radii_about  # noqa: E402

CURVED = {
    "cylinder": lambda fcl: fcl.Cylinder(0.4, 1.0),
    "disc": lambda fcl: fcl.Cylinder(0.6, 0.05),
    "cone": lambda fcl: fcl.Cone(0.5, 1.2),
    "ellipsoid": lambda fcl: fcl.Ellipsoid(0.3, 0.45, 0.7),
}
MAKE = {**OTHERS, **CURVED}

#: Bodies, and by how much places are scaled, so that about half of the poses collide.
BESIDE = [
    ("cylinder", "box", 0.8), ("cylinder", "sheet", 0.7), ("cylinder", "ball", 0.8), ("cylinder", "capsule", 0.8),
    ("cone", "cube", 1.1), ("cone", "hollow", 1.3), ("cone", "ball", 0.7), ("cone", "thin", 0.7),
    ("ellipsoid", "box", 0.8), ("ellipsoid", "sheet", 0.7), ("ellipsoid", "ball", 0.7), ("ellipsoid", "capsule", 0.7),
    ("pebble", "cylinder", 0.9), ("disc", "box", 0.7), ("disc", "cone", 0.8), ("cylinder", "cylinder", 0.8),
    ("cone", "ellipsoid", 0.8), ("ellipsoid", "ellipsoid", 0.7), ("cone", "cylinder", 0.8),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "spread"), BESIDE)
def test_verdicts_and_distances_beside_python_fcl(a, b, spread):
    geometries = {fcl: (MAKE[a](fcl), MAKE[b](fcl)) for fcl in (ours, theirs)}
    surfaces = any(isinstance(one, (ours.BVHModel, ours.TriangleP)) for one in geometries[ours])
    hits, told = 0, 0
    poses = random_quaternions(300, seed=51) * ([spread] * 3 + [1.0] * 4)
    bases = random_quaternions(300, seed=52) * ([0.2] * 3 + [1.0] * 4)
    for base, pose in zip(matrices(bases), matrices(poses)):
        found = {fcl: asked(fcl, at(fcl, p, base), at(fcl, q, pose)) for fcl, (p, q) in geometries.items()}
        (count, contacts, distance, result), (their_count, _, their_distance, _) = found[ours], found[theirs]
        hits += count
        assert (count > 0) == (distance <= 0) and count == len(contacts)
        between = np.linalg.norm(result.nearest_points[0] - result.nearest_points[1])
        assert abs(between - abs(distance)) < 1e-9
        if surfaces and count:
            # python-fcl's depths of surfaces mean nothing.
            assert their_count > 0 or distance > -1e-6
            continue
        if abs(distance) > 2e-3:
            assert (count > 0) == (their_count > 0)
            told += 1
        assert abs(distance - their_distance) < 2e-3, (count, distance, their_distance)
    assert 75 <= hits <= 225 and told > 70


def test_a_radius_a_fiftieth_larger_is_noticed():
    differ = 0
    for pose in matrices(random_quaternions(200, seed=53)):
        mine = ours.distance(put(ours.Cylinder(0.41, 1.0)), at(ours, OTHERS["box"](ours), pose), SIGNED[ours])
        cylinder = theirs.CollisionObject(theirs.Cylinder(0.4, 1.0))
        differ += abs(mine - theirs.distance(cylinder, at(theirs, OTHERS["box"](theirs), pose), SIGNED[theirs])) > 3e-3
    assert differ > 100


def exactly(*numbers):
    """Fractions of numbers."""
    return [Fraction(float(x)) for x in numbers]


def next_to(square):
    """Numbers next to a positive root, with whether each is at least the root."""
    return radii_about(square)


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e80])
@pytest.mark.parametrize("kind", ["cylinder", "cone", "ellipsoid"])
def test_points_next_to_the_surface_are_told_apart(kind, scale):
    rng, told, wrong = np.random.default_rng(54), [], 0
    for _ in range(60):
        x, y, z, half, other = (rng.uniform(0.2, 1.0, 5) * scale).tolist()
        z *= 0.9 * half / scale
        (px, py, pz), (h, b) = exactly(x, y, z), exactly(half, other)
        if kind == "cylinder":
            bodies = [(ours.Cylinder(r, 2 * half), touches) for r, touches in next_to(px**2 + py**2)]
        elif kind == "cone":
            square = (px**2 + py**2) * 4 * h**2 / (h - pz) ** 2
            bodies = [(ours.Cone(r, 2 * half), touches) for r, touches in next_to(square)]
        else:
            b += py
            half, other = 2 * half, float(b)
            h = Fraction(half)
            left = 1 - (py / Fraction(other)) ** 2 - (pz / h) ** 2
            bodies = [(ours.Ellipsoid(r, other, half), touches) for r, touches in next_to(px**2 / left)]
        point = put(ours.TriangleP(*[[x, y, z]] * 3))
        for body, touches in bodies:
            assert hit(put(body), point) == hit(point, put(body)) == touches
            assert hit(put(body), put(ours.Sphere(0), x, y, z)) == touches
            assert (ours.distance(put(body), point, SIGNED[ours]) > 0) == (not touches)
            told.append(touches)
            # Rounding hides most of them.
            wrong += body._shape.body.state([[x, y, z]]) == 0
    assert 50 < sum(told) < 130 and wrong > 100


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e80])
def test_planes_of_triangles_that_touch_are_told_apart(scale):
    cylinder, cone, ellipsoid = ours.Cylinder(0.5, 2.0), ours.Cone(0.5, 2.0), ours.Ellipsoid(0.25, 0.5, 0.75)
    floor = np.array([[-3.0, -2.0, 0.0], [3.0, -2.0, 0.0], [0.0, 4.0, 0.0]])
    wall = floor[:, [2, 0, 1]]
    # Through the line from the rim to the tip.
    slope = np.array([[0.5, -1.0, -1.0], [0.5, 1.0, -1.0], [0.0, 0.0, 1.0]])
    touching = [
        (cylinder, wall, [0.5, 0, 0]), (cylinder, floor, [0, 0, 1.0]), (cylinder, floor, [0, 0, -1.0]),
        (cone, floor, [0, 0, 1.0]), (cone, floor, [0, 0, -1.0]), (cone, slope, [0, 0, 0]),
        (ellipsoid, floor, [0, 0, 0.75]), (ellipsoid, wall, [0.25, 0, 0]), (ellipsoid, wall, [-0.25, 0, 0]),
    ]  # fmt: skip
    for geometry, triangle, place in touching:
        kind = type(geometry)
        sizes = [s * scale for s in ([geometry.radius, geometry.lz] if kind is not ours.Ellipsoid else geometry.radii)]
        axis = int(np.argmax(np.abs(place))) if any(place) else 0
        away = np.sign(place[axis]) or 1.0
        for step, touches in ((0, True), (1, False), (-1, True)):
            corners = (triangle + place) * scale
            for _ in range(abs(step)):
                column = corners[:, axis]
                # Every coordinate by the rounding of the largest.
                corners[:, axis] = column + away * step * np.spacing(np.abs(column).max())
            body, other = put(kind(*sizes)), put(ours.TriangleP(*corners))
            assert hit(body, other) == hit(other, body) == touches, (geometry, place, step)


def test_what_stands_on_another_touches_it():
    box = put(ours.Box(1.0, 1.0, 1.0))
    up, down = np.eye(4), np.diag([1.0, -1.0, -1.0, 1.0])
    cases = [(ours.Cylinder(0.25, 0.5), up), (ours.Cone(0.25, 0.5), up), (ours.Cone(0.25, 0.5), down)]
    cases += [(ours.Ellipsoid(0.125, 0.5, 0.25), up)]
    for geometry, turn in cases:
        for z, touches in ((0.75, True), (np.nextafter(0.75, 1), False), (np.nextafter(0.75, 0), True)):
            body = at(ours, geometry, shift(0.1, 0.2, z) @ turn)
            assert hit(box, body) == hit(body, box) == touches
            signed = ours.distance(box, body, SIGNED[ours])
            assert abs(signed) < 1e-12 and (signed <= 0) == touches
            # The same on a floor, and on a plane.
            for flat in (ours.Halfspace([0, 0, 2.0], 1.0), ours.Plane([0, 0, 2.0], 1.0)):
                assert hit(put(flat), body) == hit(body, put(flat)) == touches
    # At a side.
    for x, touches in ((0.75, True), (np.nextafter(0.75, 1), False)):
        assert hit(box, put(ours.Cylinder(0.25, 0.5), x, 0.1, 0.1)) == touches
        assert hit(box, put(ours.Ellipsoid(0.25, 0.5, 1.0), x, 0.1, 0.1)) == touches


def test_upright_bodies_and_balls_are_told_apart():
    lower, down = put(ours.Cylinder(0.5, 1.0)), np.diag([1.0, -1.0, -1.0, 1.0])
    other = np.nextafter
    for pose, geometry, touches in [
        (shift(0, 0, 1.0), ours.Cylinder(0.25, 1.0), True),
        (shift(0, 0, other(1.0, 2)), ours.Cylinder(0.25, 1.0), False),
        (shift(0.75, 0, 0.5), ours.Cylinder(0.25, 1.0), True),
        (shift(other(0.75, 1), 0, 0.5), ours.Cylinder(0.25, 1.0), False),
        (shift(0.6, 0.45, 0.0), ours.Cylinder(0.25, 1.0), Fraction(0.6) ** 2 + Fraction(0.45) ** 2 <= Fraction(0.5625)),
        (shift(0.125, 0, 1.0), ours.Cone(0.25, 1.0), True),
        (shift(0.125, 0, other(1.0, 2)), ours.Cone(0.25, 1.0), False),
        (shift(0.5, 0, 1.0) @ down, ours.Cone(0.25, 1.0), True),
        (shift(other(0.5, 1), 0, 1.0) @ down, ours.Cone(0.25, 1.0), False),
        (shift(0, 0, 0.75), ours.Sphere(0.25), True),
        (shift(0, 0, other(0.75, 1)), ours.Sphere(0.25), False),
        (shift(0.75, 0, 0.25), ours.Sphere(0.25), True),
        (shift(other(0.75, 1), 0, 0.25), ours.Sphere(0.25), False),
        # At the rim, 3-4-5.
        (shift(0.5 + 0.1875, 0, 0.5 + 0.25), ours.Sphere(0.3125), True),
        (shift(0.5 + 0.1875, 0, other(0.75, 1)), ours.Sphere(0.3125), False),
    ]:
        body = at(ours, geometry, pose)
        assert hit(lower, body) == hit(body, lower) == touches, (geometry, pose)
    cone = put(ours.Cone(0.5, 1.0))
    for x, touches in ((0.75, True), (other(0.75, 1), False)):
        # Both are widest where their bases are.
        assert hit(cone, at(ours, ours.Cone(0.25, 1.0), shift(x))) == touches
        assert hit(cone, at(ours, ours.Cone(0.5, 1.0), shift(0.5) @ down)) is True


def test_what_rounding_hides_of_two_curved_surfaces_is_an_error():
    ellipsoid = put(ours.Ellipsoid(0.5, 0.25, 0.75))
    for geometry in (ours.Ellipsoid(0.25, 0.5, 0.5), ours.Sphere(0.25), ours.Capsule(0.25, 0.5)):
        with pytest.raises(impinge.UndecidedError):
            hit(ellipsoid, put(geometry, 0.75))
        for x, touches in ((0.75 - 1e-12, True), (0.75 + 1e-12, False)):
            assert hit(ellipsoid, put(geometry, x)) == touches


def swept(fcl, o1, end1, o2, end2):
    """When two objects touch on their ways."""
    return fcl.continuousCollide(o1, end1, o2, end2, fcl.ContinuousCollisionRequest(), fcl.ContinuousCollisionResult())


def test_when_bodies_on_their_ways_touch():
    cylinder, box = put(ours.Cylinder(0.5, 2.0)), put(ours.Box(1, 1, 1), -3.0)
    rest, there = ours.Transform(), lambda *place: ours.Transform(np.array(place, dtype=float))
    # From a gap of 2 with 4 to go; and both of them move.
    assert swept(ours, cylinder, rest, box, there(1, 0, 0)) == pytest.approx(0.5, abs=2e-5)
    assert swept(ours, box, there(1, 0, 0), cylinder, rest) == pytest.approx(0.5, abs=2e-5)
    assert swept(ours, cylinder, there(-1, 0, 0), box, there(-1, 0, 0)) == pytest.approx(2 / 3, abs=2e-5)
    assert swept(ours, cylinder, rest, box, there(-1.001, 0, 0)) == 1.0
    assert swept(ours, cylinder, rest, put(ours.Box(1, 1, 1)), there(4, 0, 0)) == 0.0
    with pytest.raises(impinge.UndecidedError):
        swept(ours, cylinder, rest, put(ours.Box(1, 1, 1), -3.0, 1.0 + 1e-9), there(3, 1.0 + 1e-9, 0))
    # A needle turns by a half and a third of a turn until its tip is at a ball.
    needle, ball = ours.Ellipsoid(2.0, 0.01, 0.01), put(ours.Sphere(0.5), 0, -1.5)
    for degrees in (120.0, 180.0):
        turn = np.deg2rad(-degrees)
        end = np.eye(4)
        end[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        when = swept(ours, put(needle), ours.Transform(end[:3, :3], end[:3, 3]), ball, ball.getTransform())
        # It meets the ball before it points at its middle.
        before = np.rad2deg(np.arcsin(0.51 / 1.5))
        if degrees < 180.0:
            assert (90 - before - 1) / degrees < when < 90 / degrees - 0.05
        else:
            assert when < 90 / degrees - 0.05


@pytest.mark.parametrize(("a", "b"), [("cylinder", "box"), ("cone", "sheet"), ("ellipsoid", "cylinder"), ("cone", "ball")])
def test_times_are_when_bodies_begin_to_collide(a, b):
    touching = 0
    starts = random_quaternions(40, seed=55) * ([0.4] * 3 + [1.0] * 4) + [2.0, 0, 0, 0, 0, 0, 0]
    ends = random_quaternions(40, seed=56) * ([1.8] * 3 + [1.0] * 4) - [1.2, 0, 0, 0, 0, 0, 0]
    first, second = put(MAKE[a](ours)), MAKE[b](ours)
    for start, end in zip(matrices(starts), matrices(ends)):
        end[:3, :3] = start[:3, :3]
        other = at(ours, second, start)
        try:
            when = swept(ours, first, first.getTransform(), other, ours.Transform(end[:3, :3], end[:3, 3]))
        except impinge.UndecidedError:
            continue
        along = end[:3, 3] - start[:3, 3]
        for time in np.arange(0.0, when - 2e-5, 0.05):
            assert not hit(first, moved(other, time * along))
        if when < 1.0:
            touching += 1
            assert hit(first, moved(other, when * along)) and not hit(first, moved(other, (when - 2e-5) * along))
    assert 12 < touching < 35


def test_boxes_hold_what_they_are_around():
    for name in CURVED:
        for pose in matrices(random_quaternions(20, seed=57)):
            body = at(ours, CURVED[name](ours), pose)
            low, high = body._box()
            for k in range(3):
                n = np.eye(3)[k]
                for plane in (ours.Halfspace(-n, -high[k]), ours.Halfspace(n, low[k])):
                    assert not hit(put(plane), body)
                assert hit(put(ours.Halfspace(-n, -(high[k] - 1e-9))), body)
                assert hit(put(ours.Halfspace(n, low[k] + 1e-9)), body)


def test_managers_take_them():
    bodies = [put(CURVED[name](ours), 0.3 * k) for k, name in enumerate(CURVED)] + [put(ours.Plane([0, 0, 1.0], 0.1))]
    manager = ours.DynamicAABBTreeCollisionManager()
    manager.registerObjects(bodies)
    found = []
    manager.collide(found, lambda o1, o2, data: data.append((o1, o2)))
    pairs = {frozenset((bodies.index(p), bodies.index(q))) for p, q in found if hit(p, q)}
    every = {frozenset((i, j)) for i in range(5) for j in range(i) if hit(bodies[i], bodies[j])}
    assert pairs == every and 5 <= len(every) < 10


@pytest.mark.parametrize("scale", [1e-90, 1e80])
def test_every_size_has_the_same_answers(scale):
    pairs = [("cylinder", "box"), ("cone", "sheet"), ("ellipsoid", "capsule"), ("cone", "ellipsoid")]

    def scaled(name, size):
        if name == "sheet":
            vertices, faces = grid_arrays(4)
            return bvh(ours, vertices * size, faces)
        kind, *sizes = {
            "cylinder": (ours.Cylinder, 0.4, 1.0), "cone": (ours.Cone, 0.5, 1.2), "box": (ours.Box, 0.5, 1.0, 0.75),
            "ellipsoid": (ours.Ellipsoid, 0.3, 0.45, 0.7), "capsule": (ours.Capsule, 0.2, 0.9),
        }[name]  # fmt: skip
        return kind(*(length * size for length in sizes))

    hits = 0
    for both in at_two_sizes(scaled, pairs, scale, 58):
        lengths = [
            np.array([distance, *(one.penetration_depth for one in contacts)]) / size
            for size, (_, contacts, distance, _) in zip((1.0, scale), both)
        ]
        assert both[0][0] == both[1][0]
        assert np.allclose(*lengths, rtol=0, atol=1e-6)
        hits += both[0][0]
    assert 40 < hits < 150


def test_what_is_inside():
    for name in CURVED:
        small = put(CURVED[name](ours), 0.05)
        assert hit(put(ours.Box(4, 4, 4)), small)
        assert not hit(put(bvh(ours, *cube_arrays(4.0))), small)
        # Curved bodies are solids.
        for large in (ours.Cylinder(9, 9), ours.Cone(30, 30), ours.Ellipsoid(9, 9, 9)):
            for inner in ("box", "hollow", "sheet", "small", "thin", name):
                assert hit(put(MAKE[inner](ours)), put(large, 0.5))


@pytest.mark.parametrize(("a", "b"), [("cylinder", "box"), ("cone", "pebble"), ("ellipsoid", "capsule"), ("disc", "cone")])
def test_no_shorter_way_parts_convex_bodies(a, b):
    p, q, hits = MAKE[a](ours), MAKE[b](ours), 0
    rng = np.random.default_rng(59)
    bases, poses = (random_quaternions(40, seed) * ([0.25] * 3 + [1.0] * 4) for seed in (60, 61))
    for base, pose in zip(matrices(bases), matrices(poses)):
        o1, o2 = at(ours, p, base), at(ours, q, pose)
        count, contacts, distance, result = asked(ours, o1, o2)
        if count == 0:
            continue
        (contact,), depth, hits = contacts, -distance, hits + 1
        assert contact.penetration_depth == depth
        assert not hit(o1, moved(o2, 1.000001 * depth * contact.normal))
        ways = rng.normal(size=(60, 3)) + 2 * contact.normal
        for way in ways / np.linalg.norm(ways, axis=1)[:, None]:
            assert hit(o1, moved(o2, 0.99999 * depth * way))
        on_a, on_b = result.nearest_points
        assert np.allclose(on_a - on_b, depth * contact.normal, atol=1e-4)
        assert np.allclose(contact.pos, 0.5 * (on_a + on_b), atol=1e-12)
        # Both are in the bodies, or nearly.
        for one, point in ((o1, on_a), (o2, on_b)):
            assert hit(one, put(ours.Sphere(1e-4), *point))
        back = asked(ours, o2, o1)
        assert back[0] == 1 and back[2] == pytest.approx(distance, abs=1e-5)
        assert np.allclose(back[1][0].normal, -contact.normal, atol=1e-2)
    assert hits >= 8


@pytest.mark.parametrize("kind", ["Cylinder", "Cone"])
@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf, 2e300])
def test_sizes_that_are_no_sizes_are_named(kind, value):
    for sizes, what in (((value, 1.0), "radius"), ((1.0, value), "length")):
        with pytest.raises(impinge.ArgumentError, match=f"the {what} of a {kind}"):
            getattr(ours, kind)(*sizes)
    with pytest.raises(impinge.ArgumentError, match="a radius of an Ellipsoid"):
        ours.Ellipsoid(1.0, value, 1.0)


def test_what_they_tell_of_themselves():
    for fcl in (ours, theirs):
        cylinder, cone, ellipsoid = fcl.Cylinder(0.5, 2.0), fcl.Cone(0.25, 3.0), fcl.Ellipsoid(1.0, 2.0, 3.0)
        assert (cylinder.radius, cylinder.lz, cone.radius, cone.lz) == (0.5, 2.0, 0.25, 3.0)
        assert ellipsoid.radii.tolist() == [1.0, 2.0, 3.0]
        assert [one.getNodeType() for one in (ellipsoid, cone, cylinder)] == [11, 13, 14]
        for one in (cylinder, cone, ellipsoid):
            one.computeLocalAABB()
            assert np.allclose(one.aabb_center, 0)
    with pytest.raises(impinge.Error, match="rigid transforms alone"):
        ours.CollisionObject(ours.Cone(1, 1), ours.Transform(2 * np.eye(3), np.zeros(3)))

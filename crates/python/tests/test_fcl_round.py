"""Balls and capsules of `impinge.fcl`: beside python-fcl, and against rational arithmetic."""

import math
from fractions import Fraction

import numpy as np
import pytest
from conftest import bvh, cube_arrays, grid_arrays, matrices, random_quaternions, shift

import impinge
import impinge.fcl as ours

theirs = pytest.importorskip("fcl")

from test_fcl import MAKE as MESHES  # noqa: E402, needs python-fcl
from test_fcl import at, convex  # noqa: E402


def pebble(fcl):
    """A convex body of 396 faces, not one vertex of which is about the origin."""
    spatial = pytest.importorskip("scipy.spatial")
    directions = np.random.default_rng(30).normal(size=(200, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    hull = spatial.ConvexHull(directions * [0.4, 0.6, 0.8] + 0.1)
    a, b, c = np.moveaxis(hull.points[hull.simplices], 1, 0)
    out = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) > 0
    return convex(fcl, hull.points, np.where(out[:, None], hull.simplices, hull.simplices[:, ::-1]))


MAKE = {
    "pebble": pebble,
    **MESHES,
    "slab": lambda fcl: fcl.TriangleP([-1, -1, 0.1], [1.5, -0.5, 0.0], [-0.25, 1.25, -0.1]),
    "ball": lambda fcl: fcl.Sphere(0.4),
    "small": lambda fcl: fcl.Sphere(0.15),
    "capsule": lambda fcl: fcl.Capsule(0.2, 0.9),
    "thin": lambda fcl: fcl.Capsule(0.05, 1.4),
}
SIGNED = {fcl: fcl.DistanceRequest(True, True) for fcl in (ours, theirs)}


def asked(fcl, o1, o2):
    """What two objects answer: the count of contacts, these, the signed distance, and where it is."""
    contacts, result = fcl.CollisionResult(), fcl.DistanceResult()
    count = fcl.collide(o1, o2, fcl.CollisionRequest(100, True), contacts)
    return count, contacts.contacts, fcl.distance(o1, o2, SIGNED[fcl], result), result


def put(geometry, *place):
    """An object of ours at a place (3,), as `shift` takes it; by default at the origin."""
    return at(ours, geometry, shift(*place) if place else np.eye(4))


ROUND = (ours.NODE_TYPE.GEOM_SPHERE, ours.NODE_TYPE.GEOM_CAPSULE)


def hit(o1, o2):
    """Whether two objects collide."""
    return ours.collide(o1, o2) > 0


#: Bodies, and by how much places are scaled, so that about half of the poses collide.
BESIDE = [
    ("cube", "ball", 1.0), ("cube", "thin", 0.9), ("box", "ball", 0.8), ("box", "capsule", 0.8),
    ("sheet", "ball", 0.5), ("sheet", "capsule", 0.5), ("hollow", "ball", 1.0), ("hollow", "small", 0.8),
    ("hollow", "capsule", 1.2), ("ball", "small", 0.45), ("ball", "ball", 0.6), ("capsule", "ball", 0.7),
    ("capsule", "capsule", 0.5), ("thin", "capsule", 0.45), ("ball", "sheet", 0.5), ("capsule", "box", 0.8),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "spread"), BESIDE)
def test_verdicts_and_distances_beside_python_fcl(a, b, spread):
    geometries = {fcl: (MAKE[a](fcl), MAKE[b](fcl)) for fcl in (ours, theirs)}
    meshes = any(isinstance(one, ours.BVHModel) for one in geometries[ours])
    poses = random_quaternions(300, seed=31) * ([spread] * 3 + [1.0] * 4)
    bases = random_quaternions(300, seed=32) * ([0.2] * 3 + [1.0] * 4)
    hits = 0
    for base, pose in zip(matrices(bases), matrices(poses)):
        found = {fcl: asked(fcl, at(fcl, p, base), at(fcl, q, pose)) for fcl, (p, q) in geometries.items()}
        (count, _, distance, result), (their_count, _, their_distance, _) = found[ours], found[theirs]
        hits += count
        assert (count > 0) == (distance <= 0)
        between = np.linalg.norm(result.nearest_points[0] - result.nearest_points[1])
        assert abs(between - abs(distance)) < 1e-12
        if abs(distance) > 1e-6:
            assert (count > 0) == (their_count > 0)
        # python-fcl gives no depth of a mesh, and of others one of 1e-6; a distance of two is of 1e-3.
        if count == 0 or not meshes:
            assert abs(distance - their_distance) < (1e-5 if count else 1e-3)
    assert 90 <= hits <= 210


def test_a_radius_a_hundredth_larger_is_noticed():
    differ = 0
    for pose in matrices(random_quaternions(300, seed=33)):
        mine = ours.distance(put(ours.Sphere(0.404)), at(ours, MAKE["capsule"](ours), pose), SIGNED[ours])
        ball, capsule = theirs.CollisionObject(theirs.Sphere(0.4)), at(theirs, MAKE["capsule"](theirs), pose)
        differ += abs(mine - theirs.distance(ball, capsule, SIGNED[theirs])) > 1e-3
    assert differ > 250


def squared_to_a_segment(p, a, b):
    """The exact square of the distance of a point and a segment; arrays of fractions."""
    along = b - a
    length = along @ along
    t = min(max(((p - a) @ along) / length, 0), 1) if length else 0
    off = p - a - t * along
    return off @ off


def squared_to_a_triangle(p, corners):
    """The same of a triangle (3, 3)."""
    cross = lambda u, v: np.roll(u, -1) * np.roll(v, -2) - np.roll(u, -2) * np.roll(v, -1)  # noqa: E731
    a, b, c = corners
    normal, sides = cross(b - a, c - a), [(a, b), (b, c), (c, a)]
    if normal.any() and all(cross(v - u, p - u) @ normal >= 0 for u, v in sides):
        return ((p - a) @ normal) ** 2 / (normal @ normal)
    return min(squared_to_a_segment(p, u, v) for u, v in sides)


def exact(array):
    """An array of fractions."""
    return np.vectorize(Fraction, otypes=[object])(array)


def radii_about(squared):
    """Radii that are the root, or next to it, and whether each is at least the root."""
    root = math.sqrt(squared)
    near = [np.nextafter(root, 0.0), root, np.nextafter(root, np.inf)]
    return [(float(r), Fraction(float(r)) ** 2 >= squared) for r in near]


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e80])
def test_balls_next_to_touching_are_told_apart(scale):
    rng, told, wrong = np.random.default_rng(34), [], 0
    for k in range(60):
        corners, centre = rng.normal(size=(3, 3)) * scale, rng.normal(size=3) * scale
        if k % 2:  # beside a face
            centre = rng.dirichlet([2.0] * 3) @ corners
            centre += np.cross(*np.diff(corners, axis=0)) * rng.normal() / scale
        for radius, touches in radii_about(squared_to_a_triangle(exact(centre), exact(corners))):
            place, turn = matrices(random_quaternions(1, k))[0], np.eye(4)
            place[:3, 3] = centre
            triangle, ball = at(ours, ours.TriangleP(*corners), turn), at(ours, ours.Sphere(radius), place)
            assert hit(triangle, ball) == hit(ball, triangle) == touches
            assert (ours.distance(triangle, ball, SIGNED[ours]) > 0) == (not touches)
            told.append(touches)
            rounded = np.linalg.norm(_nearest(centre, corners) - centre) <= radius
            wrong += rounded != touches
    assert 50 < sum(told) < 130
    assert wrong > 5, "rounded arithmetic decides all of them"


def _nearest(centre, corners):
    """The point of a triangle that is nearest to another, rounded."""
    model = impinge.Model(corners, [[0, 1, 2]])
    return impinge.Pair(model, impinge.Model(centre[None], [[0, 0, 0]])).nearest(np.eye(4)).on_a


def test_capsules_next_to_touching_are_told_apart():
    rng, told = np.random.default_rng(35), []
    for _ in range(60):
        # Of few digits, so that the ends of the segment are exact where they are.
        point, centre, length = (rng.integers(-(2**20), 2**20, n) * 2.0**-18 for n in (3, 3, 1))
        length = abs(float(length[0])) * 2
        ends = [exact(centre + [0, 0, z]) for z in (-0.5 * length, 0.5 * length)]
        for radius, touches in radii_about(squared_to_a_segment(exact(point), *ends)):
            capsule = put(ours.Capsule(radius, length), *centre)
            assert hit(capsule, put(ours.TriangleP(*[point] * 3))) == touches
            # The same of a capsule and a ball of no radius.
            assert hit(put(ours.Sphere(0), *point), capsule) == touches
            told.append(touches)
    assert 50 < sum(told) < 130


@pytest.mark.parametrize("scale", [2.0**-299, 1e-90, 1.0, 1e80])
def test_a_face_is_touched_at_the_radius(scale):
    box, one = put(ours.Box(*[scale] * 3)), matrices(random_quaternions(1, 36))[0]
    for geometry in (ours.Sphere(0.5 * scale), ours.Capsule(0.5 * scale, 0.25 * scale)):
        for x, touches in ((scale, True), (np.nextafter(scale, np.inf), False), (-scale, True)):
            place = shift(x)
            if isinstance(geometry, ours.Sphere):
                place[:3, :3] = one[:3, :3]  # a ball is the same however it turns
            body = at(ours, geometry, place)
            assert hit(box, body) == hit(body, box) == touches
            signed, unsigned = ours.distance(box, body, SIGNED[ours]), ours.distance(box, body)
            if touches:
                assert (signed, unsigned) == (0.0, -1.0)
            else:
                assert 0 < signed == unsigned < 1e-15 * scale
            result = ours.CollisionResult()
            ours.collide(box, body, ours.CollisionRequest(enable_contact=True), result)
            if touches:
                (contact,) = result.contacts
                assert np.allclose(contact.normal, [np.sign(x), 0, 0]) and contact.penetration_depth == 0
                assert contact.pos[0] == np.sign(x) * 0.5 * scale
                assert contact.b2 == -1 and 0 <= contact.b1 < 12


def at_two_sizes(make, pairs, scale, seed):
    """What two bodies of a pair answer, as `asked` tells, at 40 poses of each, of size 1 and of another. make: a
    function of a name and a size."""
    for a, b in pairs:
        for pose in matrices(random_quaternions(40, seed) * ([0.6] * 3 + [1.0] * 4)):
            found = []
            for size in (1.0, scale):
                place = pose.copy()
                place[:3, 3] *= size
                found.append(asked(ours, put(make(a, size)), at(ours, make(b, size), place)))
            yield found


@pytest.mark.parametrize("scale", [1e-90, 1e-30, 1e80])
def test_every_size_has_the_same_answers(scale):
    def scaled(size):
        vertices, faces = grid_arrays(4)
        return {
            "box": ours.Box(0.5 * size, size, 0.75 * size),
            "sheet": bvh(ours, vertices * size, faces),
            "ball": ours.Sphere(0.4 * size),
            "capsule": ours.Capsule(0.2 * size, 0.9 * size),
        }

    depths, pairs = 0, [(a, b) for a in ("box", "sheet", "capsule") for b in ("ball", "capsule")]
    for both in at_two_sizes(lambda name, size: scaled(size)[name], pairs, scale, 37):
        lengths = []
        for size, (_, contacts, distance, result) in zip((1.0, scale), both):
            found = [distance, *np.ravel(result.nearest_points)]
            for one in contacts:
                found += [*one.pos, one.penetration_depth, *(one.normal * size)]
            lengths.append(np.array(found) / size)
        assert both[0][0] == both[1][0]
        assert np.allclose(*lengths, rtol=0, atol=1e-9)
        depths += both[0][0]
    assert 60 < depths < 180


def test_what_is_inside():
    for geometry in (ours.Sphere(0.1), ours.Capsule(0.1, 0.2)):
        body = put(geometry, 0.05)
        assert hit(put(ours.Box(1, 1, 1)), body)
        assert not hit(put(bvh(ours, *cube_arrays())), body)
        # A ball is a solid: what is in it collides.
        for name in ("box", "hollow", "sheet", "small", "thin"):
            assert hit(put(MAKE[name](ours)), put(ours.Sphere(10), 0.5))
            assert hit(put(ours.Capsule(9, 3)), put(MAKE[name](ours), 0.5))
    inner = put(bvh(ours, *cube_arrays())), put(ours.Sphere(0.125), 0.25)
    assert ours.distance(*inner, SIGNED[ours]) == 0.125


def moved(one, by):
    """An object somewhere else."""
    pose = one._tf._matrix.copy()
    pose[:3, 3] += by
    return at(ours, one._geom, pose)


#: Bodies, and in how many poses of 40 at least the point or segment of a round one meets the other's, or is
#: inside.
CONVEX = [
    ("cube", "ball", 10), ("cube", "thin", 20), ("box", "capsule", 10), ("pebble", "small", 10),
    ("pebble", "thin", 20), ("pebble", "capsule", 20), ("slab", "thin", 10), ("slab", "capsule", 10),
    ("slab", "ball", 0), ("capsule", "thin", 0), ("thin", "small", 0), ("ball", "ball", 0),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "least"), CONVEX)
def test_no_shorter_way_parts_convex_bodies(a, b, least):
    p, q, deep, hits = MAKE[a](ours), MAKE[b](ours), 0, 0
    rng = np.random.default_rng(38)
    bases, poses = (random_quaternions(40, seed) * ([0.25] * 3 + [1.0] * 4) for seed in (39, 40))
    for base, pose in zip(matrices(bases), matrices(poses)):
        o1, o2 = at(ours, p, base), at(ours, q, pose)
        count, contacts, distance, result = asked(ours, o1, o2)
        if count == 0:
            continue
        (contact,), depth, hits = contacts, -distance, hits + 1
        deep += depth > p._shape.radius + q._shape.radius
        assert contact.penetration_depth == depth
        assert not hit(o1, moved(o2, 1.000001 * depth * contact.normal))
        # A sampled least way is found within some per cent; this one is the least of all.
        ways = rng.normal(size=(60, 3)) + 2 * contact.normal
        for way in ways / np.linalg.norm(ways, axis=1)[:, None]:
            assert hit(o1, moved(o2, 0.9999 * depth * way))
        # The points are of the bodies: those of the first are in it, and on its surface.
        on_a, on_b = result.nearest_points
        assert np.allclose(on_a - on_b, depth * contact.normal, atol=1e-12)
        for one, point, out in ((o1, on_a, contact.normal), (o2, on_b, -contact.normal)):
            assert hit(one, put(ours.Sphere(1e-12), *point))
            assert not hit(one, put(ours.Sphere(0), *(point + 1e-9 * out)))
        assert np.allclose(contact.pos, 0.5 * (on_a + on_b), atol=1e-12)
    assert deep >= least and hits >= 8


@pytest.mark.parametrize("name", ["sheet", "hollow"])
def test_a_mesh_has_the_depth_of_its_deepest_triangle(name):
    mesh, crossing = MAKE[name](ours), 0
    corners = mesh._shape.model.vertices[mesh._shape.model.faces]
    for body in (MAKE["thin"](ours), MAKE["ball"](ours)):
        for pose in matrices(random_quaternions(15, 41) * ([0.5] * 3 + [1.0] * 4)):
            one = at(ours, body, pose)
            count, contacts, distance, result = asked(ours, put(mesh), one)
            points = result.nearest_points
            triangles = [put(ours.TriangleP(*three)) for three in corners]
            each = [ours.distance(triangle, one, SIGNED[ours]) for triangle in triangles]
            assert distance == pytest.approx(min(each), abs=1e-12)
            if count:
                assert each[contacts[0].b1] == pytest.approx(min(each), abs=1e-12)
                assert ours.distance(triangles[contacts[0].b1], put(ours.Sphere(0), *points[0])) < 1e-12
            crossing += distance < -body.radius - 1e-3
    assert crossing > 2


@pytest.mark.parametrize("order", [[0, 1, 2], [2, 1, 0]])
def test_points_are_of_the_deepest_triangle_while_others_are_crossed(order):
    layers = [[[-9, -9, z], [9, -9, z], [0, 9, z]] for z in (-0.5, 0.0, 0.625)]
    mesh = bvh(ours, np.concatenate([layers[k] for k in order]).astype(float), np.arange(9).reshape(3, 3))
    _, (contact,), distance, result = asked(ours, put(mesh), put(ours.Capsule(0.125, 2.0)))
    assert contact.b1 == result.b1 == 1 and distance == -1.125
    assert result.nearest_points[0].tolist() == [0, 0, 0] and np.abs(result.nearest_points[1]).max() == 1.125


def test_triangles_have_their_indices():
    mesh = MAKE["sheet"](ours)
    corners = mesh._shape.model.vertices[mesh._shape.model.faces]
    for pose in matrices(random_quaternions(60, 42)):
        o1, o2 = put(mesh), at(ours, MAKE["ball"](ours), pose)
        result = ours.DistanceResult()
        least = ours.distance(o1, o2, SIGNED[ours], result)
        alone = put(ours.TriangleP(*corners[result.b1]))
        assert result.b2 == -1 and ours.distance(alone, o2, SIGNED[ours]) == pytest.approx(least, abs=1e-12)
        ours.distance(o2, o1, SIGNED[ours], back := ours.DistanceResult())
        assert (back.b1, back.b2, back.min_distance) == (-1, result.b1, least)
        assert np.array_equal(back.nearest_points[::-1], result.nearest_points)


@pytest.mark.parametrize(
    ("a", "b"), [("box", "capsule"), ("hollow", "thin"), ("ball", "capsule"), ("ball", "cube")]
)
def test_exchanged_bodies_have_the_same_answers(a, b):
    hits = 0
    for base, pose in zip(matrices(random_quaternions(40, 43)), matrices(random_quaternions(40, 44))):
        o1, o2 = (at(ours, MAKE[name](ours), place) for name, place in ((a, base), (b, pose)))
        (count, contacts, distance, _), (other, turned, same, _) = asked(ours, o1, o2), asked(ours, o2, o1)
        assert (count, distance) == (other, same)
        for one, two in zip(contacts, turned):
            assert np.array_equal(one.normal, -two.normal) and (one.b1, one.b2) == (two.b2, two.b1)
            assert np.allclose(one.pos, two.pos, atol=1e-15) and (one.o1, one.o2) == (two.o2, two.o1)
        hits += count
    assert 4 < hits < 40


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [
        ("ball", "ball", 0.7),
        ("ball", "box", 0.6),
        ("small", "box", 0.1),
        ("ball", "capsule", 0.5),
        ("box", "ball", 0.6),
    ],
)
def test_contacts_are_those_of_python_fcl(a, b, x):
    for pose in (shift(x), shift(x, 0.05, 0.03)):
        objects = {
            fcl: (at(fcl, MAKE[a](fcl), np.eye(4)), at(fcl, MAKE[b](fcl), pose)) for fcl in (ours, theirs)
        }
        found = {fcl: asked(fcl, *two) for fcl, two in objects.items()}
        (count, (mine,), distance, _), (their_count, (other,), their_distance, _) = found[ours], found[theirs]
        assert count == their_count == 1 and abs(distance - their_distance) < 1e-5
        assert abs(mine.penetration_depth - other.penetration_depth) < 1e-12
        assert np.allclose(mine.normal, other.normal, atol=1e-12)
        # Its places of a capsule's contacts follow no rule.
        assert "capsule" in (a, b) or np.allclose(mine.pos, other.pos, atol=1e-12)
        for fcl, (o1, o2) in objects.items():
            assert fcl.distance(o1, o2) == -1.0
            plain = fcl.CollisionResult()
            assert fcl.collide(o1, o2, fcl.CollisionRequest(), plain) == 1 and plain.contacts[0].b1 == -1


def test_the_contact_of_unequal_balls_is_in_the_middle():
    found = {}
    for fcl in (ours, theirs):
        o1, o2 = at(fcl, fcl.Sphere(0.5), np.eye(4)), at(fcl, fcl.Sphere(0.25), shift(0.6))
        found[fcl] = asked(fcl, o1, o2)[1][0]
    assert found[ours].pos[0] == pytest.approx(0.425, abs=1e-15)
    assert found[theirs].pos[0] == pytest.approx(0.4, abs=1e-12)  # in proportion to the radii
    assert found[ours].penetration_depth == pytest.approx(found[theirs].penetration_depth, abs=1e-12)


def test_cores_that_meet():
    sheet = put(bvh(ours, np.array([[-9, -9, 0], [9, -9, 0], [0, 9, 0.0]]), np.array([[0, 1, 2]])))
    lying = np.eye(4)
    lying[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    upright = put(ours.Capsule(0.25, 1.0), 0, 0, 0.25)
    box, dot = put(ours.Box(2, 2, 2)), ours.TriangleP(*np.ones((3, 3)))
    line = ours.TriangleP([0, 0, 0], [2, 2, 2], [3, 3, 3])
    cases = [
        (sheet, put(ours.Sphere(0.25)), 0.25, [0, 0, 1]),
        (sheet, at(ours, ours.Capsule(0.25, 1.0), lying), 0.25, [0, 0, 1]),
        (sheet, upright, 0.5, [0, 0, 1]),
        (upright, at(ours, ours.Capsule(0.5, 1.0), lying), 0.75, [0, 1, 0]),
        (upright, upright, 0.5, None),
        (upright, put(ours.Sphere(1), 0), 1.25, None),
        (put(ours.Sphere(1), 2), put(ours.Sphere(2), 2), 3.0, None),
        (box, put(ours.Sphere(0.5), 1, 0.25), 0.5, [1, 0, 0]),
        (box, put(ours.Capsule(0.5, 1), 1, 0.25), 0.5, [1, 0, 0]),
        (box, put(ours.Sphere(0.5), 1 - 1e-15, 0.25), 0.5, [1, 0, 0]),
        (box, put(ours.Sphere(0.5), 1 + 1e-15, 0.25), 0.5, [1, 0, 0]),
        (put(dot), put(ours.Sphere(2), 1, 1, 1), 2, None),
        (put(line), put(ours.Sphere(2), 1, 1, 1), 2, None),
    ]
    for o1, o2, depth, normal in cases:
        count, (contact,), distance, result = asked(ours, o1, o2)
        assert count == 1 and abs(distance + depth) < 1e-12 and (contact.b2, result.b2) == (-1, -1)
        assert contact.b1 == result.b1 and (contact.b1 == -1) == (o1.getNodeType() in ROUND)
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-12
        if normal is not None:
            assert np.allclose(np.abs(contact.normal), normal, atol=1e-12)
        assert not hit(o1, moved(o2, (depth + 1e-12) * contact.normal))
        between = result.nearest_points[0] - result.nearest_points[1]
        assert np.allclose(between, depth * contact.normal, atol=1e-12)


def test_directions_close_to_a_surface():
    """Where the nearest points are so close that their difference is a matter of rounding, a face tells."""
    rng = np.random.default_rng(48)
    for pose in matrices(random_quaternions(60, 49)):
        on_face = np.array([0.5, *rng.uniform(-0.4, 0.4, 2)])
        off = float(rng.choice([0.0, 1e-16, 1e-15, 1e-13, 1e-11, 1e-8])) * rng.choice([-1.0, 1.0])
        place = pose.copy()
        place[:3, 3] = pose[:3, :3] @ (on_face + [off, 0, 0]) + pose[:3, 3]
        for name in ("cube", "hollow"):
            geometry = MAKE[name](ours) if name == "cube" else bvh(ours, *cube_arrays())
            o1, o2 = at(ours, geometry, pose), at(ours, ours.Sphere(0.25), place)
            count, (contact,), distance, _ = asked(ours, o1, o2)
            assert count == 1 and abs(abs(contact.normal @ pose[:3, 0]) - 1) < 1e-4
            assert name == "hollow" or contact.normal @ pose[:3, 0] > 0
            depth = 0.25 - (off if name == "cube" else abs(off))
            assert abs(distance + depth) < 1e-14
    # Off an edge, away from it.
    off = put(ours.Sphere(0.25), 0.5 + 3e-4, 0.5 + 4e-4)
    (contact,) = asked(ours, put(ours.Box(1, 1, 1)), off)[1]
    assert np.allclose(contact.normal, [0.6, 0.8, 0], atol=1e-9)
    assert contact.penetration_depth == pytest.approx(0.25 - 5e-4, abs=1e-12)
    # A segment beside a face, and one that lies a little below it.
    for off in (1e-12, -1e-12):
        (contact,) = asked(ours, put(ours.Box(1, 1, 1)), put(ours.Capsule(0.25, 0.5), 0.5 + off))[1]
        assert np.allclose(contact.normal, [1, 0, 0]) and abs(contact.penetration_depth - 0.25 + off) < 1e-15


def test_managers_see_the_radii():
    names = ["box", "ball", "small", "capsule", "hollow"]
    poses = matrices(random_quaternions(25, 46) * ([1.6] * 3 + [1.0] * 4))
    found = {}
    for fcl in (ours, theirs):
        objects = [at(fcl, MAKE[names[k % 5]](fcl), pose) for k, pose in enumerate(poses)]
        manager, pairs, distance = fcl.DynamicAABBTreeCollisionManager(), [], fcl.DistanceData()
        manager.registerObjects(objects)
        manager.setup()
        places = {tuple(one.getTranslation().round(9)): k for k, one in enumerate(objects)}

        def callback(a, b, data, fcl=fcl, pairs=pairs, places=places):
            if fcl.collide(a, b, fcl.CollisionRequest(), fcl.CollisionResult()):
                pairs.append(sorted(places[tuple(one.getTranslation().round(9))] for one in (a, b)))
            return False

        manager.collide(None, callback)
        manager.distance(distance, fcl.defaultDistanceCallback)
        apart = fcl.DynamicAABBTreeCollisionManager()
        apart.registerObjects([at(fcl, fcl.Sphere(0.5), shift(x)) for x in (0, 4, 6.5)])
        apart.setup()
        least = fcl.DistanceData()
        apart.distance(least, fcl.defaultDistanceCallback)
        found[fcl] = sorted(pairs), round(least.result.min_distance, 4)
    assert found[ours] == found[theirs] and 20 < len(found[ours][0]) < 200 and found[ours][1] == 1.5
    ball = put(ours.Sphere(2), 3)
    assert np.all(ball._box()[0] <= [1, -2, -2]) and np.all(ball._box()[1] >= [5, 2, 2])
    assert np.allclose(ball._box(), [[1, -2, -2], [5, 2, 2]], atol=1e-9)


def test_managers_of_large_objects():
    """Squares of their distances are out of range."""
    box, manager, data = ours.Box(1, 1, 1), ours.DynamicAABBTreeCollisionManager(), ours.DistanceData()
    manager.registerObjects([put(box, x) for x in (0.0, 1e161, 1.25e161, 4e161)])
    manager.distance(data, ours.defaultDistanceCallback)
    assert data.result.min_distance == pytest.approx(0.25e161)


def test_ways():
    to = lambda *t: ours.Transform(np.array([*t, 0, 0][:3], dtype=float))  # noqa: E731
    box, ball = put(ours.Box(1, 1, 1)), put(ours.Sphere(0.5), 5)
    result = ours.ContinuousCollisionResult()
    for way in ((box, to(0), ball, to(-5)), (ball, to(-5), box, to(0))):
        assert 0.4 <= ours.continuousCollide(*way, None, result) < 0.40001 and result.is_collide
    assert ours.continuousCollide(box, to(0), ball, to(1.0001)) == 1.0
    assert ours.continuousCollide(box, to(0), put(ours.Sphere(0.5), 0.75), to(9)) == 0.0
    assert 0.5 <= ours.continuousCollide(put(ours.Sphere(1), -5), to(-1), ball, to(-1)) < 1.0
    # A ball that turns only moves, so that the box may move too.
    turned = ours.Transform(matrices(random_quaternions(1, 47))[0][:3, :3], [-5.0, 0, 0])
    assert ours.continuousCollide(box, to(5), ball, turned) == pytest.approx(4 / 15, abs=1e-5)
    # A capsule turns a quarter, and its end goes along a circle to the corner of a box.
    capsule, wall = put(ours.Capsule(0.25, 2)), put(ours.Box(1, 1, 1), 1.5)
    quarter = ours.Transform(np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0.0]]))
    low, high = 0.0, 1.0
    for _ in range(60):
        t = 0.5 * (low + high)
        x, z = 1 - math.sin(t * math.pi / 2), math.cos(t * math.pi / 2) - 0.5
        low, high = (t, high) if math.hypot(x, max(z, 0.0)) > 0.25 else (low, t)
    assert ours.continuousCollide(capsule, quarter, wall, to(1.5)) == pytest.approx(low, abs=2e-6)
    with pytest.raises(impinge.Error, match="one of them rest"):
        ours.continuousCollide(capsule, quarter, wall, to(1.0))


@pytest.mark.parametrize("fcl", [ours, theirs])
def test_python_fcl_has_the_same_way(fcl):
    box, ball = at(fcl, fcl.Box(1, 1, 1), np.eye(4)), at(fcl, fcl.Sphere(0.5), shift(5))
    to = [fcl.Transform(np.array([x, 0.0, 0.0])) for x in (0, -5)]
    result = fcl.ContinuousCollisionResult()
    when = fcl.continuousCollide(box, to[0], ball, to[1], fcl.ContinuousCollisionRequest(), result)
    assert when == pytest.approx(0.4, abs=1e-5) and result.is_collide


def test_geometries_tell_what_they_are():
    told = {}
    for fcl in (ours, theirs):
        told[fcl] = []
        for geometry in (fcl.Sphere(0.5), fcl.Capsule(0.25, 2)):
            one = at(fcl, geometry, shift(3.0))
            geometry.computeLocalAABB()
            told[fcl] += [geometry.getNodeType(), one.getNodeType(), one.getObjectType(), geometry.radius]
            told[fcl] += [*geometry.aabb_center, getattr(geometry, "lz", None)]
    assert told[ours] == told[theirs]
    assert ours.Sphere(0).radius == 0.0 and ours.Capsule(1, 0).lz == 0.0
    capsule = ours.Capsule(1, 1)
    for geometry, name in ((ours.Sphere(1), "radius"), (capsule, "radius"), (capsule, "lz")):
        with pytest.raises(AttributeError):
            setattr(geometry, name, 2.0)


@pytest.mark.parametrize("bad", [-1.0, np.nan, np.inf, 1e301, -1e-300])
def test_lengths_that_are_refused(bad):
    for make, what in (
        (lambda: ours.Sphere(bad), "radius of a Sphere"),
        (lambda: ours.Capsule(bad, 1), "radius of a Capsule"),
        (lambda: ours.Capsule(1, bad), "length of a Capsule"),
    ):
        with pytest.raises(ValueError, match=f"{what} is {bad}".replace("+", r"\+")) as error:
            make()
        assert isinstance(error.value, impinge.Error)
        assert np.array_equal(error.value.value, bad, equal_nan=True)


SHEAR = [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]


@pytest.mark.parametrize("matrix", [2 * np.eye(3), np.diag([1, 1, -1.0]), SHEAR])
def test_transforms_that_are_refused(matrix):
    for geometry in (ours.Sphere(1), ours.Capsule(1, 1)):
        with pytest.raises(impinge.Error, match="round body takes rigid transforms"):
            ours.CollisionObject(geometry, ours.Transform(np.array(matrix), np.zeros(3)))
        one = put(geometry, 3)
        with pytest.raises(impinge.Error, match="round body takes rigid transforms"):
            one.setRotation(matrix)
        assert np.array_equal(one.getRotation(), np.eye(3)) and one.getTranslation()[0] == 3
        assert ours.distance(one, put(ours.Sphere(1), 9)) == 4.0
        with pytest.raises(ValueError):
            one.setTranslation([np.nan, 0, 0])
    # A box takes them beside a ball.
    wide = put(ours.Box(1, 1, 1))
    wide.setRotation(2 * np.eye(3))
    assert hit(wide, put(ours.Sphere(0.5), 1.5))
    assert not hit(wide, put(ours.Sphere(0.5), 1.6))

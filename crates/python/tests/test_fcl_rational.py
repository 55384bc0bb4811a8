"""What 64 bits prove of cylinders, cones and ellipsoids, against rational arithmetic."""

import numpy as np

import impinge.fcl as fcl
from impinge import _curved, _rational


def solid(rng):
    """A body of any shape and size, and its reach (3,)."""
    kind = ("cylinder", "cone", "ellipsoid")[rng.integers(3)]
    scale = 10.0 ** rng.choice([0, 0, -50, 60])
    sizes = rng.uniform(0.1, 1.0, 3) * 10.0 ** rng.choice([0, 0, 0, -3, 2, -7], 3) * scale
    sizes = sizes.tolist() if kind == "ellipsoid" else sizes[:2].tolist()
    return _curved.Curved(kind, sizes), np.array([sizes[0], *sizes] if kind != "ellipsoid" else sizes)


def triangle_beside(rng, body, reach):
    """(3, 3): a triangle near the surface of a body, or in a plane that touches it, or nearly."""
    kind = rng.integers(5)
    if kind == 0:
        direction = rng.normal(size=3)
        point = body.body.ends(direction.tolist())[1]
        side = np.cross(direction, rng.normal(size=3))
        sides = np.stack([side, np.cross(direction, side)]) * reach.max() / np.linalg.norm(side)
        corners = point + np.stack([sides[0], sides[1], -sides[0] - sides[1]]) * rng.choice([0.1, 1.0, 10.0])
        return corners * (1.0 + rng.choice([0.0, 1e-16, -1e-16, 1e-15, -1e-15, 1e-13, -1e-13, 1e-9]))
    if kind == 1:
        point = body.body.ends(rng.normal(size=3).tolist())[1]
        away = rng.normal(size=3) * reach * rng.choice([1e-8, 1e-3, 1.0])
        return np.stack([point, point * rng.uniform(1, 3), point + away])
    corners = rng.normal(size=(3, 3)) * rng.choice([0.3, 1.0, 3.0])
    if kind == 2:
        corners = np.round(2 * corners) / 2
    if kind == 3:
        corners[2] = corners[0] + (corners[1] - corners[0]) * rng.uniform()
    return (corners + rng.normal(size=3) * rng.choice([0.0, 1.0, 10.0])) * reach


def contradictions(grown, cases=4_000):
    """How many of the verdicts proved of bodies and triangles are not those of rational arithmetic, how many are proved,
    and how many meet. grown: what bodies are larger by that are asked."""
    rng, wrong, proved, meet = np.random.default_rng(62), 0, 0, 0
    for _ in range(cases):
        body, reach = solid(rng)
        corners = triangle_beside(rng, body, reach)
        asked_of = _curved.Curved(body.kind, [size * grown for size in body.sizes])
        state, (meets, hidden) = asked_of.body.state(corners), asked_of.body.meets(corners, [[0, 1, 2]])
        truth = _rational.meets(body, corners)
        assert meets == (state > 0) and (state == 0) <= (len(hidden) == 1)
        wrong += state != 0 and (state > 0) != truth
        wrong += state == 0 and truth and not len(hidden)
        proved, meet = proved + (state != 0), meet + truth
    return wrong, proved, meet


def test_what_is_proved_of_triangles_is_what_rational_arithmetic_tells():
    wrong, proved, meet = contradictions(1.0)
    assert wrong == 0 and proved > 2_000 and 1_300 < meet < 2_700
    assert contradictions(1.0 + 1e-8)[0] > 10, "the fault"


def test_what_is_proved_of_upright_bodies_is_what_rational_arithmetic_tells():
    rng, states = np.random.default_rng(63), []
    for _ in range(4_000):
        bodies = [_curved.Curved(("cylinder", "cone")[rng.integers(2)], rng.uniform(0.1, 1.0, 2).tolist()) for _ in "ab"]
        (r, h), (s, g) = (body.sizes for body in bodies)
        turn, pose = rng.uniform(0, 2 * np.pi), np.diag([1.0, -1.0, -1.0, 1.0]) if rng.integers(2) else np.eye(4)
        if rng.integers(2):
            pose[:2, :2] @= [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
        off = 1.0 + rng.choice([0.0, 1e-16, -1e-15, 1e-15, -1e-13, 1e-13, 1e-9, -1e-9])
        pose[:3, 3] = rng.uniform(-1.2, 1.2, 3) * [r + s, r + s, h + g]
        if rng.integers(2):
            pose[2, 3] = (h + g) * off * rng.choice([-1.0, 1.0])
        else:
            pose[:2, 3] *= (r + s) * off / np.linalg.norm(pose[:2, 3])
        states.append((bodies[0].body.state(bodies[1].body, pose), _rational.upright(*bodies, pose)))
    assert all((state > 0) == truth for state, truth in states if state)
    assert min(states.count((state, state > 0)) for state in (-1, 1)) > 300
    assert min(states.count((0, truth)) for truth in (False, True)) > 200


def test_what_is_proved_of_balls_is_what_rational_arithmetic_tells():
    rng, found = np.random.default_rng(64), []
    for _ in range(2_000):
        radius, size = float(rng.uniform(0.1, 1.0)), rng.uniform(0.1, 1.0, 2)
        place = rng.uniform(-1.4, 1.4, 3) * (size[[0, 0, 1]] + radius)
        cylinder, there = fcl.Cylinder(size[0], 2 * size[1]), fcl.Transform(place)
        both = lambda r: (fcl.CollisionObject(cylinder), fcl.CollisionObject(fcl.Sphere(r), there))  # noqa: E731, B023
        if rng.integers(2):
            radius = max(fcl.distance(*both(0.0)), 0.1)
        told = fcl.collide(*both(radius)) > 0
        core = fcl.Sphere(radius)._shape
        found.append((told, _rational.ball(cylinder._shape, core, place[None])))
    assert all(told == truth for told, truth in found)
    assert 700 < sum(told for told, _ in found) < 1_500


def test_no_triangle_is_nearer_than_the_bound_of_the_nearest():
    rng, apart = np.random.default_rng(65), 0
    for _ in range(60):
        kind = ("cylinder", "cone", "ellipsoid")[rng.integers(3)]
        solid = _curved.Curved(kind, rng.uniform(0.2, 0.6, 3 if kind == "ellipsoid" else 2).tolist()).body
        points = rng.normal(size=(12, 3)) + rng.normal(size=3) * 2
        faces = rng.integers(0, 12, size=(20, 3))
        face, lower, distance, on_solid, on_face = solid.nearest(points, faces)
        each = np.array([solid.near(points[three])[:2] for three in faces])
        if each[:, 0].min() > 0:
            apart += 1
            assert lower <= each[:, 1].min() and distance - 1e-9 < lower <= distance
            assert abs(distance - each[face, 1]) < 1e-9
            assert abs(np.linalg.norm(on_face - on_solid) - distance) < 1e-9
        else:
            assert lower == 0.0
    assert 20 < apart < 55

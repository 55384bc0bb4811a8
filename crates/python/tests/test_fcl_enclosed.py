"""Cylinders, cones and ellipsoids of `impinge.fcl`, between a convex body in each and one around it, whose answers are
exact."""

import numpy as np
import pytest
from conftest import matrices, random_quaternions

import impinge.fcl as ours

pytest.importorskip("fcl")
spatial = pytest.importorskip("scipy.spatial")

from test_fcl import at, convex  # noqa: E402, needs python-fcl
from test_fcl_round import MAKE as OTHERS  # noqa: E402
from test_fcl_round import SIGNED  # noqa: E402

MAKE = {**OTHERS, "half": lambda fcl: fcl.Halfspace([1, 2, 3], 0.1), "plane": lambda fcl: fcl.Plane([3, 2, 1], 0.2)}

#: Corners of a circle, and of a ball.
SIDES, POINTS = 100, 2000


def ring(radius, z):
    """(n, 3): corners on a circle about the z axis."""
    turn = 2 * np.pi * np.arange(SIDES) / SIDES
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(SIDES, z)], axis=1)


def hull(points):
    """The convex body of these corners, and the least distance of its faces from the origin."""
    found = spatial.ConvexHull(points)
    a, b, c = np.moveaxis(points[found.simplices], 1, 0)
    out = np.einsum("ij,ij->i", np.cross(b - a, c - a), found.equations[:, :3]) > 0
    faces = np.where(out[:, None], found.simplices, found.simplices[:, ::-1])
    return convex(ours, points, faces), -found.equations[:, 3].max()


def cylinder(radius, lz, wider):
    """A prism. wider: 0 of one in the cylinder, or a factor of the size of one whose faces touch it."""
    radius *= wider / np.cos(np.pi / SIDES) if wider else 1.0
    return hull(np.concatenate([ring(radius, -0.5 * lz), ring(radius, 0.5 * lz)]))[0]


def cone(radius, lz, wider):
    """A pyramid. wider: as of `cylinder`."""
    radius *= wider / np.cos(np.pi / SIDES) if wider else 1.0
    return hull(np.concatenate([ring(radius, -0.5 * lz), [[0, 0, 0.5 * lz]]]))[0]


def ellipsoid(a, b, c, wider):
    """A polyhedron, the image of one with corners on the unit ball. wider: as of `cylinder`."""
    directions = np.random.default_rng(71).normal(size=(POINTS, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    grown = wider / hull(directions)[1] if wider else 1.0
    return hull(directions * grown * [a, b, c])[0]


#: Bodies, the convex ones around and in them, and their sizes.
BODIES = {
    "cylinder": (ours.Cylinder, cylinder, (0.4, 1.0)),
    "cone": (ours.Cone, cone, (0.5, 1.2)),
    "ellipsoid": (ours.Ellipsoid, ellipsoid, (0.3, 0.45, 0.7)),
}


def compared(kind, other, grown=1.0, spread=0.75):
    """Over 300 poses: how many hit, how many both convex bodies tell alike, how many verdicts of the body of a size
    that is `grown` and how many of its distances contradict them.
    """
    make, convex_of, size = BODIES[kind]
    inner = ours.CollisionObject(convex_of(*((1 - 1e-12) * s for s in size), 0))
    outer = ours.CollisionObject(convex_of(*size, 1 + 1e-12))
    body, partner = ours.CollisionObject(make(*(grown * s for s in size))), MAKE[other](ours)
    # Depths beside surfaces are those of one triangle, and of two meshes take long.
    request = SIGNED[ours] if other in ("ball", "half", "plane") else None
    hits = alike = verdicts = distances = 0
    for pose in matrices(random_quaternions(300, 72) * ([spread] * 3 + [1.0] * 4)):
        beside = at(ours, partner, pose)
        least, most, found = (ours.distance(one, beside, request) for one in (outer, inner, body))
        hit = ours.collide(body, beside) > 0
        hits += hit
        alike += (least <= 0) == (most <= 0)
        verdicts += (most <= 0 and not hit) or (least > 0 and hit)
        if least > 0 or request:
            distances += not least - 1e-9 <= found <= most + 1e-9
    return hits, alike, verdicts, distances


SPREADS = {"box": 0.75, "sheet": 0.75, "cube": 1.2, "ball": 0.7, "thin": 0.7, "half": 1.5, "plane": 0.8}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("other", SPREADS)
def test_a_body_in_it_and_one_around_it_bracket_it(kind, other):
    hits, alike, verdicts, distances = compared(kind, other, spread=SPREADS[other])
    assert 75 <= hits <= 240 and alike >= 290
    assert (verdicts, distances) == (0, 0)


@pytest.mark.parametrize("kind", BODIES)
def test_bodies_a_twentieth_off_are_noticed(kind):
    for grown in (0.95, 1.05):
        _, _, verdicts, distances = compared(kind, "box", grown)
        assert verdicts > 0 and distances > 30

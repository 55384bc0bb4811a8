"""Cylinders, cones and ellipsoids, which `impinge.fcl` has not, between two convex bodies that it has: what
`docs/python.md` says of them, beside python-fcl.
"""

import numpy as np
import pytest
from conftest import matrices, random_quaternions

import impinge.fcl as ours

theirs = pytest.importorskip("fcl")
spatial = pytest.importorskip("scipy.spatial")

from test_fcl import MAKE, at, convex  # noqa: E402, needs python-fcl

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


#: python-fcl's bodies, ours around and in them, and their sizes.
BODIES = {
    "cylinder": (theirs.Cylinder, cylinder, (0.4, 1.0)),
    "cone": (theirs.Cone, cone, (0.5, 1.2)),
    "ellipsoid": (theirs.Ellipsoid, ellipsoid, (0.3, 0.45, 0.7)),
}


def compared(kind, other, inside=1.0 - 1e-5, outside=1.0, spread=0.75):
    """Over 300 poses: how many hit, how many the two bodies tell alike, how many verdicts of python-fcl and how
    many of its distances contradict them. inside, outside: factors of the sizes; the body in it is a little
    smaller, since python-fcl decides by rounded arithmetic.
    """
    make, mine, size = BODIES[kind]
    inner = ours.CollisionObject(mine(*(inside * s for s in size), 0))
    outer = ours.CollisionObject(mine(*(outside * s for s in size), 1 + 1e-12))
    body, request = theirs.CollisionObject(make(*size)), theirs.DistanceRequest(True)
    hits = alike = verdicts = distances = 0
    partners = {fcl: MAKE[other](fcl) for fcl in (ours, theirs)}
    for pose in matrices(random_quaternions(300, 72) * ([spread] * 3 + [1.0] * 4)):
        partner, their_partner = (at(fcl, partners[fcl], pose) for fcl in (ours, theirs))
        least, most = (ours.distance(one, partner) for one in (outer, inner))
        hit = theirs.collide(body, their_partner) > 0
        hits += hit
        alike += (least <= 0) == (most <= 0)
        verdicts += (most <= 0 and not hit) or (least > 1e-6 and hit)
        if least > 1e-6:
            distance = theirs.distance(body, their_partner, request)
            # Distances of python-fcl are of 1e-3.
            distances += not least - 1e-3 < distance < most + 1e-3
    return hits, alike, verdicts, distances


SPREADS = {"box": 0.75, "sheet": 0.75, "cube": 1.2}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("other", SPREADS)
def test_a_body_in_it_and_one_around_it_bracket_it(kind, other):
    hits, alike, verdicts, distances = compared(kind, other, spread=SPREADS[other])
    assert 75 <= hits <= 240 and alike >= 290
    assert (verdicts, distances) == (0, 0)


@pytest.mark.parametrize("kind", BODIES)
def test_bodies_a_twentieth_off_are_noticed(kind):
    _, _, verdicts, distances = compared(kind, "box", 1.05, 1.05)
    assert verdicts > 0 and distances > 30
    assert compared(kind, "box", 0.95, 0.95)[3] > 30

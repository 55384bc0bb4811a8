"""Random poses beside python-fcl: no verdict differs, except where the bodies touch up to its rounding."""

import numpy as np
import pytest
from conftest import bvh, cube_arrays, grid_arrays, matrices, random_quaternions

import impinge

fcl = pytest.importorskip("fcl")

#: fcl's rounding, in the unit of the bodies.
NEAR = 1e-9


def theirs(a, b, poses):
    """The verdicts of python-fcl, one pose at a time."""
    first, second = fcl.CollisionObject(bvh(fcl, *a)), fcl.CollisionObject(bvh(fcl, *b))
    request, out = fcl.CollisionRequest(), []
    for pose in poses:
        second.setTransform(fcl.Transform(pose[:3, :3], pose[:3, 3]))
        out.append(fcl.collide(first, second, request, fcl.CollisionResult()) > 0)
    return np.array(out)


def wrong(pair, poses, found, expected):
    """The poses that differ and are not within `NEAR` of touching."""
    differ = np.flatnonzero(found != expected)
    far = [k for k in differ if not found[k] and pair.distance(poses[k]) > NEAR]
    deep = [k for k in differ if found[k] and pair.penetration(poses[k]).upper > NEAR]
    return far + deep


MESHES = {"cube": cube_arrays(), "sheet": grid_arrays(20), "big": cube_arrays(1.5)}


@pytest.mark.parametrize(("a", "b"), [("cube", "sheet"), ("sheet", "sheet"), ("cube", "big")])
def test_no_verdict_differs(a, b):
    poses = matrices(random_quaternions(3_000, seed=len(a) + len(b)))
    pair = impinge.Pair(impinge.Model(*MESHES[a]), impinge.Model(*MESHES[b]))
    found = pair.collides(poses)
    assert 300 < found.sum() < 2_999
    assert wrong(pair, poses, found, theirs(MESHES[a], MESHES[b], poses)) == []


def test_a_slightly_larger_mesh_is_noticed():
    poses = matrices(random_quaternions(3_000, seed=9))
    vertices, faces = MESHES["cube"]
    pair = impinge.Pair(impinge.Model(vertices * 1.01, faces), impinge.Model(*MESHES["sheet"]))
    found = pair.collides(poses)
    assert wrong(pair, poses, found, theirs(MESHES["cube"], MESHES["sheet"], poses)) != []

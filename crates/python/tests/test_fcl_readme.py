"""The programs of python-fcl's README, as its package has them, with `impinge.fcl` in the place of `fcl`."""

import importlib.metadata
import re
import sys

import numpy as np
import pytest

import impinge.fcl as ours

theirs = pytest.importorskip("fcl")


def programs():
    """The programs, with the words of its print statements for Python 2 as those of today."""
    text = importlib.metadata.distribution("python-fcl").read_text("METADATA")
    found = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    return [re.sub(r"^( *)print ('.*)$", r"\1print(\2)", program, flags=re.M) for program in found]


#: The programs by a line of each.
LINES = [
    "t = fcl.TriangleP(v1, v2, v3)",
    "m = fcl.BVHModel()",
    "c = fcl.Convex(verts, len(tris), faces)",
    "tf1 = fcl.Transform(tf)",
    "obj = fcl.CollisionObject(b, t)",
    "obj.setQuatRotation(q2)",
    "ret = fcl.collide(o1, o2, request, result)",
    "ret = fcl.distance(o1, o2, request, result)",
    "ret = fcl.continuousCollide(o1, t1_final, o2, t2_final, request, result)",
    "manager1.registerObjects(objs1)",
    "geom1 = fcl.Cylinder(1.0, 1.0)",
]


def names(fcl):
    """What the programs take from their surroundings."""
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    verts, tris = np.eye(4, 3), np.array([[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])
    mesh = fcl.BVHModel()
    mesh.beginModel(4, 4)
    mesh.addSubModel(verts, tris)
    mesh.endModel()
    given = {"R1": turn, "R2": turn.T, "T1": np.ones(3), "T2": np.arange(3.0), "q2": np.array([0.0, 1, 0, 0])}
    return {"np": np, "fcl": fcl, "mesh": mesh, "box": fcl.Box(1, 2, 3), "sphere": fcl.Sphere(2.0), "cone": fcl.Cone(1, 3), **given}


def told(value):
    """What an outcome tells; places and directions of contacts are compared elsewhere."""
    if isinstance(value, (bool, int, float)):
        return round(value, 3)
    if isinstance(value, np.ndarray):
        return value.round(9).tolist()
    kind = type(value).__name__
    if kind == "CollisionResult":
        return value.is_collision, len(value.contacts)
    if kind == "Transform":
        return value.getRotation().round(9).tolist(), value.getTranslation().tolist()
    if kind == "CollisionObject":
        return value.getNodeType(), value.getTranslation().tolist(), value.getRotation().round(9).tolist()
    if kind in ("Halfspace", "Plane", "Sphere", "Capsule", "Box", "Cylinder", "Cone", "Ellipsoid"):
        return kind, value.getNodeType()
    return kind


def outcome(fcl, monkeypatch, capsys):
    """The names that every program leaves, and the words of lines that it prints: bodies have other numbers of contacts,
    and in python-fcl a mesh comes first in them."""
    monkeypatch.setitem(sys.modules, "fcl", fcl)
    known, found = names(fcl), []
    for program in programs():
        exec(compile(program, "README of python-fcl", "exec"), known)
        kept = {key: told(value) for key, value in known.items() if not key.startswith("__")}
        text = re.sub(r" object at 0x\w+|<\S*fcl\.(?:fcl\.)?", "", capsys.readouterr().out)
        found.append((kept, {tuple(sorted(re.findall(r"[\w.-]+", line))) for line in text.splitlines()}))
    return found


def test_each_program_is_known():
    for program, line in zip(programs(), LINES, strict=True):
        assert line in program


def test_they_give_what_python_fcl_gives(monkeypatch, capsys):
    found = {}
    for fcl in (ours, theirs):
        with monkeypatch.context() as patch:
            found[fcl] = outcome(fcl, patch, capsys)
    for mine, other in zip(found[ours], found[theirs], strict=True):
        assert mine == other
    assert len(found[ours][-1][1]) == 1 and found[ours][6][0]["ret"] == 1 and found[ours][7][0]["ret"] == -1

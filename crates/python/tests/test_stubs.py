"""The stub `_impinge.pyi` and the extension module: the same signatures and the same docstrings. And the types that
the package tells a user's type checker."""

import ast
import importlib
import inspect
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import impinge
from impinge import _impinge

STUB = Path(impinge.__file__).with_name("_impinge.pyi")

def documented():
    """The docstrings of the stub, by name; that of a class has those of its constructor too."""
    found = {}
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found[node.name] = ast.get_docstring(node)
        if isinstance(node, ast.ClassDef):
            methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            # Of an overloaded method the last has it.
            members = {one.name: ast.get_docstring(one) for one in methods}
            found[node.name] = f"{ast.get_docstring(node)}\n\n{members.pop('__new__')}"
            found.update({f"{node.name}.{name}": text for name, text in members.items()})
    return found


def differing(stub):
    """The names whose docstrings differ."""
    out = []
    for name, text in stub.items():
        at = _impinge
        for part in name.split("."):
            at = getattr(at, part)
        # Python itself documents its own methods.
        if text is None or (not name.rpartition(".")[2].startswith("__") and inspect.getdoc(at) != text):
            out.append(name)
    return out


def test_docstrings_are_those_of_the_stub():
    stub = documented()
    assert len(stub) > 60
    assert differing(stub) == []
    stub["Pair.collides"] += "."
    assert differing(stub) == ["Pair.collides"], "the fault"


def untold(module):
    """The names of what a module makes public, members and constructors too, and of these those without a
    docstring. Constructors that Python generates have none: the class tells its fields.
    """
    names, without = [], []
    for name, one in vars(module).items():
        if name.startswith("_") or getattr(one, "__module__", None) != module.__name__:
            continue
        told = {name: one}
        for key, member in vars(one).items() if inspect.isclass(one) else ():
            own = not key.startswith("_") or (key == "__init__" and not hasattr(one, "__dataclass_fields__"))
            if own and (callable(member) or isinstance(member, property)):
                told[f"{name}.{key}"] = member
        names += told
        without += [path for path, member in told.items() if not member.__doc__]
    return names, without


@pytest.mark.parametrize("name", ["impinge", "impinge.fcl", "impinge._manager", "impinge.trimesh", "impinge.cluster", "impinge.units"])
def test_everything_public_has_a_docstring(name):
    module = importlib.import_module(name)
    names, without = untold(module)
    assert len(names) > 3 and without == []


def test_what_has_no_docstring_is_seen():
    fault = types.ModuleType("fault")
    exec("class Told:\n    'Yes.'\n    def __init__(self): pass\n    def no(self): pass", vars(fault))
    assert untold(fault) == (["Told", "Told.__init__", "Told.no"], ["Told.__init__", "Told.no"])


def stubtest(folder):
    """The status and the lines of `stubtest` on the package that is in the folder."""
    command = [sys.executable, "-m", "mypy.stubtest", "impinge._impinge", "--concise", "--ignore-missing-stub"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return run.returncode, (run.stdout + run.stderr).splitlines()


def test_signatures_are_those_of_the_stub(tmp_path):
    pytest.importorskip("mypy")
    shutil.copytree(STUB.parent, tmp_path / "impinge")
    assert stubtest(tmp_path) == (0, [])
    stub = tmp_path / "impinge" / STUB.name
    stub.write_text(stub.read_text(encoding="utf-8").replace("allowed: bool = True", "allowed: bool"), encoding="utf-8")
    status, lines = stubtest(tmp_path)
    assert status == 1 and any("World.allow" in line for line in lines), "the fault"


#: A user's program without a mistake.
RIGHT = """
import numpy as np
import impinge.trimesh
from impinge import fcl

class Mesh:
    vertices = np.eye(3)
    faces = [[0, 1, 2]]
    is_convex = False

manager, mesh = impinge.trimesh.CollisionManager(), Mesh()
made = manager.add_object("a", mesh)
manager.add_object("b", mesh, np.eye(4))
reveal_type(manager.in_collision_internal())
reveal_type(manager.in_collision_internal(return_names=True))
reveal_type(manager.in_collision_internal(False, True))
reveal_type(manager.in_collision_single(mesh, None, True, return_data=True))
reveal_type(manager.in_collision_single(mesh, return_names=True))
reveal_type(manager.in_collision_other(manager, True))
reveal_type(manager.min_distance_single(mesh, return_name=True))
reveal_type(manager.min_distance_internal("a", True, True))
reveal_type(manager.min_distance_other(manager, return_data=True))

ball = fcl.CollisionObject(fcl.Sphere(1.0), fcl.Transform(np.eye(3), [4, 0, 0]))
reveal_type(fcl.distance(made, ball, fcl.DistanceRequest()))
reveal_type(fcl.collide(made, ball))
several, data = fcl.DynamicAABBTreeCollisionManager(), fcl.CollisionData()
several.registerObjects([made, ball])
several.collide(data, fcl.defaultCollisionCallback)
several.distance(ball, fcl.DistanceData(), fcl.defaultDistanceCallback)
reveal_type(several.getObjects()[0].getTransform())
reveal_type(data.result.contacts)
"""

#: What mypy is to tell of each `reveal_type` there, without the names of modules.
REVEALED = """
bool
tuple[bool, set[tuple[str, str]]]
tuple[bool, list[ContactData]]
tuple[bool, set[str], list[ContactData]]
tuple[bool, set[str]]
tuple[bool, set[tuple[str, str]]]
tuple[float, str | None]
tuple[float, tuple[str | None, str | None], DistanceData]
tuple[float, DistanceData]
float
int
Transform
list[Contact]
"""

#: A user's program with a mistake in each line that ends with mypy's word for it.
WRONG = """
import impinge.trimesh
from impinge import fcl
manager = impinge.trimesh.CollisionManager()
1 + manager.in_collision_internal()
1 + manager.in_collision_internal(return_names=True)  # operator
manager.add_object("a", "mesh.stl")  # arg-type
manager.in_collision_single(return_names=True)  # call-overload
manager.min_distance_single("mesh.stl", None, True)  # call-overload
fcl.collide(fcl.Sphere(1.0), fcl.Sphere(2.0))  # arg-type
fcl.Transform([0, 0, 0], [0, 0, 0], [0, 0, 0])  # call-overload
fcl.DynamicAABBTreeCollisionManager().collide(fcl.DistanceData(), fcl.defaultCollisionCallback)  # arg-type
def untyped(name): pass  # no-untyped-def
def incomplete(name: str, other) -> None: pass  # no-untyped-def
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What mypy tells of the package and of both programs, a line each: one run, since each takes seconds."""
    pytest.importorskip("mypy")
    folder = tmp_path_factory.mktemp("types")
    (folder / "right.py").write_text(RIGHT, encoding="utf-8")
    (folder / "wrong.py").write_text(WRONG, encoding="utf-8")
    strict = ["--ignore-missing-imports", "--disallow-untyped-defs", "--disallow-incomplete-defs", "--hide-error-context"]
    command = [sys.executable, "-m", "mypy", *strict, "--no-error-summary", "-p", "impinge", "-m", "right", "-m", "wrong"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    return (run.stdout + run.stderr).splitlines()


def test_types_of_the_package_fit(told):
    assert [line for line in told if not line.startswith(("right.py:", "wrong.py:"))] == []


def test_a_program_is_told_its_types(told):
    lines = [line.split(": ", 1)[1] for line in told if line.startswith("right.py:")]
    revealed = [re.sub(r"\b[a-z_.]+\.", "", line) for line in lines]
    # As mypy 1.15 has it.
    revealed = [re.sub(r"Union\[(\w+), None\]", r"\1 | None", line) for line in revealed]
    assert revealed == [f'note: Revealed type is "{text}"' for text in REVEALED.split("\n")[1:-1]]
    answers = []
    exec(RIGHT, {"reveal_type": answers.append})
    assert [type(one).__name__ for one in answers] == [text.partition("[")[0] for text in REVEALED.split("\n")[1:-1]]


def test_mistakes_of_a_program_are_told(told):
    found = {(line.split(":")[1], line.split()[-1]) for line in told if re.match(r"wrong\.py:\d+: error", line)}
    lines = enumerate(WRONG.splitlines(), 1)
    assert found == {(str(i), f"[{line.split('# ')[1]}]") for i, line in lines if "# " in line}

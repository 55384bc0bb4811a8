"""The stub `_impinge.pyi` and the extension module: the same signatures and the same docstrings."""

import ast
import importlib
import inspect
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


def test_types_of_the_package_fit(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "-p", "impinge"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert run.returncode == 0, run.stdout

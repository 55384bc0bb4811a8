"""The stub `_impinge.pyi` and the extension module: the same signatures and the same docstrings."""

import ast
import inspect
import shutil
import subprocess
import sys
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


def public(module):
    """What a user may call or look at, with and without a docstring."""
    for name in module.__all__ if hasattr(module, "__all__") else dir(module):
        one = getattr(module, name)
        if name.startswith("_") or getattr(one, "__module__", "").split(".")[0] != "impinge":
            continue
        yield name, one
        if inspect.isclass(one):
            members = {k: v for k, v in vars(one).items() if not k.startswith("_")}
            yield from ((f"{name}.{k}", v) for k, v in members.items() if inspect.isroutine(v) or isinstance(v, property))


@pytest.mark.parametrize("module", ["impinge", "impinge.fcl", "impinge.trimesh", "impinge.cluster", "impinge.units"])
def test_everything_public_has_a_docstring(module):
    if module == "impinge.fcl" or module == "impinge.trimesh":
        pytest.importorskip("trimesh")
    __import__(module)
    found = dict(public(sys.modules[module]))
    assert len(found) > 3
    assert [name for name, one in found.items() if not inspect.getdoc(one)] == []


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

"""The programs of the documents and the examples run, with what they say."""

import re
import runpy
import sys
import types
from pathlib import Path

import numpy as np
import pytest
from conftest import cube_arrays, matrices, random_quaternions

import impinge
from impinge import units

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parents[1]


def programs(path):
    """The Python programs of a document."""
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.M | re.S)


def scene_files(folder):
    """A table of parts, a mesh, and what names of the documents stand for."""
    vertices, faces = cube_arrays()
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (folder / "gear.obj").write_text("\n".join(lines) + "\n")
    rows = [f"part {k},gear.obj,{0.75 * (k % 9)},{2 * (k // 9)},0,0,0,0,1" for k in range(60)]
    (folder / "scene.csv").write_text("\n".join(["name,file,tx,ty,tz,qx,qy,qz,qw", *rows]) + "\n")
    model = impinge.Model(vertices, faces)
    poses = matrices(random_quaternions(50, 6))
    return {"vertices": vertices, "faces": faces, "a": model, "b": model, "poses": poses, "model": model, "pose": poses[0]}


DOCUMENTS = ["README.md", "docs/python.md", "crates/python/README.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_programs_of_documents_run(document, tmp_path, monkeypatch, capsys):
    path = ROOT / document
    if not path.exists():
        pytest.skip(f"{document} is not beside the package")
    names = scene_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = programs(path)
    assert found
    for program in found:
        if "trimesh" in program:
            trimesh = pytest.importorskip("trimesh")
            monkeypatch.setattr(trimesh.collision, "CollisionManager", trimesh.collision.CollisionManager)
        exec(compile(program, document, "exec"), dict(names))


def test_the_program_of_the_cluster_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("ray", reason="pip could not install Ray for this Python, or it was not asked to")
    path = ROOT / "docs/cluster.md"
    if not path.exists():
        pytest.skip("docs/cluster.md is not beside the package")
    names = scene_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    exec(compile(programs(path)[0], str(path), "exec"), {**names, "__name__": "__main__"})
    scene = units.read("scene.csv")
    report = scene.report([units.clash(job, scene.packs) for job in scene.jobs(0.05, solids=True)])
    assert (tmp_path / "clashes.jsonl").read_bytes() == report.json() != b""
    sys.modules["ray"].shutdown()


class Client:
    """Dask's client as far as the document uses it, in this process."""

    def __init__(self, n_workers, threads_per_worker):
        assert (n_workers, threads_per_worker) == (2, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def map(self, function, items):
        return [function(item) for item in items]

    def submit(self, function, *args, pure):
        assert pure is False
        return function(*args)

    def scatter(self, items, hash):
        assert hash is False
        return list(items)

    def gather(self, futures):
        return futures


class Ranks:
    """MPI's communicator as far as the document uses it: all ranks one after the other."""

    def __init__(self, size):
        self.size, self.rank, self.sent, self.gathered = size, 0, None, []

    def bcast(self, value):
        self.sent = value if self.rank == 0 else self.sent
        return self.sent

    def gather(self, value):
        self.gathered.append(value)
        return self.gathered if self.rank == 0 else None


@pytest.mark.parametrize("engine", ["dask", "mpi4py"])
def test_programs_for_other_engines_give_the_report(engine, tmp_path, monkeypatch, capfdbinary):
    """With stand-ins for both engines, which show that the calls of units are right, and no more."""
    path = ROOT / "docs/cluster.md"
    if not path.exists():
        pytest.skip("docs/cluster.md is not beside the package")
    scene_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["program", "scene.csv"])
    (program,) = [text for text in programs(path) if engine in text]
    ranks = Ranks(3)
    stand_in = {
        "dask": types.ModuleType("dask"),
        "dask.distributed": types.SimpleNamespace(Client=Client),
        "mpi4py": types.SimpleNamespace(MPI=types.SimpleNamespace(COMM_WORLD=ranks)),
    }
    for name, module in stand_in.items():
        monkeypatch.setitem(sys.modules, name, module)
    for rank in (range(1) if engine == "dask" else (1, 2, 0)):
        if engine == "mpi4py" and ranks.sent is None:
            ranks.sent = units.read(["scene.csv"])
        ranks.rank = rank
        exec(compile(program, str(path), "exec"), {"__name__": "__main__"})
    sys.stdout.flush()
    scene = units.read("scene.csv")
    report = scene.report([units.clash(job, scene.packs) for job in scene.jobs(0.03125, solids=True)])
    assert capfdbinary.readouterr().out == report.json() != b""


@pytest.mark.parametrize("example", sorted(path.name for path in (PACKAGE / "examples").glob("*.py")))
def test_examples_run(example, capsys):
    runpy.run_path(str(PACKAGE / "examples" / example), run_name="__main__")
    out = capsys.readouterr().out
    if example == "first_steps.py":
        assert "they touch at" in out and "touches" in out
    else:
        assert "10 objects, 0 pairs meet" in out and "pierces" in out

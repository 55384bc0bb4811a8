"""Reports of scenes with groups, and with what cannot be read: the bytes of `impinge clash --json`."""

import os
import subprocess

import pytest
from conftest import cube_arrays, torus_arrays

import impinge
from impinge import units

pytestmark = pytest.mark.skipif("IMPINGE_COMMAND" not in os.environ, reason="IMPINGE_COMMAND names no command line")

HEADER = "name,file,tx,ty,tz,qx,qy,qz,qw"


def command(paths, *options):
    """The status of the command, and what it prints."""
    line = [os.environ["IMPINGE_COMMAND"], "clash", "--json", "--solids", "--clearance", "0.125", *options, *paths]
    run = subprocess.run(line, capture_output=True, check=False)
    return run.returncode, run.stdout


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """Tables and files in the folder of the test, by relative paths: 40 parts of three groups and of none, two that
    only touch, and rows, tables and meshes that cannot be read, each in a way of its own.
    """
    monkeypatch.chdir(tmp_path)
    cube, torus = impinge.Model(*cube_arrays()), impinge.Model(*torus_arrays())
    for name, content in [
        ("cube.impinge", cube.to_bytes()),
        ("image.impinge", torus.to_image()),
        ("cut.impinge", cube.to_bytes()[:-9]),
        ("bad.obj", b"v 0 0 zero\n"),
        ("bad.glb", b"glTF"),
        ("bad.csv", b"name\n"),
    ]:
        (tmp_path / name).write_bytes(content)
    groups = ["left", "right", "roof", ""]
    rows = [
        f"p{k},{('cube', 'image')[k % 3 == 1]}.impinge,{0.7 * (k % 8)},{0.9 * (k // 8)},{0.1 * (k % 5)},0,0,0,1,{groups[k * 7 % 4]}"
        for k in range(40)
    ]
    rows += ["flush 0,cube.impinge,20,0,0,0,0,0,1,left", "flush 1,cube.impinge,21,0,0,0,0,0,1,roof"]
    rows += ["mesh,bad.obj,0,0,0,0,0,0,1,left", "cut,cut.impinge,0,0,0,0,0,0,1,right", "gone,none.stl,0,0,0,0,0,0,1,roof"]
    rows += ["turned,cube.impinge,0,0,0,0,0,0,2,left", ",cube.impinge,0,0,0,0,0,0,1,left"]
    (tmp_path / "scene.csv").write_text("\n".join([f"{HEADER},group", *rows]) + "\n")
    return ["scene.csv", "bad.glb", "none.csv", "bad.csv", "cube.impinge"]


CASES = [
    ({}, []),
    ({"groups": ("left", "right")}, ["--groups", "left,right"]),
    ({"groups": ("roof", "roof")}, ["--groups", "roof,roof"]),
    ({"touching_ok": True}, ["--touching-ok"]),
    ({"groups": ("roof", "left")}, ["--groups", "roof,left"]),
    ({"groups": ("roof", "left"), "ignore": [("flush 1", "flush 0")]}, ["--groups", "roof,left", "--ignore", "may.csv"]),
]


def written(options):
    """Writes what the command reads of the options."""
    if "ignore" in options:
        with open("may.csv", "w") as file:
            file.writelines(f"{a},{b}\n" for a, b in options["ignore"])


def test_units_have_the_bytes_of_the_command(paths):
    scene, reports = units.read(paths), set()
    for options, flags in CASES:
        written(options)
        status, lines = command(paths, *flags)
        assert status == 2 and b'"error"' in lines and lines.count(b"\n") > 10
        jobs = scene.jobs(0.125, solids=True, groups=options.get("groups"), ignore=options.get("ignore", ()), size=7)
        told = {name: options[name] for name in ("touching_ok", "groups") if name in options}
        assert scene.report([units.clash(job, scene.packs) for job in jobs], **told).json() == lines
        reports.add(lines)
    assert len(reports) == len(CASES), "each choice has a report of its own"


def test_the_cluster_has_the_bytes_of_the_command(paths):
    pytest.importorskip("ray", reason="pip could not install Ray for this Python, or it was not asked to")
    from impinge import cluster

    for options, flags in CASES:
        written(options)
        status, lines = command(paths, *flags)
        assert status == 2
        assert cluster.clash(paths, 0.125, solids=True, workers=2, **options).json() == lines

"""Models: arrays in and out, what is refused and by which element, files and pickles."""

import mmap
import os
import pickle
from multiprocessing import shared_memory

import numpy as np
import pytest
from conftest import TETRAHEDRON, cube_arrays, grid_arrays

import impinge

VERTICES, FACES = TETRAHEDRON


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "i8", ">f8", "u1", "bool"])
def test_vertices_of_any_numeric_type(dtype):
    model = impinge.Model(VERTICES.astype(dtype), FACES)
    assert model.vertices.dtype == np.float64 and np.array_equal(model.vertices, VERTICES)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8", ">i8", "f4", "f8"])
def test_faces_of_any_numeric_type(dtype):
    model = impinge.Model(VERTICES, FACES.astype(dtype))
    assert model.faces.dtype == np.uint32 and np.array_equal(model.faces, FACES)


def test_lists_and_views_are_arrays_too():
    swapped = np.asfortranarray(VERTICES)
    every_other = np.repeat(FACES, 2, axis=0)[::2]
    for vertices, faces in [(VERTICES.tolist(), FACES.tolist()), (swapped, every_other)]:
        model = impinge.Model(vertices, faces)
        assert np.array_equal(model.vertices, VERTICES) and np.array_equal(model.faces, FACES)


def test_what_a_model_tells(cube, sheet):
    assert (len(cube), cube.is_closed, sheet.is_closed) == (12, True, False)
    assert np.array_equal(cube.bounds, [[-0.5] * 3, [0.5] * 3])
    assert repr(cube) == "impinge.Model(8 vertices, 12 triangles)"
    assert cube.nbytes > 0
    with pytest.raises(ValueError):
        cube.vertices[0, 0] = 1.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e301])
def test_a_bad_coordinate_names_its_vertex(value):
    vertices = VERTICES.copy()
    vertices[2, 1] = value
    with pytest.raises(impinge.MeshError, match="vertex 2: coordinate y") as caught:
        impinge.Model(vertices, FACES)
    error = caught.value
    assert (error.vertex, error.axis, error.triangle) == (2, "y", None)
    assert error.value == value or np.isnan(value)


@pytest.mark.parametrize("index", [4, -1, 2**32, 2**40])
def test_a_bad_index_names_its_triangle(index):
    faces = FACES.copy()
    faces[3, 1] = index
    with pytest.raises(impinge.MeshError, match="triangle 3") as caught:
        impinge.Model(VERTICES, faces)
    assert (caught.value.triangle, caught.value.value, caught.value.vertex) == (3, index, None)


def test_a_broken_number_is_no_index():
    faces = FACES.astype(float)
    faces[1, 0] = 0.5
    with pytest.raises(impinge.MeshError, match="triangle 1: 0.5 is no index") as caught:
        impinge.Model(VERTICES, faces)
    assert caught.value.triangle == 1


@pytest.mark.parametrize(
    ("vertices", "faces", "message"),
    [
        (VERTICES[:, :2], FACES, r"vertices must have the shape \(n, 3\), not \[4, 2\]"),
        (VERTICES.ravel(), FACES, r"vertices must have the shape"),
        (VERTICES, FACES[:, :2], r"faces must have the shape \(m, 3\)"),
        (VERTICES.astype(complex), FACES, "vertices must be numbers"),
        (VERTICES, FACES.astype(str), "faces must be whole numbers"),
        ("mesh", FACES, "vertices must be numbers"),
        (VERTICES, np.zeros((0, 3), int), "no triangles"),
    ],
)
def test_wrong_shapes_and_types(vertices, faces, message):
    with pytest.raises(ValueError, match=message):
        impinge.Model(vertices, faces)


def test_errors_are_of_one_family():
    for error in (impinge.MeshError, impinge.PoseError, impinge.NotClosedError, impinge.FileError):
        assert issubclass(error, impinge.Error) and issubclass(error, ValueError)


def test_a_model_pickles_by_its_bytes(cube):
    again = pickle.loads(pickle.dumps(cube))
    assert again.to_bytes() == cube.to_bytes()
    assert np.array_equal(again.faces, cube.faces)
    pair = pickle.loads(pickle.dumps(impinge.Pair(cube, again)))
    assert pair.distance([3, 0, 0, 0, 0, 0, 1]) == 2.0


def test_damaged_bytes_are_refused(cube):
    data = bytearray(cube.to_bytes())
    data[len(data) // 2] ^= 1
    for bad in (bytes(data), b"", cube.to_bytes()[:-1]):
        with pytest.raises(impinge.StoredError):
            impinge.Model.from_bytes(bad)


def test_a_model_is_viewed_where_it_lies(tmp_path):
    torus, cube = impinge.Model(*grid_arrays(20)), impinge.Model(*cube_arrays())
    path = tmp_path / "grid.impinge"
    path.write_bytes(torus.to_image())
    with open(path, "rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    poses = np.array([[0.1 * k, 0.05 * k, 0, 0, 0, 0, 1] for k in range(-12, 13)])
    expected = impinge.Pair(torus, cube).collides(poses)
    assert expected.any() and not expected.all()
    for viewed in (impinge.Model.view(memory), impinge.Model.view(memory, checked=True)):
        assert np.array_equal(viewed.vertices, torus.vertices)
        assert np.array_equal(impinge.Pair(viewed, cube).collides(poses), expected)
        assert viewed.to_image() == bytes(memory)
    with pytest.raises(BufferError):
        memory.close()  # the models read it
    # Bytes that begin anywhere are copied.
    shifted = np.frombuffer(b"12345678" + torus.to_image(), "u1")[8:]
    assert impinge.Model.view(shifted).to_bytes() == torus.to_bytes()


def test_memory_that_a_view_reads_cannot_be_closed(cube):
    image = cube.to_image()
    lent = shared_memory.SharedMemory(create=True, size=len(image))
    try:
        lent.buf[: len(image)] = image
        # As the documentation of Python shows it: such an array does not hold the memory by itself.
        array = np.ndarray(len(image), np.uint8, buffer=lent.buf)
        array.setflags(write=False)
        model = impinge.Model.view(array[:])
        assert model.memory is not None
        del array
        with pytest.raises(BufferError):
            lent.close()
        assert impinge.Pair(model, cube).collides(np.eye(4))
        del model
    finally:
        lent.close()
        lent.unlink()


def test_stored_bytes_may_lie_anywhere(cube):
    stored = cube.to_bytes()
    spread = np.zeros((len(stored), 2), np.uint8)
    spread[:, 1] = np.frombuffer(stored, np.uint8)
    for data in (bytearray(stored), memoryview(stored), spread[:, 1], np.array(spread[:, 1])):
        assert impinge.Model.from_bytes(data).to_bytes() == stored
    for bad in ("text", 3, None):
        with pytest.raises(TypeError):
            impinge.Model.from_bytes(bad)


def test_the_memory_of_a_view_is_that_of_the_array(cube):
    pack = np.frombuffer(cube.to_image() + bytes(128), "u1").copy()
    image = pack[-pack.ctypes.data % 64 :][: len(cube.to_image())]
    image[:] = np.frombuffer(cube.to_image(), "u1")
    image.setflags(write=False)
    viewed = impinge.Model.view(image)
    assert viewed.memory is image and np.shares_memory(viewed.memory, pack)
    assert impinge.Model.view(viewed.memory, checked=True).memory is image
    shifted = np.frombuffer(b"1" + image.tobytes(), "u1")[1:]
    copied = impinge.Model.view(shifted)
    assert copied.memory is None and cube.memory is None
    assert copied.to_image() == viewed.to_image() == cube.to_image()


def test_an_image_file_is_mapped(tmp_path):
    grid, cube, path = impinge.Model(*grid_arrays(20)), impinge.Model(*cube_arrays()), tmp_path / "grid.impinge"
    path.write_bytes(grid.to_image())
    for name in (path, str(path)):
        viewed = impinge.Model.from_file(name)
        assert isinstance(viewed.memory, np.memmap) and len(viewed.memory) == path.stat().st_size
        assert viewed.to_image() == grid.to_image()
    compact = tmp_path / "compact.impinge"
    compact.write_bytes(grid.to_bytes())
    assert impinge.Model.from_file(compact).memory is None
    if os.name == "posix":
        # The mapped file stays as it was under another file of its name.
        (tmp_path / "other").write_bytes(cube.to_image())
        os.replace(tmp_path / "other", path)
        assert impinge.Model.from_file(path).to_image() == cube.to_image()
    poses = np.array([[0.1 * k, 0.05 * k, 0, 0, 0, 0, 1] for k in range(-12, 13)])
    expected = impinge.Pair(grid, cube).distance(poses)
    assert np.array_equal(impinge.Pair(viewed, cube).distance(poses), expected)
    # What is unpickled has a copy of its own.
    again = pickle.loads(pickle.dumps(viewed))
    assert again.memory is None and again.to_bytes() == grid.to_bytes()
    assert np.array_equal(impinge.Pair(again, cube).distance(poses), expected)


def test_a_damaged_image_file_is_refused(tmp_path, cube):
    path, image = tmp_path / "cube.impinge", cube.to_image()
    flipped = bytearray(image)
    flipped[len(image) // 2] ^= 1
    cut = f"cut off: {len(image) - 1} bytes of {len(image)}"
    for bad, message in [
        (flipped, "checksum"), (image[:-1], cut), (image[:8], "cut off: 8 bytes of 128"),
        (image[:7], "no stored model"), (b"", "cut off: 0 bytes"),
    ]:  # fmt: skip
        path.write_bytes(bad)
        with pytest.raises(impinge.StoredError, match=message):
            impinge.Model.from_file(path)
    with pytest.raises(OSError, match="none.impinge"):
        impinge.Model.from_file(tmp_path / "none.impinge")


def test_what_is_no_image_is_refused(cube):
    image = np.frombuffer(cube.to_image(), "u1").copy()
    with pytest.raises(ValueError, match="read-only"):
        impinge.Model.view(image)
    image[len(image) // 2] ^= 1
    image.setflags(write=False)
    with pytest.raises(impinge.StoredError, match="checksum"):
        impinge.Model.view(image)
    for bad in (b"short", cube.to_bytes(), cube.to_image()[:-1]):
        for checked in (False, True):
            with pytest.raises(impinge.StoredError):
                impinge.Model.view(bad, checked=checked)


def test_files(tmp_path, cube):
    obj = tmp_path / "cube.obj"
    vertices, faces = cube_arrays()
    lines = ["v {} {} {}".format(*v) for v in vertices]
    obj.write_text("\n".join(lines + ["f {} {} {}".format(*(f + 1)) for f in faces]) + "\n")
    stored = tmp_path / "cube.impinge"
    stored.write_bytes(cube.to_bytes())
    for path in (obj, str(obj), stored):
        assert np.array_equal(impinge.Model.from_file(path).vertices, vertices)
    obj.write_text("v 0 0 0\nf 1 2 9\n")
    with pytest.raises(impinge.FileError, match=r"cube\.obj: line 2"):
        impinge.Model.from_file(obj)
    with pytest.raises(FileNotFoundError):
        impinge.Model.from_file(tmp_path / "none.obj")


PLACES = ["line", "byte", "face", "vertex", "axis", "triangle", "item"]

GLTF = '{"asset":{"version":"2.0"},"scene":9}'

PLY = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
PLY += "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"


@pytest.mark.parametrize(
    ("name", "content", "place", "reason"),
    [
        ("a.obj", "v 0 0 0\nf 1 2 9\n", {"line": 2}, "vertex index 9 is out of range"),
        ("a.stl", bytes(80) + b"\x02\0\0\0" + bytes(50), {"byte": 80}, "the header promises 2 triangles"),
        ("a.obj", "v 0 nan 0\nf 1 1 1\n", {"vertex": 0, "axis": "y"}, "vertex 0: coordinate y is NaN"),
        ("a.ply", PLY + "2 0 1\n", {"face": 0}, "2 corners, a polygon needs at least 3"),
        ("a.gltf", GLTF, {"item": "scene"}, ""),
        ("a.obj", "", {}, ""),
        ("a.txt", "no mesh", {}, ""),
    ],
)
def test_a_refused_file_tells_its_place(tmp_path, name, content, place, reason):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(impinge.FileError) as caught:
        impinge.Model.from_file(path)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert error.path == str(path)
        assert {what: getattr(error, what) for what in PLACES if getattr(error, what) is not None} == place
        assert error.reason and error.reason.startswith(reason)
        assert str(error).startswith(f"{path}: ") and str(error).endswith(error.reason)
    assert caught.value.index is None and caught.value.objects is None


def test_a_refused_stored_file_is_named(tmp_path, cube):
    path = tmp_path / "cube.impinge"
    for bad in (cube.to_bytes()[:-1], cube.to_image()[:-1]):
        path.write_bytes(bad)
        with pytest.raises(impinge.StoredError, match="cut off") as caught:
            impinge.Model.from_file(path)
        assert caught.value.path == str(path)
        with pytest.raises(impinge.StoredError) as caught:
            impinge.Model.from_bytes(bad)
        assert caught.value.path is None


def test_a_mesh_that_meets_itself(cube):
    assert not cube.self_collides() and cube.self_contacts().shape == (0, 2)
    vertices, faces = cube_arrays()
    twice = impinge.Model(vertices, np.concatenate([faces, faces[:1]]))
    assert twice.self_collides() and twice.self_contacts().tolist() == [[0, 12]]


def test_progress_of_preparation():
    seen = []
    impinge.Model(*grid_arrays(150), progress=lambda *now: seen.append(now))
    assert seen and all(isinstance(s, str) and 0 <= d <= t for s, d, t in seen)

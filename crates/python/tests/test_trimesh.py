"""`impinge.trimesh`: trimesh's own collision tests with the manager swapped in, and both managers side
by side on random scenes.

Touching poses are judged apart: fcl decides in rounded arithmetic and trimesh rounds poses to 32 bits, so
a pair on which the two disagree must be within `NEAR` of touching by our distance or depth.
"""

import importlib.util
import inspect
import itertools
import logging
import os
import tarfile
import threading
import types
import unittest
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

trimesh = pytest.importorskip("trimesh")
fcl = pytest.importorskip("fcl")

import impinge.fcl as impinge_fcl  # noqa: E402
import impinge.trimesh as ours  # noqa: E402
from impinge import Model, Pair  # noqa: E402
from conftest import cube_arrays, grid_arrays, matrices, random_quaternions, shift  # noqa: E402

#: Some times the rounding of a pose of size 1 to 32 bits.
NEAR = 1e-5

TESTS = ["collision", "random_spheres", "distance", "collision_batch", "scene"]


def unit_cube():
    """The cube of trimesh's models, with its order of vertices."""
    corners = [[-1, -1, 1], [-1, 1, 1], [-1, -1, -1], [-1, 1, -1]]
    corners += [[1, -1, 1], [1, -1, -1], [1, 1, 1], [1, 1, -1]]
    faces = [[0, 1, 2], [2, 1, 3], [4, 0, 5], [5, 0, 2], [6, 4, 7], [7, 4, 5]]
    faces += [[1, 6, 3], [3, 6, 7], [4, 6, 0], [0, 6, 1], [7, 5, 3], [3, 5, 2]]
    return trimesh.Trimesh(np.array(corners) / 2, faces, process=False)


def get_mesh(name):
    """The meshes that the tests ask for: they are not in the source archive."""
    if name == "unit_cube.STL":
        return unit_cube()
    scene = trimesh.Scene()
    ring = trimesh.creation.torus(1.0, 0.3, 12, 8)
    for i in range(4):
        scene.add_geometry(ring, transform=shift(1.5 * i))
    return scene


@pytest.fixture(scope="module")
def collision_test():
    """The class of tests from the archive that the environment names."""
    archive = os.environ.get("IMPINGE_TRIMESH_SDIST")
    if not archive:
        pytest.skip("IMPINGE_TRIMESH_SDIST names no source archive of trimesh")
    with tarfile.open(archive) as files:
        name = next(n for n in files.getnames() if n.endswith("/tests/test_collision.py"))
        source = files.extractfile(name).read()
    known = {"np": np, "trimesh": trimesh, "unittest": unittest, "get_mesh": get_mesh}
    known |= {"random": np.random.default_rng(1).random, "log": logging.getLogger("trimesh")}
    module = types.ModuleType("test_collision")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(importlib.sys.modules, "generic", types.SimpleNamespace(**known))
        exec(compile(source, name, "exec"), module.__dict__)
    return module.CollisionTest


@pytest.mark.parametrize("test", TESTS)
def test_their_tests_with_our_manager(collision_test, monkeypatch, test):
    monkeypatch.setattr(trimesh.collision, "CollisionManager", ours.CollisionManager)
    getattr(collision_test(f"test_{test}"), f"test_{test}")()


def test_their_tests_are_all_run(collision_test):
    assert [name for name in dir(collision_test) if name.startswith("test_")] == sorted(
        f"test_{test}" for test in TESTS
    )


def test_their_tests_find_a_manager_without_names(collision_test, monkeypatch):
    class Nameless(ours.CollisionManager):
        def in_collision_internal(self, return_names=False, return_data=False):
            found = super().in_collision_internal(return_names, return_data)
            return (found[0], set()) if return_names else found

    monkeypatch.setattr(trimesh.collision, "CollisionManager", Nameless)
    with pytest.raises(AssertionError):
        collision_test("test_collision").test_collision()


def test_the_interface_is_theirs():
    def arguments(function):
        """The names, kinds and defaults; trimesh has no annotations here."""
        found = inspect.signature(function).parameters.values()
        return [(one.name, one.kind, one.default) for one in found]

    theirs = trimesh.collision
    for kind in ("CollisionManager", "ContactData", "DistanceData"):
        a, b = getattr(theirs, kind), getattr(ours, kind)
        for name, member in inspect.getmembers(a):
            if name.startswith("_") and name != "__init__":
                continue
            assert hasattr(b, name), (kind, name)
            if inspect.isfunction(member):
                assert arguments(member) == arguments(getattr(b, name)), name
    for name in ("mesh_to_BVH", "mesh_to_convex", "scene_to_collision"):
        assert arguments(getattr(theirs, name)) == arguments(getattr(ours, name))


def shapes():
    """Convex, not convex, and open."""
    opened = trimesh.creation.icosphere(subdivisions=2, radius=0.6)
    opened.update_faces(np.arange(len(opened.faces)) > 60)
    return [
        trimesh.creation.box([0.8, 0.5, 1.0]),
        trimesh.creation.icosphere(subdivisions=2, radius=0.5),
        trimesh.creation.torus(0.5, 0.15, 16, 10),
        trimesh.creation.box([0.15, 0.15, 0.15]),
        opened,
    ]


def scene(seed, count=24):
    """Named meshes with transforms that are exact in 32 bits, as far as that goes."""
    poses = random_quaternions(count, seed)
    poses[:, :3] *= 1.2
    transforms = matrices(poses).astype(np.float32).astype(np.float64)
    meshes = shapes()
    return [(f"part {i}", meshes[i % 5], transforms[i]) for i in range(count)]


def both(seed, ours_at=lambda matrix: matrix):
    """The same scene in both managers."""
    managers = trimesh.collision.CollisionManager(), ours.CollisionManager()
    for name, mesh, transform in scene(seed):
        managers[0].add_object(name, mesh, transform)
        managers[1].add_object(name, mesh, ours_at(transform))
    return managers


def far_from_touching(manager, pairs):
    """The pairs that are farther than `NEAR` from touching."""
    out = []
    for a, b in pairs:
        two = ours.CollisionManager()
        for name in (a, b):
            placed = manager._objs[name]["obj"]._placed
            two._put(ours.CollisionObject(two, name, placed.shape, placed.pose), placed.shape, placed.pose)
        if abs(two.min_distance_internal()) > NEAR:
            out.append((a, b))
    return out


@pytest.mark.parametrize("seed", range(6))
def test_random_scenes_side_by_side(seed):
    theirs, mine = both(seed)
    hit, names = theirs.in_collision_internal(return_names=True)
    own_hit, own_names = mine.in_collision_internal(return_names=True)
    assert own_hit is hit and len(own_names) > 10
    assert far_from_touching(mine, names ^ own_names) == []
    probe = shapes()[2]
    for transform in matrices(random_quaternions(20, seed + 100)):
        a = theirs.in_collision_single(probe, transform, return_names=True)
        b = mine.in_collision_single(probe, transform, return_names=True)
        assert a == b


def test_a_moved_scene_is_noticed():
    def off(matrix):
        return shift(0.03) @ matrix if matrix[0, 3] > 0 else matrix

    found = 0
    for seed in range(6):
        theirs, mine = both(seed, off)
        names = theirs.in_collision_internal(return_names=True)[1]
        own_names = mine.in_collision_internal(return_names=True)[1]
        found += len(far_from_touching(mine, names ^ own_names))
    assert found > 0


@pytest.mark.parametrize("seed", range(3))
def test_distances_side_by_side(seed):
    theirs, mine = both(seed)
    for k, transform in enumerate(matrices(random_quaternions(20, seed + 50))):
        transform[:3, 3] *= 3.0
        mesh = shapes()[k % 5]
        distance, data = theirs.min_distance_single(mesh, transform, return_data=True)
        own, name, own_data = mine.min_distance_single(mesh, transform, True, True)
        if distance > 0:
            assert abs(own - distance) < 1e-4 * (1 + distance)
            between = own_data.point(name) - own_data.point("__external")
            assert abs(np.linalg.norm(between) - own) < 1e-9
            assert own_data.names == {name, "__external"} and own_data.index(name) >= 0
        else:
            assert own <= 0


def others(seed):
    """A further scene in both kinds of managers, partly beside the one of the same seed."""
    managers = trimesh.collision.CollisionManager(), ours.CollisionManager()
    for name, mesh, transform in scene(seed + 1000, 8):
        transform[0, 3] += 1.5
        for manager in managers:
            manager.add_object(f"other {name}", mesh, transform.astype(np.float32))
    return managers


@pytest.mark.parametrize("seed", range(6))
def test_two_managers_side_by_side(seed):
    (theirs, mine), (their_other, my_other) = both(seed), others(seed)
    hit, names = theirs.in_collision_other(their_other, return_names=True)
    own_hit, own_names, data = mine.in_collision_other(my_other, return_names=True, return_data=True)
    assert (own_hit, own_names) == (hit, names) and len(names) > 2
    assert {tuple(contact._inds) for contact in data} == own_names
    own, own_data = mine.min_distance_other(my_other, return_data=True)
    assert own < 0 and theirs.min_distance_other(their_other) < 0
    # Apart from each other, since fcl has no depth of meshes.
    far = shift(9.0)
    for _, one in ((theirs, their_other), (mine, my_other)):
        for name, _, transform in scene(seed + 1000, 8):
            one.set_transform(f"other {name}", far @ transform)
    distance, names = theirs.min_distance_other(their_other, return_names=True)
    own, own_names, own_data = mine.min_distance_other(my_other, return_names=True, return_data=True)
    assert own > 1.0 and abs(own - distance) < 1e-4 * (1 + distance) and own_names == names
    between = own_data.point(names[0]) - own_data.point(names[1])
    assert abs(np.linalg.norm(between) - own) < 1e-9
    assert mine.in_collision_other(my_other) is theirs.in_collision_other(their_other) is False


@pytest.mark.parametrize("seed", range(3))
def test_nearest_names_side_by_side(seed):
    theirs, mine = both(seed)
    nearest = 0
    for transform in matrices(random_quaternions(20, seed + 70)):
        transform[:3, 3] *= 3.0
        a = theirs.min_distance_single(shapes()[2], transform, return_name=True)
        b = mine.min_distance_single(shapes()[2], transform, return_name=True)
        if a[0] > 0:
            nearest += 1
            assert a[1] == b[1] and abs(a[0] - b[0]) < 1e-4 * (1 + a[0])
    assert nearest > 5
    # Turned, since of a box straight below a vertex of a sphere fcl is off by as much as 0.1.
    apart = [(name, transform) for name, _, transform in scene(seed) if abs(transform[0, 3]) < 0.4]
    for k, (name, transform) in enumerate(apart):
        transform[:3, 3] = 0.0, 0.0, 9.0 + 2.5 * k + 0.125 * k * k
        for manager in (theirs, mine):
            manager.set_transform(name, transform)
    for name, _ in apart:
        a, b = (manager.min_distance_internal(name, return_names=True) for manager in (theirs, mine))
        assert a[1] == b[1] and a[0] > 0.2 and abs(a[0] - b[0]) < 1e-4 * (1 + a[0])


def test_objects_are_what_their_calls_take():
    theirs, mine = (kind() for kind in (trimesh.collision.CollisionManager, ours.CollisionManager))
    made = [[manager.add_object(*one) for one in scene(4)] for manager in (theirs, mine)]
    hits = 0
    for i, j in itertools.combinations(range(24), 2):
        a, b, c, d = made[0][i], made[0][j], made[1][i], made[1][j]
        hit = fcl.collide(a, b) > 0
        assert hit == (impinge_fcl.collide(c, d) > 0)
        hits += hit
        assert c.getNodeType() == a.getNodeType() and c.getObjectType() == a.getObjectType()
        for tell in ("getTranslation", "getRotation", "getQuatRotation"):
            found, expected = getattr(c, tell)(), getattr(a, tell)()
            assert np.allclose(found, expected, atol=1e-6) or np.allclose(-found, expected, atol=1e-6)
    assert 10 < hits < 200
    name, _, transform = scene(4)[3]
    mine.set_transform(name, shift(0.5) @ transform)
    assert np.array_equal(made[1][3].getTransform().getTranslation(), (shift(0.5) @ transform)[:3, 3])


def test_an_object_that_is_moved_moves_in_its_manager():
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    a, b = mine.add_object("a", box), mine.add_object("b", box, shift(3))
    assert not mine.in_collision_internal()
    for transform in (impinge_fcl.Transform(np.array([0.75, 0, 0])), fcl.Transform(np.array([0.75, 0, 0]))):
        b.setTransform(transform)
        assert mine.in_collision_internal() and mine.min_distance_internal() == pytest.approx(-0.25)
        b.setTranslation([4, 0, 0])
        assert mine.min_distance_internal() == 3.0 and b.getTranslation().tolist() == [4, 0, 0]
    mine.set_transform("b", np.diag([3.0, 1.0, 1.0, 1.0]) @ shift(1))
    assert b.getTranslation().tolist() == [3, 0, 0] and b.getRotation()[0, 0] == 3 and mine.min_distance_internal() == 1.0
    with pytest.raises(ValueError):
        b.setTranslation([np.nan, 0, 0])
    assert b.getTranslation().tolist() == [3, 0, 0] and mine.min_distance_internal() == 1.0
    # One that was replaced or removed is by itself.
    again = mine.add_object("b", box, shift(5))
    b.setTransform(impinge_fcl.Transform())
    assert mine.min_distance_internal() == 4.0 and again.getTranslation()[0] == 5
    mine.remove_object("b")
    again.setTranslation([2, 0, 0])
    assert impinge_fcl.distance(a, again) == 1.0 and mine.min_distance_single(box, shift(9)) == 8.0


def test_scenes_become_managers():
    whole = get_mesh("cycloidal.ply")
    managers, objects = zip(*(module.scene_to_collision(whole) for module in (trimesh.collision, ours)))
    assert objects[0].keys() == objects[1].keys() == set(whole.graph.nodes_geometry) and len(objects[0]) == 4
    assert all(isinstance(one, impinge_fcl.CollisionObject) for one in objects[1].values())
    for name in objects[0]:
        assert np.allclose(objects[1][name].getTranslation(), objects[0][name].getTranslation())
    names = [manager.in_collision_internal(return_names=True) for manager in managers]
    assert names[0] == names[1] and names[1][0]


def test_geometries_of_meshes():
    for mesh in shapes():
        surface, solid = ours.mesh_to_BVH(mesh), ours.mesh_to_convex(mesh)
        assert isinstance(surface, impinge_fcl.BVHModel) and surface.num_tries_() == len(mesh.faces)
        assert isinstance(solid, impinge_fcl.Convex if mesh.is_watertight else impinge_fcl.BVHModel)
        model = Model.from_trimesh(mesh)
        assert np.array_equal(model.vertices, mesh.vertices) and np.array_equal(model.faces, mesh.faces)
        assert model.is_closed == mesh.is_watertight and np.array_equal(model.bounds, mesh.bounds)
    box = impinge_fcl.CollisionObject(ours.mesh_to_convex(trimesh.creation.box([2, 2, 2])))
    small = impinge_fcl.CollisionObject(ours.mesh_to_BVH(trimesh.creation.box([1, 1, 1])))
    assert impinge_fcl.collide(box, small) == 1, "inside a solid"


def test_depth_of_boxes():
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    mine.add_object("a", box)
    for x, depth in [(0.75, 0.25), (0.5, 0.5), (1.0, 0.0)]:
        assert abs(mine.min_distance_single(box, shift(x)) + depth) < 1e-9
        hit, contacts = mine.in_collision_single(box, shift(x), return_data=True)
        assert hit is True and len(contacts) == 1
        assert abs(contacts[0].depth - depth) < 1e-9
        if depth:
            assert np.allclose(contacts[0].normal, [1, 0, 0])
            assert abs(contacts[0].point[0] - (x / 2)) < 1e-9


def test_depth_of_scenes_of_boxes():
    box, mine, other = trimesh.creation.box([1, 1, 1]), ours.CollisionManager(), ours.CollisionManager()
    for name, x in [("a", 0.0), ("b", 0.75), ("c", 3.0)]:
        mine.add_object(name, box, shift(x))
    # The deepest pair, whatever else overlaps or is apart.
    assert mine.min_distance_internal() == pytest.approx(-0.25)
    distance, names, data = mine.min_distance_internal(return_names=True, return_data=True)
    assert distance == data.distance == pytest.approx(-0.25)
    assert set(names) == data.names == {"a", "b"}
    for name, x in [("far", -5.0), ("p", 2.7), ("q", 0.25)]:
        other.add_object(name, box, shift(x))
    distance, names = mine.min_distance_other(other, return_names=True)
    assert distance == pytest.approx(-0.75) and names == ("a", "q")
    assert other.min_distance_other(mine, return_names=True)[1] == ("q", "a")
    other.remove_object("q")
    assert mine.min_distance_other(other, return_names=True) == (pytest.approx(-0.7), ("c", "p"))
    other.remove_object("p")
    assert mine.min_distance_other(other, return_names=True) == (pytest.approx(4.0), ("a", "far"))


@pytest.mark.parametrize("seed", range(3))
def test_contacts_side_by_side(seed):
    theirs, mine = both(seed)
    hit, names, found = theirs.in_collision_internal(return_names=True, return_data=True)
    own_hit, own_names, own = mine.in_collision_internal(return_names=True, return_data=True)
    assert hit is own_hit is True
    # Every pair that collides has one, of both.
    of_theirs, of_mine = ({tuple(sorted(contact.names)) for contact in some} for some in (found, own))
    assert of_theirs == names and of_mine == own_names
    placed = {name: (mesh, transform) for name, mesh, transform in scene(seed)}
    apart = on = 0
    for contact in own:
        (a, at_a), (b, at_b) = placed_two = [placed[name] for name in contact._inds]
        assert abs(np.linalg.norm(contact.normal) - 1) < 1e-9 and contact.depth >= 0
        if a.is_convex and b.is_convex:
            # The second is apart from the first once it is moved along the normal by the depth, and not before.
            for share, expected in [(1.0 + 1e-6, False), (1.0 - 1e-3, True)]:
                two = ours.CollisionManager()
                two.add_object("a", a, at_a)
                two.add_object("b", b, shift(*(share * contact.depth * contact.normal)) @ at_b)
                assert two.in_collision_internal() is expected
            apart += 1
            continue
        for (mesh, transform), name in zip(placed_two, contact._inds):
            face = contact.index(name)
            if face < 0:
                continue
            corners = trimesh.transform_points(mesh.triangles[face], transform)
            nearest = trimesh.triangles.closest_point(corners[None], contact.point[None])[0]
            assert np.linalg.norm(nearest - contact.point) < 1e-6  # transforms are rounded to 32 bits
            on += 1
    assert apart > 3 and on > 100


@pytest.mark.parametrize("edge", [1e-90, 1e-3, 1e80, 1e290])
def test_depth_at_any_scale(edge):
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    mesh = Mesh(box.vertices * edge, box.faces, True)
    mine.add_object("a", mesh)
    assert mine.min_distance_single(mesh, shift(0.75 * edge)) == pytest.approx(-0.25 * edge)


def test_depth_of_a_sheet_in_a_solid():
    sheet, solid = Mesh(*grid_arrays(2), False), trimesh.creation.box([4, 4, 4])
    mine = ours.CollisionManager()
    mine.add_object("solid", solid)
    for at, depth in [(shift(-0.5, -0.5), 2.0), (shift(-2.5, -0.5), 0.5)]:
        distance, data = mine.min_distance_single(sheet, at, return_data=True)
        assert distance == pytest.approx(-depth, rel=0.06)
        # Apart after a motion by the depth between both points.
        a, b = data.point("solid"), data.point("__external")
        assert not mine.in_collision_single(sheet, shift(*(a - b) * 1.000001) @ at)


def test_depth_of_an_open_surface_across_a_solid():
    box, cap = trimesh.creation.box([0.8, 0.5, 1.0]), trimesh.creation.icosphere(subdivisions=2, radius=0.6)
    cap.update_faces(cap.triangles_center[:, 2] > -0.3)
    pose, mine = matrices(random_quaternions(9, 7))[8], ours.CollisionManager()
    pose[:3, 3] *= 0.6
    mine.add_object("box", box)
    distance, data = mine.min_distance_single(cap, pose, return_data=True)
    least = Pair(*[Model(mesh.vertices, mesh.faces) for mesh in (box, cap)]).penetration(pose).lower
    assert 0.5 < least <= -distance <= least / 0.95 * (1 + 1e-9)
    a, b = data.point("box"), data.point("__external")
    assert not mine.in_collision_single(cap, shift(*(a - b) * 1.000001) @ pose)


@pytest.mark.parametrize("way", [1, -1])
def test_an_open_surface_that_touches_a_solid(way):
    box, mine = trimesh.creation.box([2, 2, 2]), ours.CollisionManager()
    flat = Mesh(np.array([[way, 0, 0], [way, 0.5, 0], [way, 0, 0.5]]), [[0, 1, 2]], False)
    corner = Mesh(np.array([[0.5, 0, 0], [1.0, 0, 0], [0.5, 0.3, 0]]) * way, [[0, 1, 2]], False)
    mine.add_object("box", box)
    assert mine.min_distance_single(flat) == 0.0
    assert mine.min_distance_single(corner, shift(0.5 * way)) == 0.0
    # The corner touches a face from inside.
    assert mine.min_distance_single(corner) == pytest.approx(-0.5, rel=0.06)


class Mesh:
    """What a manager asks for, and no more."""

    def __init__(self, vertices, faces, is_convex):
        self.vertices, self.faces, self.is_convex = vertices, faces, is_convex


def test_meshes_without_a_hash_of_their_content_are_prepared_each_time():
    corners, faces = cube_arrays()
    mesh, two = Mesh(corners, faces, True), [ours.CollisionManager(), ours.CollisionManager()]
    two[0].add_object("a", mesh)
    mesh.vertices = 3 * corners
    two[1].add_object("a", mesh)
    probe = SimpleNamespace(**vars(Mesh(corners, faces, True)))
    # Has a hash, but no weak references.
    kind = NamedTuple("Kept", vertices=tuple, faces=tuple, is_convex=bool)
    kept = kind(tuple(map(tuple, corners)), tuple(map(tuple, faces.tolist())), True)
    for one in (probe, kept):
        assert [manager.in_collision_single(one, shift(1.4)) for manager in two] == [False, True]


def test_a_manager_beside_itself():
    found = []
    for manager in (trimesh.collision.CollisionManager(), ours.CollisionManager()):
        for name, x in [("a", 0.0), ("b", 3.0)]:
            manager.add_object(name, trimesh.creation.box([1, 1, 1]), shift(x))
        hit, names = manager.in_collision_other(manager, return_names=True)
        found.append((hit, names, manager.min_distance_other(manager) < 0))
    assert found[0] == found[1] == (True, {("a", "a"), ("b", "b")}, True)


def test_threads_may_share_a_manager():
    mine, found = ours.CollisionManager(), {}
    mine.add_object("a", trimesh.creation.icosphere(subdivisions=4))
    probe = trimesh.creation.icosphere(subdivisions=4)

    def ask(number):
        found[number] = [mine.in_collision_single(probe, shift(0.1 * k)) for k in range(60)]
        mine.set_transform("a", np.eye(4))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(one == found[0] for one in found.values())
    assert True in found[0] and False in found[0]


def test_another_manager_lets_wait_and_is_waited_for():
    box, managers = trimesh.creation.box([1, 1, 1]), [ours.CollisionManager(), ours.CollisionManager()]
    for manager in managers:
        manager.add_object("a", box)
    asked = threading.Thread(target=managers[0].in_collision_other, args=(managers[1],), daemon=True)
    with managers[1]._lock:
        asked.start()
        asked.join(0.3)
        assert asked.is_alive()
    asked.join(10)
    assert not asked.is_alive()

    def ask(one, other):
        for _ in range(200):
            one.in_collision_other(other_manager=other)

    threads = [threading.Thread(target=ask, args=two, daemon=True) for two in (managers, managers[::-1])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)


class Refusing:
    """A world that refuses what is new."""

    def add(self, *args):
        raise MemoryError

    def remove(self, id_):
        pass

    set_pose = add


def test_a_refused_transform_changes_nothing():
    mine, box = ours.CollisionManager(), trimesh.creation.box([1, 1, 1])
    mine.add_object("a", box)
    bad = shift(np.nan)
    for change in (lambda: mine.set_transform("a", bad), lambda: mine.add_object("a", box, bad)):
        with pytest.raises(ValueError):
            change()
        assert mine.in_collision_single(box) is True and mine.min_distance_single(box, shift(2.0)) == 1.0
    larger = np.diag([2.0, 2.0, 2.0, 1.0])
    world, mine._world = mine._world, Refusing()
    for change in (shift(0.5), larger):
        with pytest.raises(MemoryError):
            mine.set_transform("a", change)
    with pytest.raises(MemoryError):
        mine.add_object("a", box, larger)
    mine._world = world
    assert mine.min_distance_single(box, shift(0.75)) == pytest.approx(-0.25)
    mine.set_transform("a", larger)
    assert mine.min_distance_single(box, shift(2.0)) == 0.5
    mine.set_transform("a", np.eye(4))
    assert mine.min_distance_single(box, shift(2.0)) == 1.0


def test_what_is_inside():
    box, small = trimesh.creation.box([2, 2, 2]), trimesh.creation.box([0.5, 0.5, 0.5])
    ring = trimesh.creation.torus(3.0, 1.0, 24, 16)
    for outer, at, expected in [(box, 0.0, True), (ring, 3.0, False)]:
        for manager in (trimesh.collision.CollisionManager(), ours.CollisionManager()):
            manager.add_object("outer", outer)
            assert manager.in_collision_single(small, shift(at)) is expected


def test_transforms_that_scale_go_into_the_vertices():
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    mine.add_object("a", box, np.diag([2.0, 1.0, 1.0, 1.0]))
    assert abs(mine.min_distance_single(box, shift(3.0)) - 1.5) < 1e-12
    mine.set_transform("a", np.diag([-4.0, 1.0, 1.0, 1.0]))
    assert abs(mine.min_distance_single(box, shift(3.0)) - 0.5) < 1e-12
    mine.set_transform("a", np.eye(4))
    assert abs(mine.min_distance_single(box, shift(3.0)) - 2.0) < 1e-12
    with pytest.raises(ValueError, match="b not in collision manager"):
        mine.set_transform("b", np.eye(4))
    with pytest.raises(ValueError, match="transform must be"):
        mine.add_object("b", box, np.eye(3))


def test_a_matrix_that_is_used_again_moves_nothing():
    box, one, other = trimesh.creation.box([1, 1, 1]), ours.CollisionManager(), ours.CollisionManager()
    at = np.eye(4)
    for k in range(3):
        at[0, 3] = 3.0 * k
        other.add_object(f"b{k}", box, at)
    at[0, 3] = 0.25
    one.add_object("a", box, at)
    at[0, 3] = 50.0
    assert one.in_collision_other(other, return_names=True) == (True, {("a", "b0")})
    assert abs(one.min_distance_other(other) + 0.75) < 1e-9
    one.set_transform("a", at)
    at[0, 3] = 0.0
    assert one.in_collision_other(other) is False
    assert one.min_distance_other(other, return_names=True) == (43.0, ("a", "b2"))


def test_motions_that_are_a_little_off_have_distances_and_depths():
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    for k, x in enumerate((0.0, 0.75, 3.0)):
        # Off by less than 1e-6, which is taken; the product of two such is off by more.
        mine.add_object(f"{k}", box, shift(x) @ np.diag([1 + 4e-7, 1 + 4e-7, 1 + 4e-7, 1.0]))
    hit, contacts = mine.in_collision_internal(return_data=True)
    assert hit and len(contacts) == 1 and abs(contacts[0].depth - 0.25) < 1e-5
    assert abs(mine.min_distance_internal() + 0.25) < 1e-5
    other = ours.CollisionManager()
    other.add_object("far", box, shift(5.0) @ np.diag([1 - 4e-7, 1 - 4e-7, 1 - 4e-7, 1.0]))
    assert abs(mine.min_distance_other(other) - 1.0) < 1e-5


def test_names_need_no_order_unless_they_are_asked_for():
    for manager in (trimesh.collision.CollisionManager(), ours.CollisionManager()):
        box = trimesh.creation.box([1, 1, 1])
        manager.add_object(1, box)
        manager.add_object("a", box, shift(0.5))
        assert manager.in_collision_internal() is True
        assert len(manager.in_collision_internal(return_data=True)[1]) > 0
        assert manager.min_distance_internal() <= 0
        with pytest.raises(TypeError):
            manager.in_collision_internal(return_names=True)


def test_a_mesh_that_changes_is_prepared_anew():
    box, mine = trimesh.creation.box([1, 1, 1]), ours.CollisionManager()
    mine.add_object("a", box)
    mine.add_object("b", box, shift(3))
    assert mine.min_distance_internal() == 2.0
    box.apply_scale(2.0)
    mine.add_object("b", box, shift(3))
    assert mine.min_distance_internal(return_names=True) == (1.5, ("a", "b"))
    mine.remove_object("b")
    assert mine.min_distance_internal() > 1e300
    assert mine.in_collision_internal(return_names=True, return_data=True) == (False, set(), [])

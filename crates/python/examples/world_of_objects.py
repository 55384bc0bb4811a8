"""Many objects: which clash, how, and what changes when one moves. Cells as of a notebook."""

# %% A shelf of boxes, instances of one model
import numpy as np

import impinge

corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
box = impinge.Model(corners, [[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
world = impinge.World()


def at(x, y=0.0, z=0.0):
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


ids = [world.add(box, at(1.5 * k)) for k in range(10)]
print(len(world), "objects,", len(world.colliding()), "pairs meet")

# %% One moves against its neighbour
world.set_pose(ids[3], at(5.5, 0.25))
for clash in world.clashes(solids=True):
    print(clash.a, clash.b, clash.how, clash.contacts)

# %% What is near, and what an object outside of the world would meet
print([(near.a, near.b) for near in world.clashes(0.5) if near.how == "too-near"])
print(world.colliding_with(box, at(0.75)).tolist())

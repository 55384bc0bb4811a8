"""Two bodies, many poses: verdicts, contacts, distances, depths, motions. Cells as of a notebook."""

# %% Two bodies
import numpy as np

import impinge

corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) - 0.5
quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
faces = np.array([[q[0], q[i], q[i + 1]] for q in quads for i in (1, 2)])
cube = impinge.Model(corners, faces)
small = impinge.Model(0.25 * corners, faces)
print(cube, cube.is_closed, cube.bounds.tolist())

# %% Many poses of B in A's frame, in one call and on all threads
pair = impinge.Pair(cube, small)
poses = np.tile(np.eye(4), (1025, 1, 1))
poses[:, 0, 3] = np.arange(1025) / 512
hits = pair.collides(poses)
print(f"{hits.sum()} of {len(poses)} surfaces meet; as solids {pair.collides(poses, solids=True).sum()}")
print("the first and the last that meet:", poses[hits][[0, -1], 0, 3].tolist())

# %% Which triangles, how near, how deep
touching = poses[hits][-1]
print(pair.touch(touching), pair.contacts(touching).tolist()[:3])
nearest = pair.nearest(poses[-1])
print(nearest.distance, nearest.on_a.tolist(), nearest.on_b.tolist())
print("depth at most", pair.penetration(poses[300], solids=True).upper)

# %% On the way from one pose to another
way = pair.sweep(poses[-1], poses[0])
print("they touch at", way.low, "to", way.high)

"""Exact collision detection between triangle meshes, over NumPy arrays.

A `Model` is one mesh, prepared once. A `Pair` of models answers questions at poses of B in A's frame:
a matrix (4, 4), or seven numbers `tx ty tz qx qy qz qw`; or at a batch of them, (n, 4, 4) or (n, 7).
A `World` has many placed models, and answers about all pairs of them.

Surfaces are closed sets: touching counts. No tolerance decides a verdict. Lengths are in the meshes'
unit, points in A's frame, and of a world in the world's frame.

`impinge.trimesh` has a `CollisionManager` for trimesh, `impinge.fcl` the calls of python-fcl. Neither
is imported with this package.
"""

from ._errors import (
    ArgumentError,
    Error,
    FileError,
    MeshError,
    NotClosedError,
    PoseError,
    StoredError,
    UnansweredError,
    UndecidedError,
)
from ._impinge import TOUCHES, VERDICTS, Model, Pair, World, __version__, methods
from ._results import Clash, Contacts, Exit, Near, Nearest, OnTheWay, Penetration, Swept

__all__ = [
    "ArgumentError",
    "Clash",
    "Contacts",
    "Error",
    "Exit",
    "FileError",
    "MeshError",
    "Model",
    "Near",
    "Nearest",
    "OnTheWay",
    "NotClosedError",
    "Pair",
    "Penetration",
    "PoseError",
    "StoredError",
    "Swept",
    "TOUCHES",
    "UnansweredError",
    "UndecidedError",
    "VERDICTS",
    "World",
    "__version__",
    "methods",
]

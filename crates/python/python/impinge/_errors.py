"""The exceptions. Each is an `Error`; attributes name the element that is wrong, or are `None`."""

from typing import Optional, Tuple, Union


class Error(Exception):
    """A question has no answer, or an argument is refused."""

    #: Place in a batch of poses.
    index: Optional[int] = None
    #: "A" or "B", of a pair.
    mesh: Optional[str] = None
    #: Ids of the two objects of a world, the first `None` if it is not in the world; of a scene, parts.
    objects: Optional[Tuple[Optional[int], Optional[int]]] = None
    #: The message without the objects, or the file and the place, that it names.
    reason: Optional[str] = None


class ArgumentError(Error, ValueError):
    """A number is out of range; `value` is that number."""

    value: Optional[float] = None
    #: The option that has the number, if it is one of several.
    option: Optional[str] = None


class MeshError(Error, ValueError):
    """The arrays form no mesh: see `vertex` or `triangle`, and `value`."""

    #: Index of the vertex, and the name of its coordinate.
    vertex: Optional[int] = None
    axis: Optional[str] = None
    #: Index of the triangle.
    triangle: Optional[int] = None
    #: The refused coordinate, or index of a vertex.
    value: Union[float, int, None] = None


class PoseError(Error, ValueError):
    """The numbers form no rigid motion, or it leads out of range; `index` is its place in a batch."""

    value: Optional[float] = None


class NotClosedError(Error, ValueError):
    """A mesh has no inside: `mesh` is "A" or "B", `edge` two vertices, `triangle` one at that edge."""

    edge: Optional[Tuple[int, int]] = None
    triangle: Optional[int] = None


class UndecidedError(Error):
    """What is inside `mesh` is not certain, so that touching cannot be told from piercing."""


class UnansweredError(Error):
    """The method does not answer this question."""

    #: The word of the method, and what it does not answer.
    method: Optional[str] = None
    what: Optional[str] = None


class FileError(Error, ValueError):
    """The content of a file is no mesh. At most one place is told; `reason` is the message without file and place."""

    #: The file as it was given; of a file beside a glTF file, both with `: ` between.
    path: Optional[str] = None
    #: A line of a text file, from 1.
    line: Optional[int] = None
    #: An offset in a binary file, from 0.
    byte: Optional[int] = None
    #: A polygon or facet, from 0 in the order of the file.
    face: Optional[int] = None
    #: A vertex, from 0 in the order of the file; and the name of its coordinate.
    vertex: Optional[int] = None
    axis: Optional[str] = None
    #: A triangle of the mesh, from 0.
    triangle: Optional[int] = None
    #: The refused coordinate, or index of a vertex, of a mesh that is none.
    value: Union[float, int, None] = None
    #: A named item, such as "accessor 3" of a glTF file.
    item: Optional[str] = None


class StoredError(Error, ValueError):
    """Bytes are no stored model; the message names the place."""

    #: The file, if they are those of one.
    path: Optional[str] = None
    #: Of an illegal mesh: index of the vertex, and the name of its coordinate; or index of the triangle.
    vertex: Optional[int] = None
    axis: Optional[str] = None
    triangle: Optional[int] = None
    #: The refused coordinate, or index of a vertex.
    value: Union[float, int, None] = None
    #: The part of an illegal tree, such as "node 3".
    item: Optional[str] = None

"""The exceptions. Each is an `Error`; attributes name the element that is wrong, or are `None`."""


class Error(Exception):
    """A question has no answer, or an argument is refused."""

    #: Place in a batch of poses.
    index = None
    #: "A" or "B", of a pair.
    mesh = None
    #: Ids of the two objects of a world, the first `None` if it is not in the world.
    objects = None
    #: The message without the objects that it names.
    reason = None


class ArgumentError(Error, ValueError):
    """A number is out of range; `value` is that number."""

    value = None


class MeshError(Error, ValueError):
    """The arrays form no mesh: see `vertex` or `triangle`, and `value`."""

    #: Index of the vertex, and the name of its coordinate.
    vertex = None
    axis = None
    #: Index of the triangle.
    triangle = None
    #: The refused coordinate, or index of a vertex.
    value = None


class PoseError(Error, ValueError):
    """The numbers form no rigid motion, or it leads out of range; `index` is its place in a batch."""

    value = None


class NotClosedError(Error, ValueError):
    """A mesh has no inside: `mesh` is "A" or "B", `edge` two vertices, `triangle` one at that edge."""

    edge = None
    triangle = None


class UndecidedError(Error):
    """What is inside `mesh` is not certain, so that touching cannot be told from piercing."""


class UnansweredError(Error):
    """The method does not answer this question."""


class FileError(Error, ValueError):
    """The content of a file is no mesh; the message names the place."""


class StoredError(Error, ValueError):
    """Bytes are no stored model; the message names the place."""

"""Parameters and gradients of thinc's models as NumPy arrays on the CPU."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeGuard, cast

import numpy
from numpy.typing import NDArray
from thinc.api import Model, Ops
from thinc.types import FloatsXd


def to_ops(ops: Ops, array: NDArray) -> FloatsXd:
    """A NumPy array as an array of the Ops, on a GPU if they compute there."""
    return cast(FloatsXd, ops.asarray(cast(FloatsXd, array)))


def get_float32(model: Model, name: str) -> FloatsXd:
    """A parameter. If it was saved as half floats, it becomes float32 here, when it is first used.

    thinc tells a layer nothing when it loads its parameters.
    """
    values = model.get_param(name)
    if cast(NDArray, values).itemsize > 2:
        return values
    model.set_param(name, cast(FloatsXd, values.astype("float32")))
    return model.get_param(name)


def get_array(model: Model, name: str) -> NDArray:
    """A parameter as a NumPy array."""
    return model.ops.to_numpy(get_float32(model, name))


def set_array(model: Model, name: str, values: NDArray) -> None:
    """Set a parameter to the values of a NumPy array."""
    model.set_param(name, to_ops(model.ops, values))


def add_gradient(model: Model, name: str, gradient: NDArray) -> None:
    """Add a gradient, whatever its shape, to that of a parameter with as many numbers."""
    shape = model.get_param(name).shape
    model.inc_grad(name, to_ops(model.ops, gradient.reshape(shape)))


@contextmanager
def open_gradient(model: Model, name: str) -> Iterator[NDArray[numpy.float32]]:
    """The gradient of a parameter, to add to; on the CPU it is no copy once there is one."""
    shape = model.get_param(name).shape
    kept = model.get_grad(name) if model.has_grad(name) else None
    if is_plain(kept) and kept.shape == shape:
        yield kept
        return
    gradient = numpy.zeros(shape, dtype="f")
    yield gradient
    add_gradient(model, name, gradient)


def is_plain(array: object) -> TypeGuard[NDArray[numpy.float32]]:
    """Whether an array is a writeable NumPy array of float32 without gaps."""
    return (
        type(array) is numpy.ndarray
        and array.dtype == numpy.float32
        and array.flags.c_contiguous
        and array.flags.writeable
    )

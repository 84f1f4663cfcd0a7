"""Gradients that are added to in place."""

import numpy
from thinc.api import Linear

from spacy_arceager.kernels.parameters import add_gradient, open_gradient


def test_an_open_gradient_adds_as_add_gradient_does() -> None:
    layer = Linear(2, 3).initialize()
    step = numpy.arange(6, dtype="f").reshape(2, 3)
    for times in (1, 2, 3):
        with open_gradient(layer, "W") as gradient:
            gradient += step
        assert (layer.get_grad("W") == times * step).all()
    add_gradient(layer, "W", step)
    assert (layer.get_grad("W") == 4 * step).all()


def test_an_open_gradient_is_no_copy_once_there_is_one() -> None:
    layer = Linear(2, 3).initialize()
    with open_gradient(layer, "W"):
        pass
    with open_gradient(layer, "W") as gradient:
        assert gradient is layer.get_grad("W")


def test_a_gradient_of_another_kind_is_added_to_by_thinc() -> None:
    layer = Linear(2, 3).initialize()
    layer.set_grad("W", numpy.ones((2, 3)))
    with open_gradient(layer, "W") as gradient:
        gradient += 1
    assert (layer.get_grad("W") == 2).all()

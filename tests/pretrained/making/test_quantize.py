"""int8 is near float32, and its scales come from the texts."""

import numpy
import onnx
import pytest
from onnx import numpy_helper

from spacy_arceager.pretrained.making.quantize import (
    LARGEST_WEIGHT,
    find_factors,
    find_largest,
    find_scales,
)
from spacy_arceager.pretrained.runner import Runner
from tests.pretrained import numpy_encoder
from tests.pretrained.tiny import draw_pieces, make_source, make_weights

LAYERS = [0, 1, 2, 3]


def test_int8_is_near_float32() -> None:
    source, sequences = make_source(), draw_pieces(50, seed=1)
    expected = Runner(source.to_files()).encode(sequences, LAYERS)
    vectors = Runner(source.to_int8(draw_pieces(200, seed=2))).encode(sequences, LAYERS)
    first, second = numpy.concatenate(vectors), numpy.concatenate(expected)
    lengths = numpy.linalg.norm(first, axis=2) * numpy.linalg.norm(second, axis=2)
    cosines = (first * second).sum(axis=2) / lengths
    assert cosines.mean(axis=0).min() > 0.998


def test_int8_files_are_smaller_and_say_what_they_are() -> None:
    source = make_source()
    files = source.to_int8(draw_pieces(5))
    assert files.meta.precision == "int8"
    assert len(files.graph) < 0.6 * len(source.to_files().graph)


def test_two_products_of_neighbours_fit_into_16_bits() -> None:
    model = onnx.load_from_string(make_source().to_int8(draw_pieces(5)).graph)
    names = {node.input[1] for node in model.graph.node if node.op_type == "MatMulIntegerToFloat"}
    arrays = [numpy_helper.to_array(array) for array in model.graph.initializer
              if array.name in names]
    assert len(arrays) == 3 * 6
    assert max(numpy.abs(array.astype("i4")).max() for array in arrays) == LARGEST_WEIGHT
    assert 255 * 2 * LARGEST_WEIGHT < 2**15


def test_the_largest_values_are_those_of_the_slow_twin() -> None:
    weights, sequences = make_weights(), draw_pieces(10)
    largest = find_largest(weights, sequences)
    layers = [numpy_encoder.run(weights, pieces) for pieces in sequences]
    for number in range(3):
        expected = numpy.max([abs(layer[number]).max(axis=0) for layer in layers], axis=0)
        numpy.testing.assert_allclose(largest[f"{number}.attention"], expected, atol=2e-5)
    assert largest["0.outer"].shape == (64,)


def test_smoothing_does_not_change_a_product() -> None:
    rng = numpy.random.default_rng(0)
    vectors = rng.standard_normal((5, 8)).astype("f") * [1, 1, 50, 1, 1, 1, 1, 0]
    weight = rng.standard_normal((8, 3)).astype("f")
    largest = numpy.maximum(abs(vectors).max(axis=0), 1e-5)
    factors = find_factors(largest, [weight])
    smooth = vectors / factors
    numpy.testing.assert_allclose(
        smooth @ (weight * factors[:, None]), vectors @ weight, rtol=1e-4, atol=1e-4
    )
    spread = abs(smooth).max(axis=0)[:-1]
    assert spread.max() / spread.min() < 5


def test_zeros_have_a_scale() -> None:
    assert (find_scales(numpy.zeros((3, 2), dtype="f"), 1, 127) > 0).all()


def test_int8_needs_texts() -> None:
    with pytest.raises(ValueError, match="int8 needs some texts"):
        make_source().to_int8([])

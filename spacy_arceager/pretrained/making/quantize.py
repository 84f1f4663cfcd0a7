"""Products of 8-bit integers, whose scales do not depend on what else is in a batch.

The scales of the vectors are fixed beforehand, by some texts. A few channels of an encoder are much
larger than the others. Before vectors are rounded, each channel is therefore divided by a number,
and the row of the weights that it meets is multiplied by the same number (SmoothQuant, Xiao et al.
2023, section 4).
"""

from collections.abc import Sequence
from itertools import groupby

import numpy
import onnx
import onnxruntime
from numpy.typing import NDArray

from ...token_vectors.layers import Ints
from .graph import FloatProducts, GraphBuilder, build_graph
from .weights import Array, EncoderWeights, Linear

# How much of the difficulty goes from the vectors into the weights, between 0 and 1.
STRENGTH = 0.85
# Vectors are 0 to 255, where 128 stands for 0.
ZERO, LARGEST = 128, 127
# Weights have 7 bits. Processors without VNNI add two products in 16 bits, which would overflow
# with 8. So all processors find the same integers.
LARGEST_WEIGHT = 63
LARGEST_EMBEDDING = 127
SMALLEST = 1e-5     # stands for channels and rows that are 0


class Observation(FloatProducts):
    """Products in float32 that remember which vectors they multiply, by place."""

    def __init__(self) -> None:
        self.vectors: dict[str, str] = {}

    def multiply(
        self, builder: GraphBuilder, place: str, linears: Sequence[Linear], vectors: str
    ) -> list[str]:
        """See `FloatProducts`."""
        self.vectors[place] = vectors
        return super().multiply(builder, place, linears, vectors)


class Int8Products(FloatProducts):
    """Looks up embeddings and multiplies vectors with weights, in 8-bit integers.

    Args:
        largest: by place, the largest magnitude of each channel: what `find_largest` returns.
    """

    def __init__(self, largest: dict[str, Array]) -> None:
        self.largest = largest

    def embed(self, builder: GraphBuilder, embeddings: Array) -> str:
        """See `FloatProducts`. Each embedding has a scale of its own."""
        scales = find_scales(embeddings, 1, LARGEST_EMBEDDING)
        rows = builder.add("Gather", builder.constant(divide(embeddings, scales)), "pieces")
        factors = builder.add("Gather", builder.constant(scales), "pieces")
        return builder.add("Mul", builder.add("Cast", rows, to=onnx.TensorProto.FLOAT), factors)

    def multiply(
        self, builder: GraphBuilder, place: str, linears: Sequence[Linear], vectors: str
    ) -> list[str]:
        """See `FloatProducts`. Each output has a scale of its own, and all vectors share one."""
        largest = numpy.maximum(self.largest[place], SMALLEST)
        factors = find_factors(largest, [linear.weight for linear in linears])
        scale = builder.constant(numpy.array((largest / factors).max() / LARGEST, dtype="f"))
        zero = builder.constant(numpy.array(ZERO, dtype="u1"))
        smooth = builder.add("Mul", vectors, builder.constant(1 / factors))
        integers = builder.add("QuantizeLinear", smooth, scale, zero)
        products = []
        for linear in linears:
            weight = linear.weight * factors[:, None]
            scales = find_scales(weight, 0, LARGEST_WEIGHT)
            products.append(builder.fused(
                "MatMulIntegerToFloat", integers, builder.constant(divide(weight, scales)), scale,
                builder.constant(scales[0]), zero,
            ))
        return products


def find_factors(largest: Array, weights: Sequence[Array]) -> Array:
    """By what each channel of vectors is divided, and each row of their weights multiplied.

    Args:
        largest: the largest magnitude of each channel.
        weights: all weights (channels, outputs) that the vectors meet.
    """
    rows = numpy.maximum(numpy.abs(numpy.concatenate(weights, axis=1)).max(axis=1), SMALLEST)
    return (largest**STRENGTH / rows ** (1 - STRENGTH)).astype("f")


def find_scales(values: Array, axis: int, largest: int) -> Array:
    """The scales along an axis at which the values are integers of this size at most."""
    magnitudes = numpy.abs(values).max(axis=axis, keepdims=True)
    return (numpy.maximum(magnitudes, SMALLEST) / largest).astype("f")


def divide(values: Array, scales: Array) -> NDArray[numpy.int8]:
    """The nearest integers of the values at these scales."""
    return numpy.rint(values / scales).astype("i1")


def find_largest(weights: EncoderWeights, sequences: Sequence[Ints]) -> dict[str, Array]:
    """The largest magnitude of each channel of the vectors that are multiplied, by place.

    Args:
        sequences: ids of pieces, which are encoded in float32.

    Raises:
        ValueError: If there are no sequences.
    """
    if not sequences:
        raise ValueError("int8 needs some texts, by which the scales of the vectors are fixed")
    observation = Observation()
    model = onnx.load_from_string(build_graph(weights, observation))
    names = sorted(set(observation.vectors.values()))
    have = {output.name for output in model.graph.output}
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names if name not in have)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    largest = {name: numpy.zeros(1, dtype="f") for name in names}
    for _, batch in groupby(sorted(sequences, key=len), len):
        pieces = numpy.array(list(batch), dtype="i4")
        for name, vectors in zip(names, session.run(names, {"pieces": pieces})):
            magnitudes = numpy.abs(vectors).max(axis=(0, 1))
            largest[name] = numpy.maximum(largest[name], magnitudes)
    return {place: largest[name] for place, name in observation.vectors.items()}

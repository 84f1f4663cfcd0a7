"""The graph of an encoder in the format ONNX, with the fused operators of ONNX Runtime."""

from typing import Any

import numpy
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from .weights import Block, EncoderWeights, Linear, Norm

OPSET = 17
MICROSOFT = "com.microsoft"     # the domain of ONNX Runtime's fused operators


class GraphBuilder:
    """Collects the nodes of a graph and its constants. Names of values are made unique."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, array: NDArray) -> str:
        """Add an array, and return its name."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(numpy.ascontiguousarray(array), name))
        return name

    def add(
        self, operator: str, *inputs: str, domain: str = "", output: str = "", **attributes: Any
    ) -> str:
        """Add a node, and return the name of its first output."""
        name = output or f"value_{len(self.nodes)}"
        node = helper.make_node(operator, inputs, [name], domain=domain, **attributes)
        self.nodes.append(node)
        return name

    def fused(self, operator: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add one of ONNX Runtime's own operators."""
        return self.add(operator, *inputs, domain=MICROSOFT, output=output, **attributes)


def build_graph(weights: EncoderWeights) -> bytes:
    """Make the graph of an encoder.

    Its input `pieces` (sequences, pieces) has sequences of one length, since nothing is masked. Its
    outputs `layer_0` to `layer_N` are (sequences, pieces, width).
    """
    builder = GraphBuilder()
    vectors = add_embeddings(builder, weights)
    for number, block in enumerate(weights.blocks, 1):
        vectors = add_block(builder, weights, block, vectors, f"layer_{number}")
    outputs = [
        helper.make_tensor_value_info(
            f"layer_{number}", TensorProto.FLOAT, ["sequences", "length", weights.width]
        )
        for number in range(len(weights.blocks) + 1)
    ]
    pieces = helper.make_tensor_value_info("pieces", TensorProto.INT32, ["sequences", "length"])
    graph = helper.make_graph(builder.nodes, "encoder", [pieces], outputs, builder.constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
    return model.SerializeToString(deterministic=True)


def add_embeddings(builder: GraphBuilder, weights: EncoderWeights) -> str:
    """The sum of the embeddings of pieces and positions, normalized: layer 0."""
    words = builder.add("Gather", builder.constant(weights.embeddings), "pieces")
    first = builder.constant(numpy.array([0], dtype="i8"))
    length = builder.add("Shape", "pieces", start=1, end=2)
    positions = builder.add("Slice", builder.constant(weights.positions), first, length, first)
    total = builder.add("Add", words, positions)
    norm = weights.norm
    return builder.add(
        "LayerNormalization", total, builder.constant(norm.gain), builder.constant(norm.bias),
        epsilon=weights.epsilon, output="layer_0",
    )


def add_block(
    builder: GraphBuilder, weights: EncoderWeights, block: Block, vectors: str, output: str
) -> str:
    """Self-attention and the feed-forward network."""
    roles = block.query, block.key, block.value
    attention = builder.fused(
        "MultiHeadAttention", *[add_product(builder, role, vectors) for role in roles],
        builder.constant(numpy.concatenate([role.bias for role in roles])),
        num_heads=weights.n_heads,
    )
    joined = add_product(builder, block.output, attention)
    between = add_norm(
        builder, weights, block.attention_norm, vectors, joined, block.output.bias
    )
    hidden = builder.fused(
        "BiasGelu", add_product(builder, block.inner, between), builder.constant(block.inner.bias)
    )
    outer = add_product(builder, block.outer, hidden)
    return add_norm(builder, weights, block.norm, between, outer, block.outer.bias, output)


def add_product(builder: GraphBuilder, linear: Linear, vectors: str) -> str:
    """The product of vectors and weights, without the bias."""
    return builder.add("MatMul", vectors, builder.constant(linear.weight))


def add_norm(
    builder: GraphBuilder, weights: EncoderWeights, norm: Norm, first: str, second: str,
    bias: NDArray, output: str = "",
) -> str:
    """The normalized sum of two vectors and a bias."""
    return builder.fused(
        "SkipLayerNormalization", first, second, builder.constant(norm.gain),
        builder.constant(norm.bias), builder.constant(bias), epsilon=weights.epsilon, output=output,
    )

"""The graph of an encoder in the format ONNX, with the fused operators of ONNX Runtime."""

from collections.abc import Sequence
from typing import Any

import numpy
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from .weights import Array, EncoderWeights, Linear, Norm

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

    def fused(self, operator: str, *inputs: str, **attributes: Any) -> str:
        """Add one of ONNX Runtime's own operators."""
        return self.add(operator, *inputs, domain=MICROSOFT, **attributes)


class FloatProducts:
    """Looks up embeddings and multiplies vectors with weights, in float32.

    Other precisions have a class with the same methods.
    """

    def embed(self, builder: GraphBuilder, embeddings: Array) -> str:
        """The embeddings of the graph's input `pieces`."""
        return builder.add("Gather", builder.constant(embeddings), "pieces")

    def multiply(
        self, builder: GraphBuilder, place: str, linears: Sequence[Linear], vectors: str
    ) -> list[str]:
        """The products of the same vectors with several weights, without their biases.

        Args:
            place: tells the vectors apart from all others that are multiplied.
            linears: the layers that have the weights.
            vectors: the name of the vectors.
        """
        return [
            builder.add("MatMul", vectors, builder.constant(linear.weight)) for linear in linears
        ]


def build_graph(weights: EncoderWeights, products: FloatProducts | None = None) -> bytes:
    """Make the graph of an encoder.

    Its input `pieces` (sequences, pieces) has sequences of one length, since nothing is masked. Its
    outputs `layer_0` to `layer_N` are (sequences, pieces, width).
    """
    products = products or FloatProducts()
    builder = GraphBuilder()
    vectors = add_embeddings(builder, weights, products)
    for number in range(len(weights.blocks)):
        vectors = add_block(builder, weights, number, products, vectors)
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


def add_embeddings(builder: GraphBuilder, weights: EncoderWeights, products: FloatProducts) -> str:
    """The sum of the embeddings of pieces and positions, normalized: layer 0."""
    pieces = products.embed(builder, weights.embeddings)
    first = builder.constant(numpy.array([0], dtype="i8"))
    length = builder.add("Shape", "pieces", start=1, end=2)
    positions = builder.add("Slice", builder.constant(weights.positions), first, length, first)
    return add_norm(builder, weights, weights.norm, [pieces, positions], "layer_0")


def add_block(
    builder: GraphBuilder, weights: EncoderWeights, number: int, products: FloatProducts,
    vectors: str,
) -> str:
    """Self-attention and the feed-forward network of the block with this number, from 0 on."""
    block = weights.blocks[number]
    roles = block.query, block.key, block.value
    attention = builder.fused(
        "MultiHeadAttention",
        *products.multiply(builder, f"{number}.attention", roles, vectors),
        builder.constant(numpy.concatenate([role.bias for role in roles])),
        num_heads=weights.n_heads,
    )
    (joined,) = products.multiply(builder, f"{number}.output", [block.output], attention)
    joined = builder.add("Add", joined, builder.constant(block.output.bias))
    between = add_norm(builder, weights, block.attention_norm, [vectors, joined])
    (inner,) = products.multiply(builder, f"{number}.inner", [block.inner], between)
    hidden = builder.fused("BiasGelu", inner, builder.constant(block.inner.bias))
    (outer,) = products.multiply(builder, f"{number}.outer", [block.outer], hidden)
    outer = builder.add("Add", outer, builder.constant(block.outer.bias))
    return add_norm(builder, weights, block.norm, [between, outer], f"layer_{number + 1}")


def add_norm(
    builder: GraphBuilder, weights: EncoderWeights, norm: Norm, vectors: list[str],
    output: str = "",
) -> str:
    """The normalized sum of two vectors."""
    return builder.add(
        "LayerNormalization", builder.add("Add", *vectors), builder.constant(norm.gain),
        builder.constant(norm.bias), epsilon=weights.epsilon, output=output,
    )

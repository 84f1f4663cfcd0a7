"""A slow twin of an encoder's graph: one sequence, in NumPy, with float64."""

import math

import numpy

from spacy_arceager.pretrained.making.weights import Block, EncoderWeights, Linear, Norm

erf = numpy.vectorize(math.erf, otypes=["d"])


def run(weights: EncoderWeights, pieces: numpy.ndarray) -> numpy.ndarray:
    """The outputs of all layers: (layers + 1, pieces, width)."""
    vectors = weights.embeddings[pieces].astype("d") + weights.positions[: len(pieces)]
    layers = [normalize(vectors, weights.norm, weights.epsilon)]
    for block in weights.blocks:
        layers.append(run_block(block, layers[-1], weights.n_heads, weights.epsilon))
    return numpy.array(layers)


def run_block(
    block: Block, vectors: numpy.ndarray, n_heads: int, epsilon: float
) -> numpy.ndarray:
    query, key, value = (
        numpy.split(apply(role, vectors), n_heads, axis=1)
        for role in (block.query, block.key, block.value)
    )
    heads = [attend(*head) for head in zip(query, key, value)]
    joined = apply(block.output, numpy.concatenate(heads, axis=1))
    between = normalize(vectors + joined, block.attention_norm, epsilon)
    outer = apply(block.outer, gelu(apply(block.inner, between)))
    return normalize(between + outer, block.norm, epsilon)


def attend(query: numpy.ndarray, key: numpy.ndarray, value: numpy.ndarray) -> numpy.ndarray:
    shares = numpy.exp(query @ key.T / numpy.sqrt(query.shape[1]))
    return shares / shares.sum(axis=1, keepdims=True) @ value


def apply(linear: Linear, vectors: numpy.ndarray) -> numpy.ndarray:
    return vectors @ linear.weight.astype("d") + linear.bias


def normalize(vectors: numpy.ndarray, norm: Norm, epsilon: float) -> numpy.ndarray:
    centred = vectors - vectors.mean(axis=1, keepdims=True)
    deviation = numpy.sqrt((centred**2).mean(axis=1, keepdims=True) + epsilon)
    return centred / deviation * norm.gain + norm.bias


def gelu(vectors: numpy.ndarray) -> numpy.ndarray:
    return vectors * (1 + erf(vectors / math.sqrt(2))) / 2

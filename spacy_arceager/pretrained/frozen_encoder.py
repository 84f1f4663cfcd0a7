"""A pretrained encoder that training does not change, as a layer: "arceager.FrozenEncoder.v1".

A word's vector is the mean of the vectors of its pieces. ONNX Runtime computes them on the CPU.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy
from spacy.tokens import Doc
from thinc.api import Model, NumpyOps, Shim
from thinc.types import Floats2d

from ..kernels.parameters import add_gradient, get_array, set_array
from ..token_vectors.layers import Array, flatten, no_backprop, wrap
from .encoder_files import EncoderFiles
from .output_store import OutputStore

if TYPE_CHECKING:
    from .doc_encoder import DocEncoder

Vectors: TypeAlias = list[Floats2d]

CPU = NumpyOps()
PACKAGES = ("onnxruntime", "tokenizers")    # of the extra `encoder`
MIXTURES = ("mean", "learned")
POOLINGS = ("mean", "first", "last")
MB = 1_000_000


def build_frozen_encoder(
    path: str | Path | None = None,
    layers: Sequence[int] | None = None,
    mixture: str = "mean",
    pooling: str = "mean",
    window: int = 256,
    stride: int = 192,
    dropout: float = 0.0,
    keep_mb: int = 2000,
) -> Model[list[Doc], Vectors]:
    """Build a layer that gives each word of a Doc the vector that a pretrained encoder has for it.

    The layer reads the encoder from its folder when it is initialized. From then on the encoder is
    a part of the model, and is saved with it. Its weights are no parameters of the model. In
    training its outputs are kept as half floats in a temporary file, so that each Doc is encoded
    once.

    Args:
        path: the folder of an encoder, which `arceager encoder` makes. A layer that is loaded with
            a saved pipeline does not need it.
        layers: whose outputs are read; 0 stands for the embeddings, k for the k-th block. By
            default 5 to 8, or the upper half of an encoder that has fewer.
        mixture: "mean" for the mean of these layers. "learned" for a sum that is learnt: the
            weights of the layers add up to 1, and the sum is multiplied by a number (Peters et al.
            2018, section 3.2).
        pooling: which pieces of a word count: "mean" for all of them, "first" or "last" for one.
        window: the most pieces that the encoder reads at once, with the two that mark the ends. A
            longer Doc is read in several windows.
        stride: by how many pieces the next window begins further on.
        dropout: in training, the share of the numbers of a vector that are left out.
        keep_mb: the most megabytes of the temporary file. What has no room is computed again.

    Raises:
        ValueError: For settings out of range.
    """
    for name, value, choices in (("mixture", mixture, MIXTURES), ("pooling", pooling, POOLINGS)):
        if value not in choices:
            raise ValueError(f"{name}={value!r}; use one of {', '.join(choices)}")
    if layers is not None and (len(layers) == 0 or min(layers) < 0):
        raise ValueError(f"layers={layers}; use null, or numbers such as [5,6,7,8]")
    if not 1 <= stride <= window - 2:
        raise ValueError(f"window={window}, stride={stride}; use a stride of 1 to window - 2")
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout={dropout}; use 0, or more and less than 1")
    if keep_mb < 0:
        raise ValueError(f"keep_mb={keep_mb}; use 0 or more")
    learned = mixture == "learned"
    layer = FrozenEncoder(path, dropout, keep_mb * MB)
    reading = {"layers": None if layers is None else tuple(layers), "mean": not learned,
               "pooling": pooling, "window": window, "stride": stride}
    return Model(
        "frozen_encoder",
        layer,
        init=layer.init,
        params={"mixture": None, "scale": None} if learned else {},
        dims={"nO": None},
        shims=[EncoderShim(reading)],
    )

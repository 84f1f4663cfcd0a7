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
from .reading import STOPS, Reading

if TYPE_CHECKING:
    from .doc_encoder import DocEncoder

Vectors: TypeAlias = list[Floats2d]

CPU = NumpyOps()
PACKAGES = ("onnxruntime", "tokenizers")    # of the extra `encoder`
MB = 1_000_000


def build_frozen_encoder(
    path: str | Path | None = None,
    layers: Sequence[int] | None = None,
    mixture: str = "mean",
    pooling: str = "mean",
    stops: str = STOPS,
    window: int = 128,
    stride: int = 96,
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
        stops: the encoder reads a Doc in stretches, as sentences are best read alone. A stretch
            ends with a word that consists of these characters. With "", there are no stretches.
        window: the most pieces that the encoder reads at once, with the two that mark the ends. A
            longer stretch is read in several windows.
        stride: by how many pieces the next window begins further on.
        dropout: in training, the share of the numbers of a vector that are left out.
        keep_mb: the most megabytes of the temporary file. What has no room is computed again.

    Raises:
        ValueError: For settings out of range.
    """
    if not 0 <= dropout < 1:
        raise ValueError(f"dropout={dropout}; use 0 or more, and less than 1")
    if keep_mb < 0:
        raise ValueError(f"keep_mb={keep_mb}; use 0 or more")
    chosen = None if layers is None else tuple(layers)
    reading = Reading(chosen, mixture, pooling, stops, window, stride)
    layer = FrozenEncoder(path, dropout)
    return Model(
        "frozen_encoder",
        layer,
        init=layer.init,
        params={"mixture": None, "scale": None} if reading.learns else {},
        dims={"nO": None},
        shims=[EncoderShim(reading, keep_mb * MB)],
    )


class EncoderShim(Shim):
    """Holds an encoder in a thinc model, which saves it together with the model's own weights.

    Args:
        limit: the most bytes of what is kept in training.
    """

    def __init__(self, reading: Reading, limit: int) -> None:
        super().__init__(None)
        self.reading = reading
        self.limit = limit
        self._encoder: DocEncoder | None = None

    @property
    def files(self) -> EncoderFiles | None:
        """The encoder, or None before the layer is initialized or loaded."""
        return self._model

    @property
    def encoder(self) -> "DocEncoder":
        """The encoder, ready to read Docs. It is made ready when it is first needed."""
        if self._encoder is None:
            if self.files is None:
                raise ValueError(
                    "The frozen encoder is not there yet: initialize the pipeline, or load a saved "
                    "one"
                )
            # This imports the packages of the extra `encoder`.
            from .doc_encoder import DocEncoder

            self._encoder = DocEncoder(self.files, self.reading, self.limit)
        return self._encoder

    def load(self, files: EncoderFiles | None) -> None:
        """Take an encoder in place of the one that is there.

        Raises:
            ImportError: If a package that runs it is missing.
        """
        if files is not None:
            require_packages()
        self._model, self._encoder = files, None

    def copy(self) -> "EncoderShim":
        """A shim with the same encoder, which is not copied."""
        copied = EncoderShim(self.reading, self.limit)
        copied._model, copied._encoder = self._model, self._encoder
        return copied

    def __reduce__(self) -> tuple:
        return _restore_shim, (self.reading, self.limit, self.files)

    def to_bytes(self) -> bytes:
        """The encoder as data; no data before there is an encoder."""
        return b"" if self.files is None else self.files.to_bytes()

    def from_bytes(self, data: bytes) -> "EncoderShim":
        """Load what `to_bytes` returned.

        Raises:
            ImportError: If a package that runs the encoder is missing.
            ValueError: For damaged data.
        """
        self.load(EncoderFiles.from_bytes(data) if data else None)
        return self

    def finish_update(self, optimizer: object) -> None:
        """Nothing: training does not change the encoder."""

    def to_device(self, device_type: str, device_id: int) -> None:
        """Nothing: the encoder stays on the CPU."""


def _restore_shim(reading: Reading, limit: int, files: EncoderFiles | None) -> EncoderShim:
    shim = EncoderShim(reading, limit)
    shim.load(files)
    return shim


def require_packages() -> None:
    """Raise ImportError if a package that runs encoders is missing, and name the extra."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise ImportError(
            f"A frozen encoder needs {' and '.join(missing)}. Run: pip install "
            '"spacy-arceager[encoder]"'
        )


class FrozenEncoder:
    """The layer's functions."""

    def __init__(self, path: str | Path | None, dropout: float) -> None:
        self.path = path
        self.dropout = dropout

    def init(self, model: Model, X: object = None, Y: object = None) -> None:
        """Read the encoder from its folder.

        Raises:
            ValueError: If there is no path and no encoder either, and for a damaged folder.
        """
        shim = find_shim(model)
        if self.path is not None:
            shim.load(EncoderFiles.load(self.path))
        elif shim.files is None:
            raise ValueError(
                "The path of the frozen encoder is null. Set it in the config, or on the command "
                "line with --paths.encoder; `arceager encoder` makes such a folder"
            )
        *n_layers, width = shim.encoder.shape
        model.set_dim("nO", width)
        if n_layers:
            set_array(model, "mixture", numpy.zeros(n_layers, dtype="f"))
            set_array(model, "scale", numpy.ones(1, dtype="f"))

    def __call__(
        self, model: Model[list[Doc], Vectors], docs: Sequence[Doc], is_train: bool
    ) -> tuple[Vectors, Callable[[Vectors], list[Doc]]]:
        """A vector for each word of the Docs, and the backward pass."""
        encoder = find_shim(model).encoder
        lengths = numpy.array([len(doc) for doc in docs], dtype="i")
        like: Vectors = []
        encode = encoder.encode_once if is_train else encoder.encode
        nothing = numpy.zeros((0, *encoder.shape), dtype="f")
        outputs = numpy.concatenate([nothing, *encode(docs)])
        learns = encoder.reading.learns
        mixed = mix(model, outputs) if learns else outputs
        if not is_train:
            return wrap(model.ops, mixed, like, lengths), no_backprop
        mask = CPU.get_dropout_mask(mixed.shape, self.dropout)

        def backprop(dY: Vectors) -> list[Doc]:
            if learns:
                d_mixed, _ = flatten(model.ops, dY, mixed.shape[1])
                backprop_mix(model, outputs, d_mixed * mask)
            return []

        return wrap(model.ops, mixed * mask, like, lengths), backprop


def find_shim(model: Model) -> EncoderShim:
    """The shim of the layer."""
    (shim,) = model.shims
    assert isinstance(shim, EncoderShim)
    return shim


def mix(model: Model, outputs: Array) -> Array:
    """The sum of all layers, (n_words, width), with the weights that are learnt.

    Args:
        outputs: (n_words, n_layers, width).
    """
    weights = layer_weights(model)
    # A matrix product could have other bits for a word in a larger batch.
    total = outputs[:, 0] * weights[0]
    for layer in range(1, len(weights)):
        total += outputs[:, layer] * weights[layer]
    return get_array(model, "scale") * total


def layer_weights(model: Model) -> Array:
    """The weight of each layer, (n_layers,); together they are 1."""
    powers = numpy.exp(get_array(model, "mixture") - get_array(model, "mixture").max())
    return powers / powers.sum()


def backprop_mix(model: Model, outputs: Array, d_mixed: Array) -> None:
    """Add to the gradients of the layers' weights and of their scale.

    Args:
        outputs: (n_words, n_layers, width).
        d_mixed: (n_words, width), the gradient of what `mix` returned.
    """
    weights = layer_weights(model)
    d_layers = numpy.einsum("wlh,wh->l", outputs, d_mixed)
    d_scale = weights @ d_layers
    add_gradient(model, "scale", d_scale.reshape((1,)))
    add_gradient(
        model, "mixture", get_array(model, "scale") * weights * (d_layers - d_scale)
    )

"""The component `arceager_vector_predictor`, which improves the token vectors of a parser.

From the token vector of a word, it learns to predict the vector that a pretrained encoder has for
the word in its sentence (as the hints of Romero et al. 2015, section 2.1). It shares the token
vectors with the parser (`spacy.Tok2VecListener.v1`). In parsing it does nothing, and neither it nor
the encoder is needed.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import numpy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab
from thinc.api import Linear, Model, chain, with_array
from thinc.types import Floats2d

SAMPLE = 400    # Docs whose words tell the mean and the spread of the encoder's vectors
SMALLEST_SPREAD = 1e-6


def build_vector_predictor(
    tok2vec: Model[list[Doc], list[Floats2d]],
) -> Model[list[Doc], list[Floats2d]]:
    """A linear layer over token vectors: "arceager.VectorPredictor.v1"."""
    width = tok2vec.get_dim("nO") if tok2vec.has_dim("nO") else None
    output: Model[Floats2d, Floats2d] = Linear(nI=width)
    model: Model[list[Doc], list[Floats2d]] = chain(tok2vec, with_array(output))
    model.set_ref("tok2vec", tok2vec)
    model.set_ref("output", output)
    return model


class VectorPredictor(TrainablePipe):
    """Learns to predict the vectors of an encoder, and annotates nothing.

    Each number of the vectors is brought to a mean of 0 and a standard deviation of 1 first.

    Args:
        model: one that `build_vector_predictor` makes.
        encoder: a layer that gives each word its vector: "arceager.FrozenEncoder.v1". It is
            not saved with the component.
        weight: of its loss, half the sum of the squared differences.

    Raises:
        ValueError: If the weight is negative, or the encoder has weights to learn.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], list[Floats2d]],
        name: str,
        *,
        encoder: Model[list[Doc], list[Floats2d]],
        weight: float,
    ) -> None:
        if weight < 0:
            raise ValueError(f"'{name}' has weight={weight}; use 0 or more")
        if encoder.param_names:
            raise ValueError(
                f"'{name}' has an encoder with weights to learn, {', '.join(encoder.param_names)}, "
                'but nothing learns them here: use mixture = "mean"'
            )
        self.vocab = vocab
        self.model = model
        self.name = name
        self.encoder = encoder
        self.weight = weight
        self.scorer = None
        self.cfg: dict[str, Any] = {"mean": None, "spread": None}

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
    ) -> None:
        """Read the encoder, see how its vectors are distributed, and set up the model.

        Raises:
            ValueError: If there is no encoder, or no word.
        """
        docs = [example.predicted for example in islice(get_examples(), SAMPLE)]
        if not any(map(len, docs)):
            raise ValueError(f"'{self.name}' has no words to learn from")
        vectors: NDArray[numpy.float32] = numpy.concatenate(
            [self.model.ops.to_numpy(of_doc) for of_doc in self._encode(docs)]
        )
        self.cfg["mean"] = vectors.mean(axis=0).tolist()
        self.cfg["spread"] = numpy.maximum(vectors.std(axis=0), SMALLEST_SPREAD).tolist()
        self.model.get_ref("output").set_dim("nO", vectors.shape[1], force=True)
        self.model.initialize(X=docs[:1])

    def _encode(self, docs: Sequence[Doc]) -> list[Floats2d]:
        # Called as in training, because then the encoder keeps what it has computed.
        if not self.encoder.has_dim("nO"):
            self.encoder.initialize()
        vectors, _ = self.encoder.begin_update(list(docs))
        return vectors

    def get_loss(
        self, examples: Sequence[Example], scores: list[Floats2d]
    ) -> tuple[float, list[Floats2d]]:
        """The weighted loss, and its gradient.

        Args:
            scores: for each Doc, the predictions of its words' vectors, (n_words, width).
        """
        mean = self.model.ops.asarray1f(self.cfg["mean"])
        spread = self.model.ops.asarray1f(self.cfg["spread"])
        truths = self._encode([example.predicted for example in examples])
        differences = [score - (truth - mean) / spread for score, truth in zip(scores, truths)]
        loss = sum(float((difference**2).sum()) for difference in differences)
        return self.weight * loss / 2, [self.weight * difference for difference in differences]

    def predict(self, docs: Iterable[Doc]) -> None:
        """Do nothing, because the component annotates nothing."""

    def set_annotations(self, docs: Iterable[Doc], scores: Any) -> None:
        """Do nothing, because the component annotates nothing."""

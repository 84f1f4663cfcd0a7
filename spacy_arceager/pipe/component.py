"""The pipeline component `arceager_parser`."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

import numpy
from numpy import float32
from numpy.typing import NDArray
from spacy.errors import Errors
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.util import minibatch
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer, set_dropout_rate

from ..annotation.label_strings import SPACE_LABEL
from ..annotation.layout import find_layout
from ..decoding.decoder import Decoder, ScoredDerivation
from ..decoding.encoding import Encoded, encode
from ..errors import ModelMismatchError
from ..evaluation.graphs import score_graphs
from ..evaluation.scorer import make_parser_scorer
from ..kernels.kept import Kept
from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..network.scoring import find_scoring, fit_labels, kept_scorer, renew_scoring, resize
from ..network.transition_model import fit_features
from ..oracles.configured import constraint_oracle, default_oracle
from ..oracles.gold import GoldTrees
from ..oracles.python_oracle import as_oracle
from ..search.beam_update import roll_out_beam
from ..search.rollout import RollOut, roll_out
from ..search.settings import BeamSettings
from ..systems.catalogue import display_name
from ..visual.page import DerivationPage
from ..visual.view import view_derivation
from . import serialize
from .exploration import Exploration
from .scored_tree import ScoredTree
from .sentence_warning import SentenceWarning
from .settings import (
    Settings,
    check_label_data,
    check_labels,
    check_temperature,
    check_threads,
)
from .target import make_target

DEFAULT_SCORER = make_parser_scorer()


class SecondTarget(Protocol):
    """What a parser learns from beside its oracle, such as `distillation.Distillation`."""

    def gradient(
        self, examples: Sequence[Example], words: NDArray, rollout: RollOut
    ) -> NDArray[float32]:
        """The gradient of the scores of a roll-out, (n_rows, classes), by both targets.

        Args:
            words: (n_words,) which words of the examples were parsed.
        """

    def check_labels(self, name: str, labels: Sequence[str]) -> None:
        """Raise ValueError where the parser of that name no longer has the labels of the target."""


class ArcEagerParser(TrainablePipe):
    """A transition-based dependency parser that returns one tree a sentence.

    With a system that builds graphs it learns and sets `doc._.arceager_graph` instead, see
    `annotation.graphs`, and leaves heads and labels to others.

    The way of a Doc to the compiled search begins in `predict`: `encode` finds its sentences and
    the vectors of their words, `target` (trees or graphs) turns what is found into a parse, and a
    `Decoder` between them runs the search (`search.greedy.parse` or `search.beam.search`). The way
    of an Example begins in `update`: `target.gold_batch` makes arrays of its gold tree, the model
    gives the vectors, and `roll_out` (`search.rollout.roll_out`) parses the batch, while the oracle
    judges each choice.

    Args:
        vocab: that of the pipeline.
        model: an "arceager.TransitionModel.v1".
        name: of the component.
        scorer: what `score` calls.
        settings: the fields of `Settings` by their names; `system` is required.

    Raises:
        ValueError: For settings that are none, or contradict each other.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], NDArray[float32]],
        name: str = "arceager_parser",
        *,
        scorer: Callable | None = DEFAULT_SCORER,
        **settings: Any,
    ):
        chosen = Settings(**settings)
        chosen.check(name)
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.parameters = chosen.system
        self.oracle = (
            default_oracle(chosen.system) if chosen.oracle is None else as_oracle(chosen.oracle)
        )
        self.oracle.check(chosen.system)
        self.features_of_system = fit_features(model, chosen.system)
        self.exploration = (
            chosen.exploration if isinstance(chosen.exploration, Exploration)
            else Exploration(chosen.exploration)
        )
        self.non_projective = chosen.non_projective
        self.beam = chosen.beam
        self.threads = chosen.threads
        self.confidence = chosen.confidence
        self.temperature = chosen.temperature
        self.n_updates = 0
        self.distillation: SecondTarget | None = None
        self.kept_scorers: Kept[Scorer] = Kept()
        self._sentences = SentenceWarning(name, chosen.system.segment)
        self.set_labels([])

    @property
    def threads(self) -> int:
        """Threads that decode a batch, 1 to MAX_THREADS; ValueError where it is set to others."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        check_threads(self.name, threads)
        self._threads = threads

    @property
    def temperature(self) -> float:
        """By which scores are divided for confidence; ValueError where it is set to 0 or below."""
        return self._temperature

    @temperature.setter
    def temperature(self, temperature: float) -> None:
        check_temperature(self.name, temperature)
        self._temperature = temperature

    @property
    def labels(self) -> tuple[str, ...]:
        """The dependency labels that Docs get."""
        return self.target.labels

    @property
    def label_data(self) -> dict[str, list[str]]:
        """What `spacy init labels` saves and `initialize` takes.

        There are more than in `labels`: those of arcs that projectivisation lifted, marked.
        """
        return {"labels": list(self.cfg["labels"])}

    # Parsing

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse a stream of Docs, batch by batch.

        Of a batch that fails each Doc is tried again alone. A Doc that fails alone goes to the
        error handler of the component, and is left out.
        """
        for docs in minibatch(stream, size=batch_size):
            try:
                self.set_annotations(docs, self.predict(docs))
            except Exception:  # noqa: BLE001 (each Doc is tried again alone)
                for doc in docs:
                    yield from self._parse_alone(doc)
            else:
                yield from docs

    def _parse_alone(self, doc: Doc) -> Iterator[Doc]:
        """The Doc, parsed; nothing where that fails."""
        try:
            self.set_annotations([doc], self.predict([doc]))
        except Exception as error:  # noqa: BLE001 (the error handler gets it)
            self.get_error_handler()(self.name, self, [doc], error)
        else:
            yield doc

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """Parse Docs without changing them: one TreeParse or GraphParse a Doc.

        Raises:
            ConstraintError: Where no tree has what a Doc asks for.
        """
        docs = list(docs)
        self._sentences.check(docs)
        encoded = self._encode(docs)
        if encoded is None:
            return [self.target.nothing(doc) for doc in docs]
        decoder = self._make_decoder()
        parses = self.target.parse(decoder, encoded)
        if not self.confidence:
            return parses
        confidences = self.target.confidences(decoder, encoded, self.temperature)
        return [
            parse._replace(confidences=of_doc) for parse, of_doc in zip(parses, confidences)
        ]

    def _encode(self, docs: Sequence[Doc]) -> Encoded | None:
        """The vectors of the words of Docs; None where there is no word.

        Raises:
            ValueError: Where the model is not initialised, as spaCy says it.
        """
        self._check_initialized()
        return encode(self.model, docs, self.parameters.segment)

    def _check_initialized(self) -> None:
        """Raise ValueError, as spaCy words it, where the model has no weights yet."""
        if not self.model.get_ref("scoring").has_param("upper_W"):
            raise ValueError(Errors.E109.format(name=self.name))

    def _make_decoder(self) -> Decoder:
        """The system and the weights as they are now, ready to search."""
        scoring = find_scoring(self.model, self.system, self.name)
        scorer = kept_scorer(self.kept_scorers, scoring)
        return Decoder(self.system, scorer, self.beam, self.threads)

    def set_annotations(self, docs: Iterable[Doc], parses: Iterable[Any]) -> None:
        """Write parses to their Docs: heads, labels, sentence starts; or the graph alone.

        Raises:
            ValueError: Where a parse is of another number of tokens.
        """
        for doc, parse in zip(docs, parses, strict=True):
            if parse.n_tokens != len(doc):
                raise ValueError(
                    f"'{self.name}' cannot write a parse of {parse.n_tokens} tokens to a Doc "
                    f"of {len(doc)}: '{doc.text:.60}'"
                )
            self.target.write(doc, parse)

    def k_best(self, doc: Doc, width: int = 8) -> list[list[ScoredTree]]:
        """The best trees of each sentence of a Doc, by beam search. The Doc stays as it is.

        Sentences are those by the boundaries that are set, also by this parser; a Doc without any
        is one.

        Args:
            width: of the beam; at most so many trees are found.
        """
        encoded = self._encode([doc])
        if encoded is None:
            return []
        beam = replace(self.beam or BeamSettings(), width=width)
        decoder = replace(self._make_decoder(), beam=beam)
        sentences = Encoded([doc], [find_layout(doc)], encoded.vectors)
        # A sentence with constraints is searched with a wider beam.
        return [trees[:width] for trees in self.target.k_best(decoder, sentences)]

    def derivations(self, docs: Iterable[Doc]) -> list[list[ScoredDerivation]]:
        """How Docs are parsed: a ScoredDerivation for each sentence of each Doc.

        A Doc that is parsed as one has one. The Docs stay as they are; boundaries that are set,
        also by this parser, count as chosen.

        Raises:
            ConstraintError: As parsing does.
        """
        docs = list(docs)
        encoded = self._encode(docs)
        if encoded is None:
            return [[] for _ in docs]
        return self.target.derive(self._make_decoder(), encoded)

    def derivation_page(self, docs: Iterable[Doc]) -> DerivationPage:
        """How Docs are parsed, step by step, as a page; a notebook shows it as it is."""
        docs = list(docs)
        name, oracle = display_name(self.parameters), constraint_oracle(self.parameters)
        return DerivationPage(
            [
                view_derivation(
                    name, self.system, [doc[i].text for i in derivation.words],
                    derivation.steps, oracle, None,
                )
            ]
            for doc, of_doc in zip(docs, self.derivations(docs)) for derivation in of_doc
        )

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """Scores of the scorer, and of a system that builds graphs those of its graphs."""
        examples = list(examples)
        scores = super().score(examples, **kwargs)
        if self.parameters.graph and "dep_elas" not in scores:
            scores.update(score_graphs(examples))
        return scores

    # Training

    def initialize(
        self,
        get_examples: Callable[[], Iterable[Example]],
        *,
        nlp: Language | None = None,
        labels: dict[str, list[str]] | None = None,
    ) -> None:
        """Find the labels, report on the gold trees and initialise the model.

        Args:
            labels: as `label_data` gives them, to leave out the pass through the examples.

        Raises:
            ValueError: For labels that are none, and where there is nothing to learn from.
        """
        validate_get_examples(get_examples, "ArcEagerParser.initialize")
        if labels is None:
            names = self.target.find_labels(
                get_examples(), self.cfg["labels"], self.non_projective, self.name
            )
        else:
            names = check_label_data(labels, self.name, self.parameters.graph)
        renew_scoring(self.model)
        self.set_labels(names or [SPACE_LABEL])
        sample = list(islice(get_examples(), 10))
        if not sample:
            raise ValueError(f"'{self.name}' cannot be initialised: there are no examples")
        self.model.initialize(X=[example.predicted for example in sample])
        self._sentences.learn(sample)
        self.n_updates = 0

    def set_labels(self, labels: list[str]) -> None:
        """Replace the labels, before the model is initialised or loaded."""
        self.cfg: dict[str, Any] = {"labels": labels}
        self.system = TransitionSystem(self.parameters, labels)
        self.target = make_target(self.system)
        fit_labels(self.model.get_ref("scoring"), self.system)

    def add_label(self, label: str) -> int:
        """Add a label, also to a trained parser; 0 if it is there already, otherwise 1."""
        if label in self.cfg["labels"]:
            return 0
        labels = check_labels([*self.cfg["labels"], label], self.name, self.parameters.graph)
        if self.model.get_ref("scoring").has_param("upper_W"):
            resize(self.model, self.system, TransitionSystem(self.parameters, labels))
        self.set_labels(labels)
        return 1

    def update(
        self,
        examples: Iterable[Example],
        *,
        drop: float = 0.0,
        sgd: Optimizer | None = None,
        losses: dict[str, float] | None = None,
    ) -> dict[str, float]:
        """Learn from a batch: roll it out once, then one backward pass over all states.

        Raises:
            ValueError: Where the model is not initialised, and where the loss or a gradient is no
                finite number. Training on would only make the weights worse.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "ArcEagerParser.update")
        self._check_initialized()
        losses[self.name] += self._learn(examples, drop)
        if sgd:     # spaCy gives False too
            self.finish_update(sgd)
        return losses

    def _learn(self, examples: Sequence[Example], drop: float) -> float:
        """Add up the gradients of a batch; returns its loss. drop: dropout rate."""
        if not any(len(eg.predicted) for eg in examples):
            return 0.0      # thinc's layers cannot learn from no words
        gold = self.target.gold_batch(examples, self.non_projective)
        set_dropout_rate(self.model, drop)
        vectors, backprop = self.model.begin_update([eg.predicted for eg in examples])
        if not gold.rows.size:
            backprop(numpy.zeros_like(vectors))      # other listeners wait for the last one's
            return 0.0
        words = vectors[gold.rows]
        scoring = find_scoring(self.model, self.system, self.name)
        scorer, backprop_scores = scoring.begin_update(words)
        rollout = self.roll_out(scorer, words, gold.trees, drop)
        if self.distillation is not None:
            self.distillation.check_labels(self.name, self.cfg["labels"])
            rollout.d_scores = self.distillation.gradient(examples, gold.rows, rollout)
        check_finite(self.name, words, rollout)
        d_vectors = numpy.zeros_like(vectors)
        d_vectors[gold.rows] = backprop_scores(rollout)
        backprop(d_vectors)
        return rollout.loss

    def roll_out(self, scorer: Scorer, words: NDArray, gold: GoldTrees, drop: float) -> RollOut:
        """What the next update learns from: a batch parsed in training, greedily or with the beam.

        Args:
            words: (n_words, width), the vectors of the words that the gold trees have.
            drop: dropout rate.
        """
        seed = random.getrandbits(63) | 1
        rate = next(self.exploration)
        if self.beam is not None and self.beam.learns_at(self.n_updates):
            return roll_out_beam(
                self.system, scorer, words, gold, self.oracle, self.beam, drop, seed
            )
        return roll_out(
            self.system, scorer, words, gold, self.oracle, rate, drop, seed,
            self.exploration.aggression, self.exploration.margin,
        )

    def finish_update(self, sgd: Optimizer) -> None:
        """Change the weights by the gradients of one batch or several."""
        super().finish_update(sgd)
        self.n_updates += 1

    # Saving and loading

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialise the parser; exclude: "cfg", "vocab" or "model"."""
        return serialize.to_bytes(self._saved_parts(), tuple(exclude))

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the parser to a folder; exclude: "cfg", "vocab" or "model"."""
        serialize.to_disk(self._saved_parts(), path, tuple(exclude))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "ArcEagerParser":
        """Load what `to_bytes` made. Raises TruncatedModelError or ModelMismatchError."""
        self._load(serialize.read_bytes(self._saved_parts(), data, tuple(exclude)))
        return self

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "ArcEagerParser":
        """Load what `to_disk` saved. Raises TruncatedModelError or ModelMismatchError."""
        self._load(serialize.read_disk(self._saved_parts(), path, tuple(exclude)))
        return self

    def _saved_parts(self) -> serialize.SavedParts:
        return serialize.SavedParts(
            self.name, self.parameters, self.cfg["labels"], self.model, self.vocab,
            self.features_of_system,
        )

    def _load(self, loaded: serialize.Loaded) -> None:
        """Take labels, weights and vocabulary that were read and checked.

        Labels and weights change together or, where a layer of another package cannot read its
        own, not at all.

        Raises:
            ModelMismatchError: Where the weights are of another model.
        """
        self.n_updates = 0
        old_labels = self.cfg["labels"]
        if loaded.weights is None:
            self.set_labels(loaded.labels)
        else:
            old_model = serialize.ModelState(self.model)
            try:
                renew_scoring(self.model)
                self.set_labels(loaded.labels)
                self.model.from_dict(loaded.weights)
            except Exception as error:
                old_model.restore()
                self.set_labels(old_labels)
                raise ModelMismatchError(
                    f"'{self.name}' was saved with another model: {error}. Load it with the "
                    "config it was trained with"
                ) from error
        if loaded.read_vocab is not None:
            loaded.read_vocab(self.vocab)


def check_finite(name: str, words: NDArray, rollout: RollOut) -> None:
    """Raise ValueError where nothing can be learnt because some number is not finite.

    Args:
        name: of the component, for the message.
        words: (n_words, width), the vectors of the words.
    """
    for what, values in (
        ("token vectors", words), ("loss", rollout.loss), ("gradient", rollout.d_scores),
    ):
        if not numpy.isfinite(values).all():
            raise ValueError(
                f"'{name}' cannot learn from nan or infinity in its {what}. Lower the learning "
                "rate if weights have become too large, or look for nan in the word vectors and "
                "weights that the training starts from"
            )

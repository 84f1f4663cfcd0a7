"""The pipeline component `arceager_parser`."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from numbers import Integral, Real
from pathlib import Path
from typing import Any

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

from ..annotation.boundaries import taken_as_given
from ..annotation.label_strings import SPACE_LABEL
from ..annotation.layout import find_layout
from ..annotation.projective import undecorated
from ..annotation.word_kinds import training_kinds, word_kinds
from ..corpus.errors import InputError
from ..corpus.heads import has_heads
from ..decoding.decoder import Decoder, ScoredDerivation
from ..decoding.encoding import Encoded, encode
from ..errors import ModelMismatchError
from ..evaluation.graph_scorer import score_graphs
from ..evaluation.scorer import make_parser_scorer
from ..kernels.freed_memory import keep_freed_memory
from ..kernels.model_cache import ModelCache
from ..machine.rules import TreeRules, WordRules
from ..machine.system import TransitionSystem
from ..network.scorer import Scorer
from ..network.scoring import cached_scorer, find_scoring, fit_labels, renew_scoring, resize
from ..network.transition_model import fit_features
from ..oracles.configured import default_oracle
from ..oracles.gold import GoldTrees
from ..oracles.oracle import Oracle
from ..oracles.python_oracle import as_oracle
from ..search.beam_update import roll_out_beam
from ..search.rollout import RollOut, roll_out
from ..search.settings import BeamSettings
from ..systems.ud_rules import RULES
from ..visual.page import DerivationPage
from . import serialize
from .derived import describe
from .exploration import Exploration
from .graph_target import GraphTarget
from .missing import SentenceWarning, VectorsWarning, warn_without_graph_scores
from .scored_tree import ScoredTree
from .settings import MAX_THREADS, Settings, check_architecture, check_label_data, check_labels
from .tree_target import TreeTarget

DEFAULT_SCORER = make_parser_scorer()


class ArcEagerParser(TrainablePipe):
    """A transition-based dependency parser that finds one tree for each sentence.

    If its system builds graphs, it learns and sets `doc._.arceager_graph` instead (see
    `annotation.graphs`), and does not change heads and labels.

    To follow a Doc to the compiled search, begin at `predict`. There, `encode` finds the sentences
    and the vectors of their words, a `Decoder` runs the search (`search.greedy.parse` or
    `search.beam.search`), and `target` turns the result into a parse, which is trees or a graph. To
    follow an Example, begin at `update`. There, `target.gold_batch` turns the gold trees into
    arrays, the model computes the vectors, and `roll_out` (`search.rollout.roll_out`) parses the
    batch, while the oracle judges each transition.

    Args:
        model: an "arceager.TransitionModel.v1".
        scorer: the function that `score` calls.
        settings: the fields of `Settings` by their names; `system` is required.

    Raises:
        ValueError: If a setting is invalid, settings contradict each other, or the model is
            another one.
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
        chosen.check()
        check_architecture(
            model, "scoring", name,
            "arceager.TransitionModel.v1 (`arceager convert-config` writes one for spaCy's parser)",
        )
        self.vocab = vocab
        self.model = model
        self.name = name
        self.scorer = scorer
        self.parameters = chosen.system
        self.oracle = default_oracle(chosen.system) if chosen.oracle is None else chosen.oracle
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
        self._valid: str | None = None
        self.n_updates = 0
        self._has_seen_heads = False      # set anew with n_updates
        self._has_gradient = False
        self.distillation: Any = None     # a `distillation.Distillation`, if there are teachers
        self.scorer_cache: ModelCache[Scorer] = ModelCache()
        self._sentences = SentenceWarning(name, chosen.system.segment)
        self._vectors = VectorsWarning(name)
        self.set_labels([])
        self.valid = chosen.valid

    @property
    def threads(self) -> int:
        """How many threads decode a batch, from 1 to MAX_THREADS. Other values raise ValueError."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        if not isinstance(threads, Integral) or not 1 <= threads <= MAX_THREADS:
            raise ValueError(
                f"threads={threads!r} of '{self.name}'; use a whole number from 1 to {MAX_THREADS}"
            )
        self._threads: int = int(threads)

    @property
    def oracle(self) -> Oracle:
        """The oracle, which can be set to any object with `costs`; see `as_oracle` and `check`."""
        return self._oracle

    @oracle.setter
    def oracle(self, oracle: Any) -> None:
        self._oracle: Oracle = as_oracle(oracle)
        self._oracle.check(self.parameters)

    @property
    def confidence(self) -> bool:
        """Whether confidences are found. ValueError if it is no bool, or for graphs True."""
        return self._confidence

    @confidence.setter
    def confidence(self, confidence: bool) -> None:
        if not isinstance(confidence, bool):
            raise ValueError(f"confidence={confidence!r} of '{self.name}'; use True or False")
        if confidence and self.parameters.graph:
            raise ValueError(
                f"confidence=True of '{self.name}', which builds graphs: these have no confidences"
            )
        self._confidence = confidence

    @property
    def temperature(self) -> float:
        """The divisor of scores for confidences, 1e-6 to 1e6. Other values raise ValueError."""
        return self._temperature

    @temperature.setter
    def temperature(self, temperature: float) -> None:
        # Scores are single floats, which do not survive other divisors. NaN is refused as well.
        if not isinstance(temperature, Real) or not 1e-6 <= temperature <= 1e6:
            raise ValueError(
                f"temperature={temperature!r} of '{self.name}'; use a number from 1e-6 to 1e6"
            )
        self._temperature: float = float(temperature)

    @property
    def valid(self) -> str | None:
        """The rules that trees keep: "ud", or None. Other values raise ValueError."""
        return self._valid

    @valid.setter
    def valid(self, valid: str | None) -> None:
        if valid is not None and valid not in RULES:
            raise ValueError(
                f"valid={valid!r} of '{self.name}' is unknown; use {', '.join(map(repr, RULES))} "
                "or None"
            )
        if valid is not None and self.parameters.graph:
            raise ValueError(
                f"valid={valid!r} and graph=true of system '{self.parameters.name}' contradict "
                "each other: the rules are about trees"
            )
        self._valid = valid
        self._set_rules()

    @property
    def labels(self) -> tuple[str, ...]:
        """The dependency labels that parsed Docs can have."""
        return self.target.labels

    @property
    def label_data(self) -> dict[str, list[str]]:
        """The labels that `spacy init labels` saves and `initialize` takes.

        Besides `labels`, it has the marked labels of arcs that projectivisation lifts.
        """
        return {"labels": list(self.cfg["labels"])}

    # Parsing

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 128) -> Iterator[Doc]:
        """Parse a stream of Docs, batch by batch.

        If a batch fails, each of its Docs is parsed alone. A Doc that still fails goes to the error
        handler of the component, and is not yielded.
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
        """Parse a Doc and yield it, or yield nothing if that fails."""
        try:
            self.set_annotations([doc], self.predict([doc]))
        except Exception as error:  # noqa: BLE001 (the error handler gets it)
            self.get_error_handler()(self.name, self, [doc], error)
        else:
            yield doc

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """Parse Docs without changing them.

        Returns:
            A TreeParse or a GraphParse for each Doc.

        Raises:
            ConstraintError: If no tree meets the constraints of a Doc.
        """
        docs = list(docs)
        self._sentences.check(docs)
        encoded = self._encode(docs)
        if encoded is None:
            return [self.target.nothing(doc) for doc in docs]
        decoder = self._make_decoder()
        parses: list[Any] = [*self.target.parse(decoder, encoded)]
        if not self.confidence:
            return parses
        confidences = decoder.confidences(encoded, self.temperature)
        return [
            parse._replace(confidences=of_doc) for parse, of_doc in zip(parses, confidences)
        ]

    def _encode(self, docs: Sequence[Doc]) -> Encoded | None:
        """The vectors of the words of Docs; None where there is no word.

        Raises:
            ValueError: Where the model is not initialised, as spaCy says it.
        """
        self._check_initialized()
        self._vectors.check(self.model, docs)
        encoded = encode(self.model, docs, self.parameters.segment)
        if encoded is None or self._rules is None:
            return encoded
        kinds = word_kinds(encoded.docs, encoded.layouts)
        return replace(encoded, rules=WordRules(self._rules, kinds))

    def _check_initialized(self) -> None:
        """Raise ValueError, as spaCy words it, where the model has no weights yet."""
        if not self.model.get_ref("scoring").has_param("upper_W"):
            raise ValueError(Errors.E109.format(name=self.name))

    def _make_decoder(self) -> Decoder:
        """A decoder with the system and the current weights."""
        scoring = find_scoring(self.model, self.system, self.name)
        scorer = cached_scorer(self.scorer_cache, scoring)
        return Decoder(self.system, scorer, self.beam, self.threads)

    def set_annotations(self, docs: Iterable[Doc], parses: Iterable[Any]) -> None:
        """Write heads, labels and sentence starts, or graphs, to Docs.

        Raises:
            ValueError: If a parse has another number of tokens than its Doc.
        """
        for doc, parse in zip(docs, parses, strict=True):
            if parse.n_tokens != len(doc):
                raise ValueError(
                    f"'{self.name}' cannot write a parse of {parse.n_tokens} tokens to a Doc "
                    f"of {len(doc)}: '{doc.text:.60}'"
                )
            self.target.write(doc, parse)

    def k_best(self, doc: Doc, width: int = 8) -> list[list[ScoredTree]]:
        """Find the best trees of each sentence by beam search, without changing the Doc.

        The sentences are those of the boundaries that are set, even if this parser has set them. A
        Doc without boundaries is one sentence.

        Args:
            width: the width of the beam, and the largest number of trees for a sentence. There are
                fewer if the beam ends with fewer, or some of its parses are the same tree.
        """
        with taken_as_given(doc):
            encoded = self._encode([doc])
            if encoded is None:
                return []
            beam = replace(self.beam or BeamSettings(), width=width)
            decoder = replace(self._make_decoder(), beam=beam)
            sentences = replace(encoded, layouts=[find_layout(doc)], is_split=True)
            # A sentence with constraints is searched with a wider beam, which may give more trees.
            return [trees[:width] for trees in self.target.k_best(decoder, sentences)]

    def derivations(self, docs: Iterable[Doc]) -> list[list[ScoredDerivation]]:
        """Find the derivation of each sentence, without changing the Docs.

        Sentence boundaries that were given are kept; others are found again.

        Returns:
            For each Doc a ScoredDerivation for each of its sentences, or a single one if the whole
            Doc is parsed at once.

        Raises:
            ConstraintError: If no tree meets the constraints of a Doc.
        """
        docs = list(docs)
        encoded = self._encode(docs)
        if encoded is None:
            return [[] for _ in docs]
        return self.target.derive(self._make_decoder(), encoded)

    def derivation_page(self, docs: Iterable[Doc]) -> DerivationPage:
        """A page that shows step by step how Docs are parsed. Notebooks display it."""
        docs = list(docs)
        return DerivationPage(
            [derived.view()]
            for doc, derivations in zip(docs, self.derivations(docs))
            for derived in describe(self.system, doc, derivations)
            if derived.words     # white space alone has none
        )

    def score(self, examples: Iterable[Example], **kwargs: Any) -> dict[str, Any]:
        """The scores of the scorer and, if the system builds graphs, the scores of the graphs.

        Raises:
            InputError: If no word of the examples has a head and the parser has learnt heads since
                it was initialised or loaded. Without heads it has no score, and a training could
                not tell which weights are the best. White space is no word.
        """
        examples = list(examples)
        golds = [example.reference for example in examples]
        has_words = any(not token.is_space for doc in golds for token in doc)
        has_learnt = self.n_updates > 0 and self._has_seen_heads
        if has_learnt and has_words and not any(map(has_heads, golds)):
            raise InputError(
                f"'{self.name}' has been trained and cannot be scored, because no word of the dev "
                "corpus has a head. Give a dev corpus with heads, freeze the component if it is "
                "not to learn, or leave it out with nlp.select_pipes."
            )
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
            labels: the labels in the form of `label_data`. If they are given, the examples are not
                searched for labels. Those of `add_label` are kept.

        Raises:
            ValueError: If a label is invalid, or there is nothing to learn from.
        """
        validate_get_examples(get_examples, "ArcEagerParser.initialize")
        if self.parameters.graph and nlp is not None:
            warn_without_graph_scores(self.name, nlp)
        if labels is None:
            names = self.target.find_labels(
                get_examples(), self.cfg["labels"], self.non_projective, self.name
            )
        else:
            names = check_label_data(labels, self.name, self.parameters.graph)
            names += [label for label in self.cfg["labels"] if label not in names]
        renew_scoring(self.model)
        self.set_labels(names or [SPACE_LABEL])
        sample = list(islice(get_examples(), 10))
        if not sample:
            raise ValueError(f"'{self.name}' cannot be initialised: there are no examples")
        self.model.initialize(X=[example.predicted for example in sample])
        self._sentences.learn(sample)
        self.n_updates = 0
        self._has_seen_heads = False
        self.distillation = None

    def set_labels(self, labels: list[str]) -> None:
        """Replace the labels. This comes before the model is initialised or loaded."""
        self.cfg: dict[str, Any] = {"labels": labels}
        self.system = TransitionSystem(self.parameters, labels)
        self.target: TreeTarget | GraphTarget = (
            GraphTarget(self.system) if self.parameters.graph else TreeTarget(self.system)
        )
        self.target.add_strings(self.vocab)
        self._set_rules()
        fit_labels(self.model.get_ref("scoring"), self.system)

    def _set_rules(self) -> None:
        """Compile the rules of `valid` for the labels."""
        self._rules: TreeRules | None = None
        if self.valid is not None:
            names = [*map(undecorated, self.system.labels)]
            self._rules = TreeRules(self.parameters, names)

    def add_label(self, label: str) -> int:
        """Add a label, even to a trained parser. Returns 0 if it exists already, otherwise 1."""
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
        """Learn from a batch: parse it once, then go back through all configurations at once.

        Raises:
            ValueError: If the model is not initialised, or if the loss or a gradient is not a
                finite number. More training would only make the weights worse.
        """
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "ArcEagerParser.update")
        self._check_initialized()
        if not self.n_updates:
            keep_freed_memory()
        losses[self.name] += self._learn(examples, drop)
        if sgd:     # spaCy gives False too
            self.finish_update(sgd)
        return losses

    def _learn(self, examples: Sequence[Example], drop: float) -> float:
        """Add the gradients of a batch to the model, and return the loss. drop: dropout rate."""
        if not any(len(eg.predicted) for eg in examples):
            return 0.0      # thinc's layers cannot learn from a batch without words
        gold = self.target.gold_batch(
            examples, self.non_projective, every_unit=self.distillation is not None)
        set_dropout_rate(self.model, drop)
        vectors, backprop = self.model.begin_update([eg.predicted for eg in examples])
        if not gold.rows.size:
            backprop(numpy.zeros_like(vectors))      # spaCy's tok2vec waits for all listeners
            return 0.0
        self._has_seen_heads = (
            self._has_seen_heads or self.distillation is not None
            or any(has_heads(example.reference) for example in examples)
        )
        self._has_gradient = True
        words = vectors[gold.rows]
        scoring = find_scoring(self.model, self.system, self.name)
        scorer, backprop_scores = scoring.begin_update(words)
        rules = None
        if self._rules is not None:
            rules = WordRules(self._rules, training_kinds(examples)[gold.rows])
        rollout = self.roll_out(scorer, words, gold.trees, drop, rules)
        if self.distillation is not None:
            self.distillation.check_labels(self.name, self.cfg["labels"])
            rollout.d_scores = self.distillation.gradient(examples, gold.rows, rollout)
        check_finite(self.name, words, rollout)
        d_vectors = numpy.zeros_like(vectors)
        d_vectors[gold.rows] = backprop_scores(rollout)
        backprop(d_vectors)
        return rollout.loss

    def roll_out(
        self, scorer: Scorer, words: NDArray, gold: GoldTrees, drop: float,
        rules: WordRules | None = None,
    ) -> RollOut:
        """Parse a batch as training does, greedily or with the beam, with costs and gradients.

        Args:
            words: (n_words, width), the vectors of the words in the gold trees.
            rules: what dependents the words may have; None for any.
        """
        seed = random.getrandbits(63) | 1
        rate = self.exploration.rate_at(self.n_updates)
        if self.beam is not None and self.beam.learns_at(self.n_updates):
            return roll_out_beam(
                self.system, scorer, words, gold, self.oracle, self.beam, drop, seed, rules
            )
        return roll_out(
            self.system, scorer, words, gold, self.oracle, rate, drop, seed,
            self.exploration.aggression, self.exploration.margin, rules,
        )

    def finish_update(self, sgd: Optimizer) -> None:
        """Change the weights by the gradients that were added up since the last call.

        Without any, an optimizer would still shrink the weights, and follow its momentum.
        """
        if self._has_gradient:
            super().finish_update(sgd)
            self.n_updates += 1
            self._has_gradient = False

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
        """Take over labels, weights and vocabulary that were read and checked.

        If a layer of another package cannot read its weights, labels and weights stay as they were.

        Raises:
            ModelMismatchError: If the weights are those of another model.
        """
        self.n_updates = 0
        self._has_seen_heads = False
        old_labels = self.cfg["labels"]
        if loaded.weights is None:
            self.set_labels(loaded.labels)
        else:
            restore_model = serialize.remember_model(self.model)
            try:
                renew_scoring(self.model)
                self.set_labels(loaded.labels)
                self.model.from_dict(loaded.weights)
            except Exception as error:
                restore_model()
                self.set_labels(old_labels)
                raise ModelMismatchError(
                    f"'{self.name}' was saved with another model: {error}. Load it with the "
                    "config it was trained with"
                ) from error
        if loaded.read_vocab is not None:
            loaded.read_vocab(self.vocab)
            self.target.add_strings(self.vocab)


def check_finite(name: str, words: NDArray, rollout: RollOut) -> None:
    """Raise ValueError where nothing can be learnt because some number is not finite.

    Args:
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


def find_parser(nlp: Language) -> tuple[ArcEagerParser, list[str]]:
    """The first arceager_parser of a pipeline, and the names of all components from it on.

    Raises:
        ValueError: If the pipeline has no arceager_parser.
    """
    parsers = [(name, pipe) for name, pipe in nlp.pipeline if isinstance(pipe, ArcEagerParser)]
    if not parsers:
        raise ValueError("The pipeline has no arceager_parser")
    name, parser = parsers[0]
    return parser, nlp.pipe_names[nlp.pipe_names.index(name):]

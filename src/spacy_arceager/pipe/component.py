"""The pipeline component `arceager_parser`."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy import float32
from numpy.typing import NDArray
from spacy import util
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..annotation.decoder import Encoded, ScoredDerivation
from ..annotation.layout import find_layout, find_units, word_rows
from ..errors import ModelMismatchError
from ..evaluation.graphs import score_graphs
from ..evaluation.scorer import make_parser_scorer
from ..machine.system import TransitionSystem
from ..network.kept import Kept
from ..network.scorer import Scorer
from ..network.scoring import kept_scorer, renew_scoring, resize
from ..network.transition_model import fit_features
from ..oracles.configured import default_oracle
from ..oracles.oracle import Oracle
from ..oracles.python_oracle import as_oracle
from ..oracles.rows import HasCosts
from ..search.settings import BeamSettings
from ..systems.catalogue import display_name
from ..systems.parameters import SystemParameters
from ..training.gold_trees import POLICIES
from . import serialize
from .exploration import Exploration
from .labels import check_labels
from .learning import learn
from .scored_tree import SPACE_LABEL, ScoredTree
from .sentence_warning import SentenceWarning
from .target import make_target

if TYPE_CHECKING:
    from ..visual.page import DerivationPage

DEFAULT_SCORER = make_parser_scorer()
MAX_THREADS = 1024


class ArcEagerParser(TrainablePipe):
    """A transition-based dependency parser that returns one tree a sentence.

    With a system that builds graphs it learns and sets `doc._.arceager_graph` instead, see
    `corpus.graphs`, and leaves heads and labels to others.

    Args:
        vocab: as for every trainable pipe; the model is an "arceager.TransitionModel.v1".
        model: as for every trainable pipe; the model is an "arceager.TransitionModel.v1".
        name: as for every trainable pipe; the model is an "arceager.TransitionModel.v1".
        system: the control parameters of the transition system.
        oracle: what says in training how good a transition is: an Oracle, or any object with a
            method costs(configuration, heads), see `PythonOracle`; None for `default_oracle`.
        exploration: how likely a costly best transition is followed in training: a number, or a
            thinc schedule with a value for each update.
        non_projective: what to do with gold trees that a projective system cannot derive:
            "projectivize", "skip" or "approximate".
        beam: beam search; None is greedy.
        threads: that decode a batch, without the GIL; parses are the same. It may change at any
            time.
        confidence: whether Docs are told how likely each head and label is right, see
            `corpus.confidence`; parsing takes longer. It may change at any time.
        temperature: above 0; the higher, the less sure (`arceager calibrate` finds it).
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], NDArray[float32]],
        name: str = "arceager_parser",
        *,
        system: SystemParameters,
        oracle: Oracle | HasCosts | None = None,
        exploration: Any = 1.0,
        non_projective: str = "projectivize",
        beam: BeamSettings | None = None,
        threads: int = 1,
        confidence: bool = False,
        temperature: float = 1.0,
        scorer: Callable | None = DEFAULT_SCORER,
    ):
        if non_projective not in POLICIES:
            raise ValueError(
                f"non_projective='{non_projective}' is unknown; use one of "
                f"{', '.join(POLICIES)}"
            )
        if beam is not None and system.graph:
            raise ValueError(
                f"beam and graph=true of system '{system.name}' contradict each other: graphs are "
                "parsed greedily; use beam=null"
            )
        if confidence and system.graph:
            raise ValueError(
                f"confidence=true and graph=true of system '{system.name}' contradict each other"
            )
        if not temperature > 0:
            raise ValueError(f"temperature={temperature} of '{name}'; use a number above 0")
        oracle = default_oracle(system) if oracle is None else as_oracle(oracle)
        oracle.check(system)
        self.features_of_system = fit_features(model, system)
        self.vocab = vocab
        self.model = model
        self.name = name
        self.parameters = system
        self.oracle = oracle
        self.exploration = Exploration(exploration)
        self.non_projective = non_projective
        self.beam = beam
        self.threads = threads
        self.confidence = confidence
        self.temperature = temperature
        self.scorer = scorer
        self._scorers: Kept[Scorer] = Kept()
        self._sentences = SentenceWarning(name, system.segment)
        self.set_labels([])

    @property
    def threads(self) -> int:
        """Threads that decode a batch, 1 to MAX_THREADS; ValueError where it is set to others."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        if not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
            raise ValueError(
                f"threads={threads!r} of '{self.name}'; use a whole number from 1 to {MAX_THREADS}"
            )
        self._threads = threads

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
        """Parse a stream of Docs. A Doc that fails goes to the error handler alone."""
        for docs in util.minibatch(stream, size=batch_size):
            try:
                self.set_annotations(docs, self.predict(docs))
            except Exception:  # noqa: BLE001 (each Doc is tried again alone)
                for doc in docs:
                    yield from self._parse_alone(doc)
            else:
                yield from docs

    def _parse_alone(self, doc: Doc) -> Iterator[Doc]:
        try:
            self.set_annotations([doc], self.predict([doc]))
        except Exception as error:  # noqa: BLE001 (the error handler gets it)
            self.get_error_handler()(self.name, self, [doc], error)
        else:
            yield doc

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """Parse Docs without changing them: one TreeParse or GraphParse a Doc."""
        docs = list(docs)
        self._sentences.check(docs)
        encoded = self._encode(docs)
        if encoded is None:
            return [self.target.nothing(doc) for doc in docs]
        parses = self.target.parse(encoded)
        if not self.confidence:
            return parses
        confidences = self.target.confidences(encoded, self.temperature)
        return [parse._replace(confidences=own) for parse, own in zip(parses, confidences)]

    def _encode(self, docs: list[Doc]) -> Encoded | None:
        """Docs with the vectors of their words; None where there are no words."""
        layouts = [find_units(doc, self.parameters.segment) for doc in docs]
        rows = word_rows(docs, [layout.words for layout in layouts])
        if not rows.size:
            return None
        vectors = self.model.predict(docs)[rows]
        return Encoded(docs, layouts, self._scorer(), vectors, self.beam, self.threads)

    def find_scoring(self) -> Model:
        """The layer that scores, for the labels of the parser.

        Raises:
            ModelMismatchError: Where it was made for others.
        """
        scoring = self.model.get_ref("scoring")
        counts = scoring.attrs["n_labels"], scoring.attrs["n_classes"]
        if counts != (self.system.n_labels, self.system.n_classes):
            raise ModelMismatchError(
                f"The model of '{self.name}' was made for {counts[0]} labels ({counts[1]} "
                f"classes), but there are {self.system.n_labels} ({self.system.n_classes}); "
                "load labels and model together"
            )
        return scoring

    def _scorer(self) -> Scorer:
        return kept_scorer(self._scorers, self.find_scoring())

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
        return self.target.k_best(encoded._replace(layouts=[find_layout(doc)], beam=beam))

    def derivations(self, docs: Iterable[Doc]) -> list[list[ScoredDerivation]]:
        """How Docs are parsed: a ScoredDerivation for each sentence of each Doc.

        A Doc that is parsed as one has one. The Docs stay as they are; boundaries that are set,
        also by this parser, count as given.

        Raises:
            ConstraintError: As parsing does.
        """
        docs = list(docs)
        encoded = self._encode(docs)
        return [[] for _ in docs] if encoded is None else self.target.derive(encoded)

    def derivation_page(self, docs: Iterable[Doc]) -> "DerivationPage":
        """How Docs are parsed, step by step, as a page; a notebook shows it as it is."""
        # Who only parses does not wait for what draws.
        from ..visual.page import DerivationPage
        from ..visual.view import view_derivation

        docs = list(docs)
        return DerivationPage(
            [
                view_derivation(
                    display_name(self.parameters), self.system,
                    [doc[i].text for i in one.words], one.steps,
                )
            ]
            for doc, found in zip(docs, self.derivations(docs)) for one in found
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
            found = self.target.find_labels(
                get_examples(), self.cfg["labels"], self.non_projective, self.name
            )
        elif isinstance(labels, dict) and "labels" in labels:
            found = check_labels(labels["labels"], self.name, self.parameters.graph)
        else:
            raise ValueError(f"The label data of '{self.name}' is no dict with 'labels'")
        renew_scoring(self.model)
        self.set_labels(found or [SPACE_LABEL])
        sample = list(islice(get_examples(), 10))
        if not sample:
            raise ValueError(f"'{self.name}' cannot be initialised: there are no examples")
        self.model.initialize(X=[example.predicted for example in sample])
        self._sentences.learn(sample)

    def set_labels(self, labels: list[str]) -> None:
        """Replace the labels, before the model is initialised or loaded."""
        self.cfg: dict[str, Any] = {"labels": labels}
        self.system = TransitionSystem(self.parameters, labels)
        self.target = make_target(self.system)
        scoring = self.model.get_ref("scoring")
        scoring.attrs["n_labels"] = len(labels)
        scoring.attrs["n_classes"] = self.system.n_classes

    def add_label(self, label: str) -> int:
        """Add a label, also to a trained parser; 0 if it is there already, otherwise 1."""
        if label in self.cfg["labels"]:
            return 0
        labels = check_labels([*self.cfg["labels"], label], self.name, self.parameters.graph)
        if self.model.get_ref("scoring").has_param("upper_W"):
            old, new = self.system, TransitionSystem(self.parameters, labels)
            new_class = [new.find_class(*old.describe_class(i)) for i in range(old.n_classes)]
            resize(self.model, len(labels), new_class, new.n_classes)
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
        """Learn from a batch: roll it out once, then one backward pass over all states."""
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "ArcEagerParser.update")
        loss = learn(self, examples, drop)
        if sgd:     # spaCy gives False too
            self.finish_update(sgd)
        losses[self.name] += loss
        return losses

    # Saving and loading

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialise the parser; exclude: "cfg", "vocab" or "model"."""
        return serialize.to_bytes(self, tuple(exclude))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "ArcEagerParser":
        """Load what `to_bytes` made. Raises TruncatedModelError or ModelMismatchError."""
        serialize.from_bytes(self, data, tuple(exclude))
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the parser to a folder; exclude: "cfg", "vocab" or "model"."""
        serialize.to_disk(self, path, tuple(exclude))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "ArcEagerParser":
        """Load what `to_disk` saved. Raises TruncatedModelError or ModelMismatchError."""
        serialize.from_disk(self, path, tuple(exclude))
        return self

"""The pipeline component `arceager_parser`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy import float32
from numpy.typing import NDArray
from spacy.language import Language
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Model, Optimizer

from ..decoding.decoder import ScoredDerivation
from ..evaluation.graphs import score_graphs
from ..evaluation.scorer import make_parser_scorer
from ..machine.system import TransitionSystem
from ..kernels.kept import Kept
from ..network.scorer import Scorer
from ..network.scoring import fit_labels, renew_scoring, resize
from ..network.transition_model import fit_features
from ..oracles.configured import default_oracle
from ..oracles.oracle import Oracle
from ..oracles.python_oracle import as_oracle
from ..oracles.rows import HasCosts
from ..search.settings import BeamSettings
from ..systems.parameters import SystemParameters
from . import parsing, serialize
from .exploration import Exploration
from .labels import check_label_data, check_labels
from .learning import learn
from .scored_tree import SPACE_LABEL, ScoredTree
from .sentence_warning import SentenceWarning
from .settings import check_settings, check_temperature, check_threads
from .stream import annotate_stream
from .target import make_target

if TYPE_CHECKING:
    from ..visual.page import DerivationPage
    from .distillation import Distillation

DEFAULT_SCORER = make_parser_scorer()


class ArcEagerParser(TrainablePipe):
    """A transition-based dependency parser that returns one tree a sentence.

    With a system that builds graphs it learns and sets `doc._.arceager_graph` instead, see
    `annotation.graphs`, and leaves heads and labels to others.

    Args:
        vocab: that of the pipeline.
        model: an "arceager.TransitionModel.v1".
        name: of the component.
        system: the control parameters of the transition system.
        oracle: what says in training how good a transition is: an Oracle, or any object with a
            method costs(configuration, heads), see `PythonOracle`; None for `default_oracle`.
        exploration: how likely a costly best transition is followed in training: a number, a
            thinc schedule with a value for each update, or an Exploration.
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
        check_settings(name, system, non_projective, beam, confidence)
        oracle = default_oracle(system) if oracle is None else as_oracle(oracle)
        oracle.check(system)
        self.features_of_system = fit_features(model, system)
        self.vocab = vocab
        self.model = model
        self.name = name
        self.parameters = system
        self.oracle = oracle
        self.exploration = (
            exploration if isinstance(exploration, Exploration) else Exploration(exploration)
        )
        self.non_projective = non_projective
        self.beam = beam
        self.threads = threads
        self.confidence = confidence
        self.temperature = temperature
        self.scorer = scorer
        self.n_updates = 0
        self.distillation: Distillation | None = None
        self.kept_scorers: Kept[Scorer] = Kept()
        self._sentences = SentenceWarning(name, system.segment)
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
        """Parse a stream of Docs. A Doc that fails goes to the error handler alone."""
        return annotate_stream(self, stream, batch_size)

    def predict(self, docs: Iterable[Doc]) -> list[Any]:
        """Parse Docs without changing them: one TreeParse or GraphParse a Doc."""
        docs = list(docs)
        self._sentences.check(docs)
        return parsing.predict(self, docs)

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
        return parsing.k_best(self, doc, width)

    def derivations(self, docs: Iterable[Doc]) -> list[list[ScoredDerivation]]:
        """How Docs are parsed: a ScoredDerivation for each sentence of each Doc.

        A Doc that is parsed as one has one. The Docs stay as they are; boundaries that are set,
        also by this parser, count as given.

        Raises:
            ConstraintError: As parsing does.
        """
        return parsing.derivations(self, list(docs))

    def derivation_page(self, docs: Iterable[Doc]) -> "DerivationPage":
        """How Docs are parsed, step by step, as a page; a notebook shows it as it is."""
        # Who only parses does not wait for what draws.
        from ..visual.page import DerivationPage
        from .derived import derive_doc

        return DerivationPage([one.view()] for doc in docs for one in derive_doc(self, doc))

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
        else:
            found = check_label_data(labels, self.name, self.parameters.graph)
        renew_scoring(self.model)
        self.set_labels(found or [SPACE_LABEL])
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
        """Learn from a batch: roll it out once, then one backward pass over all states."""
        losses = {} if losses is None else losses
        losses.setdefault(self.name, 0.0)
        examples = list(examples)
        validate_examples(examples, "ArcEagerParser.update")
        losses[self.name] += learn(self, examples, drop)
        if sgd:     # spaCy gives False too
            self.finish_update(sgd)
        return losses

    def finish_update(self, sgd: Optimizer) -> None:
        """Change the weights by the gradients of one batch or several."""
        super().finish_update(sgd)
        self.n_updates += 1

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

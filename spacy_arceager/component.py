"""The pipeline component `arceager_parser`."""

import random
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, fields, replace
from itertools import islice, repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import srsly
from numpy.typing import NDArray
from spacy import util
from spacy.language import Language
from spacy.pipeline._parser_internals import nonproj
from spacy.pipeline.trainable_pipe import TrainablePipe
from spacy.tokens import Doc
from spacy.training import Example, validate_examples, validate_get_examples
from spacy.vocab import Vocab
from thinc.api import Config, Model, Optimizer, set_dropout_rate

from .corpus.graphs import Graph
from .decoding.beam_update import roll_out_beam
from .decoding.greedy import parse_graphs
from .decoding.rollout import RollOut, roll_out
from .decoding.scorer import Scorer
from .decoding.settings import BeamSettings
from .doc_annotation import close_sentences, has_boundaries, write_tree
from .doc_decoder import DocDecoder, lengths_of
from .errors import ModelMismatchError, TruncatedModelError
from .evaluation.graphs import score_graphs
from .evaluation.scorer import make_parser_scorer
from .gold_graphs import GoldGraph, count_labels, gold_graphs, graph_arrays
from .gold_trees import (
    POLICIES,
    GoldSentence,
    apply_policy,
    can_derive,
    gold_sentences,
    join,
    label_index,
    without_tree,
)
from .graph_annotation import graphs_of_docs, write_graph
from .layout import Layout, find_layout, split
from .machine.system import TransitionSystem
from .model.transition_model import ScorerCache, backprop_scores, resize
from .oracles.gold import GoldTrees
from .oracles.oracle import Oracle
from .oracles.registry import default_oracle
from .systems.parameters import SystemParameters
from .trees import is_tree

ROOT_LABEL = "ROOT"
SPACE_LABEL = "dep"
FORMAT = 1      # of saved parsers
DEFAULT_SCORER = make_parser_scorer()

DEFAULT_CONFIG = """
[system]
@misc = "arceager.arc_eager.v1"
tree_constraint = true

[exploration]
@schedules = "constant.v1"
rate = 1.0

[scorer]
@scorers = "arceager.parser_scorer.v1"

[model]
@architectures = "arceager.TransitionModel.v1"
hidden_width = 64
maxout_pieces = 2

[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
"""


@Language.factory(
    "arceager_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={
        "oracle": None,
        "non_projective": "projectivize",
        "beam": None,
        **Config().from_str(DEFAULT_CONFIG),
    },
    default_score_weights={
        "dep_uas": 0.5,
        "dep_las": 0.5,
        "dep_las_per_type": None,
        "dep_uas_ud": 0.0,
        "dep_las_ud": 0.0,
        "dep_las_full": 0.0,
        "dep_exact": 0.0,
        "dep_multiple_roots": None,
        "dep_nonproj_recall": None,
        "dep_elas": None,
        "dep_eulas": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
)
def make_arceager_parser(
    nlp: Language,
    name: str,
    model: Model[list[Doc], NDArray[numpy.float32]],
    system: SystemParameters,
    oracle: Oracle | None,
    exploration: Any,
    non_projective: str,
    beam: BeamSettings | None,
    scorer: Callable | None,
) -> "ArcEagerParser":
    """Create the component; see ArcEagerParser for the arguments."""
    return ArcEagerParser(
        nlp.vocab,
        model,
        name,
        system=system,
        oracle=oracle,
        exploration=exploration,
        non_projective=non_projective,
        beam=beam,
        scorer=scorer,
    )


class Parse(NamedTuple):
    """What `predict` returns for one Doc; see `Layout` and `write_tree`."""

    layout: Layout
    heads: NDArray
    labels: NDArray
    lifted: bool    # some label says that its arc was lifted by projectivisation
    graph: Graph | None = None    # of a system that builds graphs, without heads and labels


class ScoredTree(NamedTuple):
    """A tree of a sentence (or of a Doc parsed as one) and its score.

    words: token indices. heads: token indices, a root is its own head. labels: as the parser
    has them, lifted arcs still marked.
    """

    score: float
    words: list[int]
    heads: list[int]
    labels: list[str]


class Exploration:
    """A rate for each update, from a number or a thinc schedule.

    A schedule cannot be copied or pickled; a copy keeps the rate of the last update.
    """

    def __init__(self, rates: float | Iterator[float]):
        self._rates = rates if isinstance(rates, Iterator) else repeat(float(rates))
        self._last = 1.0 if isinstance(rates, Iterator) else float(rates)

    def __reduce__(self) -> tuple:
        return Exploration, (self._last,)

    def __next__(self) -> float:
        self._last = float(next(self._rates))
        return self._last


class ArcEagerParser(TrainablePipe):
    """A transition-based dependency parser that returns one tree a sentence.

    With a system that builds graphs it learns and sets `doc._.arceager_graph` instead, see
    `corpus.graphs`, and leaves heads and labels to others.

    vocab, model, name: as for every trainable pipe; the model is an
        "arceager.TransitionModel.v1".
    system: the control parameters of the transition system.
    oracle: what says in training how good a transition is; None for `default_oracle`.
    exploration: how likely a costly best transition is followed in training: a number, or
        a thinc schedule with a value for each update.
    non_projective: what to do with gold trees that a projective system cannot derive:
        "projectivize", "skip" or "approximate".
    beam: beam search; None is greedy.
    """

    def __init__(
        self,
        vocab: Vocab,
        model: Model[list[Doc], NDArray[numpy.float32]],
        name: str = "arceager_parser",
        *,
        system: SystemParameters,
        oracle: Oracle | None = None,
        exploration: Any = 1.0,
        non_projective: str = "projectivize",
        beam: BeamSettings | None = None,
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
        oracle = oracle or default_oracle(system)
        oracle.check(system)
        self.vocab = vocab
        self.model = model
        self.name = name
        self.parameters = system
        self.oracle = oracle
        self.exploration = Exploration(exploration)
        self.non_projective = non_projective
        self.beam = beam
        self.scorer = scorer
        self.cfg: dict[str, Any] = {"labels": []}
        self.system = TransitionSystem(system, [])
        self._index_labels()
        self._scorers = ScorerCache()
        self._warned = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The dependency labels, those of projectivised trees included."""
        return tuple(self.cfg["labels"])

    @property
    def label_data(self) -> dict[str, list[str]]:
        """What `spacy init labels` saves and `initialize` takes."""
        return {"labels": list(self.labels)}

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

    def predict(self, docs: Iterable[Doc]) -> list[Parse]:
        """Parse Docs without changing them: one Parse a Doc."""
        docs = list(docs)
        self._warn_about_boundaries(docs)
        decoder = DocDecoder(self.system, self.beam)
        layouts = [decoder.find_units(doc) for doc in docs]
        rows = word_rows(docs, [layout.words for layout in layouts])
        nothing = numpy.zeros((0,), dtype="i")
        if self.parameters.graph:
            graphs = self._predict_graphs(docs, layouts, rows)
            return [
                Parse(layout, nothing, hashes([]), False, graph)
                for layout, graph in zip(layouts, graphs)
            ]
        if not rows.size:
            return [Parse(find_layout(doc), nothing, hashes([]), False) for doc in docs]
        vectors = self.model.predict(docs)
        scorer = self._scorer()
        heads, labels, begins = decoder.decode(docs, layouts, scorer, vectors[rows])
        words = slices([layout.words.size for layout in layouts])
        lifted = self._decorated[labels]
        some_lifted = lifted.any()
        label_hashes = self._label_hashes[labels]
        return [
            self._make_parse(
                doc, layout, heads[own], begins[own], label_hashes[own],
                bool(some_lifted and lifted[own].any()),
            )
            for doc, layout, own in zip(docs, layouts, words)
        ]

    def _scorer(self) -> Scorer:
        return self._scorers.get(self.model.get_ref("scoring"))

    def _make_parse(
        self,
        doc: Doc,
        layout: Layout,
        heads: NDArray,
        begins: NDArray,
        labels: NDArray,
        lifted: bool,
    ) -> Parse:
        if self.parameters.segment:
            layout, heads = split(find_layout(doc), heads, begins)
        return Parse(layout, heads, labels, lifted)

    def _predict_graphs(
        self, docs: list[Doc], layouts: list[Layout], rows: NDArray
    ) -> list[Graph]:
        arcs = numpy.zeros((0, 3), dtype="i")
        if rows.size:
            vectors = self.model.predict(docs)
            scorer = self._scorer()
            arcs, _ = parse_graphs(self.system, scorer, vectors[rows], lengths_of(layouts))
        return graphs_of_docs(docs, [layout.words for layout in layouts], arcs, self.labels)

    def set_annotations(self, docs: Iterable[Doc], parses: list[Parse]) -> None:
        """Write parses to their Docs: heads, labels, sentence starts; or the graph alone."""
        root = self.vocab.strings.add(ROOT_LABEL)
        space = self.vocab.strings.add(SPACE_LABEL)
        for doc, tree in zip(docs, parses, strict=True):
            if tree.graph is not None:
                write_graph(doc, tree.graph)
                continue
            words, lengths, starts = tree.layout
            write_tree(doc, words, tree.heads, tree.labels, lengths, starts, root, space)
            if tree.lifted:
                nonproj.deprojectivize(doc)
                close_sentences(doc, starts)

    def _warn_about_boundaries(self, docs: list[Doc]) -> None:
        if self.parameters.segment:
            return
        if not self._warned and any(len(doc) > 1 and not has_boundaries(doc) for doc in docs):
            self._warned = True
            warnings.warn(
                f"'{self.name}' parses each Doc without sentence boundaries as one sentence. "
                "That is right where each Doc is one sentence; otherwise add 'senter' or "
                "'sentencizer' before it, or set segment = true in its system."
            )

    def k_best(self, doc: Doc, width: int = 8) -> list[list[ScoredTree]]:
        """The best trees of each sentence of a Doc, by beam search.

        width: of the beam; at most so many trees are found. Scores are log probabilities,
        or sums of scores where the model was trained with a beam. The Doc stays as it is.
        """
        decoder = DocDecoder(self.system, replace(self.beam or BeamSettings(), width=width))
        layout = decoder.find_units(doc)
        rows = word_rows([doc], [layout.words])
        if not rows.size:
            return []
        vectors = self.model.predict([doc])
        scorer = self._scorer()
        found = decoder.search([doc], [layout], scorer, vectors[rows])
        firsts = numpy.cumsum(layout.lengths) - layout.lengths
        return [
            [
                self._scored_tree(layout.words[first : first + len(tree[1])], *tree)
                for tree in trees
            ]
            for first, trees in zip(firsts, found)
        ]

    def _scored_tree(
        self, words: NDArray, score: float, heads: NDArray, labels: NDArray, starts: NDArray
    ) -> ScoredTree:
        names = [*self.labels, ROOT_LABEL]
        return ScoredTree(
            score, words.tolist(), words[heads].tolist(), [names[label] for label in labels]
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

        labels: as `label_data` gives them, to leave out the pass through the examples.
        """
        validate_get_examples(get_examples, "ArcEagerParser.initialize")
        if labels is not None:
            self.cfg["labels"] = list(labels["labels"]) or [SPACE_LABEL]
        else:
            self.cfg["labels"] = self._collect_labels(get_examples())
        self._build_system()
        sample = [example.predicted for example in islice(get_examples(), 10)]
        if not sample:
            raise ValueError(f"'{self.name}' cannot be initialised: there are no examples")
        self.model.initialize(X=sample)

    def _collect_labels(self, examples: Iterable[Example]) -> list[str]:
        if self.parameters.graph:
            return self._collect_graph_labels(examples)
        seen: Counter = Counter(self.labels)
        counts: Counter = Counter()
        system = TransitionSystem(self.parameters)
        for example in examples:
            for sentence in gold_sentences(example):
                counts["sentences"] += 1
                counts["non-projective"] += not sentence.is_projective
                counts["no tree"] += not is_tree(sentence.heads)
                counts["not derivable"] += not can_derive(system, sentence)
                sentence = apply_policy(sentence, self.non_projective, system) or sentence
                seen.update(
                    label
                    for word, label in enumerate(sentence.labels)
                    if label and sentence.heads[word] != word
                )
        util.logger.info(
            "%s: %d gold sentences, %d non-projective, %d that the system cannot derive "
            "(policy: %s), %d not one complete tree",
            self.name, counts["sentences"], counts["non-projective"], counts["not derivable"],
            self.non_projective, counts["no tree"],
        )
        return sorted(seen) or [SPACE_LABEL]

    def _collect_graph_labels(self, examples: Iterable[Example]) -> list[str]:
        seen, counts = count_labels(examples)
        if not counts["sentences"]:
            raise ValueError(
                f"'{self.name}' builds graphs with the system '{self.parameters.name}', but no "
                "gold Doc has one in doc._.arceager_graph. Train on CoNLL-U files with "
                "enhanced dependencies (the column DEPS), or choose a system that builds "
                "trees, such as arceager.arc_eager.v1"
            )
        util.logger.info(
            "%s: %d gold graphs with %d arcs, %d of which cross others",
            self.name, counts["sentences"], counts["arcs"], counts["crossing"],
        )
        return sorted({*seen, *self.labels}) or [SPACE_LABEL]

    def _build_system(self) -> None:
        self.system = TransitionSystem(self.parameters, self.labels)
        scoring = self.model.get_ref("scoring")
        scoring.attrs["n_labels"] = len(self.labels)
        scoring.attrs["n_classes"] = self.system.n_classes
        self._index_labels()

    def _index_labels(self) -> None:
        # Roots have the label -1 in the decoder and find the last entry; `write_tree`
        # knows their label.
        # Behind the labels come the same without the mark of a lifted arc.
        names = [*self.labels, *(nonproj.decompose(label)[0] for label in self.labels)]
        self._label_hashes = hashes([*map(self.vocab.strings.add, names), 0])
        self._decorated = numpy.asarray([*map(nonproj.is_decorated, names), False])

    def add_label(self, label: str) -> int:
        """Add a label, also to a trained parser; 0 if it is there already, otherwise 1."""
        if label in self.labels:
            return 0
        self.cfg["labels"].append(label)
        old = self.system
        if not self.model.get_ref("scoring").has_param("upper_W"):
            self._build_system()
            return 1
        self.system = TransitionSystem(self.parameters, self.labels)
        self._index_labels()
        new_class = [
            self.system.find_class(*old.describe_class(i)) for i in range(old.n_classes)
        ]
        resize(self.model, len(self.labels), new_class, self.system.n_classes)
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
        gold = self._gold_batch(examples)
        if not gold.rows.size:
            return losses
        set_dropout_rate(self.model, drop)
        vectors, backprop = self.model.begin_update([eg.predicted for eg in examples])
        scoring = self.model.get_ref("scoring")
        words = vectors[gold.rows]
        rollout = self._roll_out(self._scorer(), words, gold.trees, drop)
        d_vectors = numpy.zeros_like(vectors)
        d_vectors[gold.rows] = backprop_scores(scoring, words, rollout)
        backprop(d_vectors)
        if sgd not in (None, False):
            self.finish_update(sgd)
        losses[self.name] += rollout.loss
        return losses

    def _roll_out(
        self, scorer: Scorer, words: NDArray, gold: GoldTrees, drop: float
    ) -> RollOut:
        seed = random.getrandbits(63) | 1
        rate = next(self.exploration)
        if self.beam is None or self.beam.update == "none":
            return roll_out(self.system, scorer, words, gold, self.oracle, rate, drop, seed)
        return roll_out_beam(
            self.system, scorer, words, gold, self.oracle, self.beam.width, self.beam.density,
            self.beam.update == "max_violation", drop, seed,
        )

    def _gold_batch(self, examples: list[Example]) -> "GoldBatch":
        units = [self._gold_units(example) for example in examples]
        words = [
            numpy.concatenate([unit.words for unit in own] or [numpy.zeros((0,), dtype="i")])
            for own in units
        ]
        return GoldBatch(
            word_rows([example.predicted for example in examples], words),
            [unit for own in units for unit in own],
            {label: i for i, label in enumerate(self.labels)},
            self.system,
        )

    def _gold_units(self, example: Example) -> list[GoldSentence] | list[GoldGraph]:
        # What is parsed as one: sentences, or the whole Doc where boundaries are found too.
        if self.parameters.graph:
            return list(gold_graphs(example))
        sentences = list(gold_sentences(example))
        kept = [apply_policy(s, self.non_projective, self.system) for s in sentences]
        if not self.parameters.segment or not sentences:
            return [sentence for sentence in kept if sentence is not None]
        return [join([new or without_tree(old) for new, old in zip(kept, sentences)])]

    # Saving and loading

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Serialise the parser; exclude: "cfg", "vocab" or "model"."""
        return util.to_bytes(
            {
                "cfg": lambda: srsly.json_dumps(self._saved_cfg()),
                "vocab": lambda: self.vocab.to_bytes(exclude=exclude),
                "model": self.model.to_bytes,
            },
            exclude,
        )

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "ArcEagerParser":
        """Load what `to_bytes` made. Raises TruncatedModelError or ModelMismatchError."""
        readers = {
            "cfg": lambda b: self._load_cfg(srsly.json_loads(b)),
            "vocab": lambda b: self.vocab.from_bytes(b, exclude=exclude),
            "model": self._load_model,
        }
        try:
            util.from_bytes(data, readers, exclude)
        except ModelMismatchError:
            raise
        except Exception as error:
            raise TruncatedModelError(
                f"'{self.name}' cannot be loaded: the data is cut short or not a saved parser "
                f"({error})"
            ) from error
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Save the parser to a folder; exclude: "cfg", "vocab" or "model"."""
        writers: dict[str, Callable[[Path], Any]] = {
            "cfg": lambda p: srsly.write_json(p, self._saved_cfg()),
            "vocab": lambda p: self.vocab.to_disk(p, exclude=exclude),
            "model": lambda p: p.write_bytes(self.model.to_bytes()),
        }
        util.to_disk(path, writers, exclude)

    def from_disk(
        self, path: str | Path, *, exclude: Iterable[str] = ()
    ) -> "ArcEagerParser":
        """Load what `to_disk` saved. Raises TruncatedModelError or ModelMismatchError."""
        readers: dict[str, Callable[[Path], Any]] = {
            "cfg": lambda p: self._load_cfg(srsly.read_json(p)),
            "vocab": lambda p: self.vocab.from_disk(p, exclude=exclude),
            "model": lambda p: self._load_model(p.read_bytes()),
        }
        try:
            util.from_disk(path, readers, exclude)
        except (ModelMismatchError, FileNotFoundError):
            raise
        except Exception as error:
            raise TruncatedModelError(
                f"'{self.name}' cannot be loaded from {path}: a file is cut short or not from "
                f"a saved parser ({error})"
            ) from error
        return self

    def _saved_cfg(self) -> dict[str, Any]:
        return {**self.cfg, "format": FORMAT, "system": asdict(self.parameters)}

    def _load_cfg(self, cfg: dict[str, Any]) -> None:
        if cfg["format"] > FORMAT:
            raise ModelMismatchError(
                f"'{self.name}' was saved by a newer version of spacy_arceager (format "
                f"{cfg['format']}, this one reads {FORMAT}); update spacy_arceager"
            )
        mine = srsly.json_loads(srsly.json_dumps(asdict(self.parameters)))
        # Parameters that came later than the saved parser have their defaults.
        saved = {**{f.name: f.default for f in fields(SystemParameters)}, **cfg["system"]}
        different = [key for key in mine if saved[key] != mine[key]]
        if different:
            raise ModelMismatchError(
                f"'{self.name}' was trained with another transition system: "
                + ", ".join(f"{k}={saved[k]}, not {mine[k]}" for k in different)
                + "; load it with the config it was trained with"
            )
        self.cfg = {"labels": cfg["labels"]}
        self._build_system()

    def _load_model(self, data: bytes) -> None:
        srsly.msgpack_loads(data)  # fails where data is cut short
        try:
            self.model.from_bytes(data)
        except (ValueError, KeyError) as error:
            raise ModelMismatchError(
                f"'{self.name}' was saved with a model of another shape: {error}. Load it "
                "with the config it was trained with"
            ) from error
        scoring = self.model.get_ref("scoring")
        if not scoring.has_param("upper_b"):
            return  # saved before it was initialised
        n_classes = scoring.get_param("upper_b").shape[0]
        if n_classes != self.system.n_classes:
            raise ModelMismatchError(
                f"'{self.name}' has {len(self.labels)} labels, but the saved model scores "
                f"{n_classes} classes instead of {self.system.n_classes}; load labels and "
                "model together"
            )


class GoldBatch:
    """The gold trees, or graphs, of a batch of Examples.

    rows: (n_words,) where each word's vector is among those of all tokens.
    trees: the gold trees, for the oracle.
    """

    def __init__(
        self,
        rows: NDArray,
        sentences: list[Any],
        indices: dict[str, int],
        system: TransitionSystem,
    ):
        self.rows = rows
        if system.parameters.graph:
            self.trees = graph_arrays(sentences, indices)
            return
        heads = [s.heads for s in sentences]
        self.trees = GoldTrees(
            [s.heads.size for s in sentences],
            numpy.concatenate(heads) if heads else [],
            [label_index(label, indices) for s in sentences for label in s.labels],
            system.parameters.root != "none",
            numpy.concatenate([s.starts for s in sentences]) if sentences else None,
        )


def word_rows(docs: list[Doc], words: list[NDArray]) -> NDArray:
    """Rows of words in the stacked vectors of all tokens: (n_words,) ints."""
    offsets = numpy.cumsum([0] + [len(doc) for doc in docs])
    return numpy.concatenate(
        [indices + offset for indices, offset in zip(words, offsets)]
        or [numpy.zeros((0,), dtype="i")]
    )


def slices(sizes: Iterable[int]) -> Iterator[slice]:
    """Where parts of such sizes lie one after the other."""
    end = 0
    for size in sizes:
        yield slice(end, end + size)
        end += size


def hashes(values: Iterable[int]) -> NDArray:
    """Label hashes as an array of uint64."""
    return numpy.asarray(list(values), dtype="uint64")

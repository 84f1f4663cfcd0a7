"""The target of a parser that predicts trees: heads, labels and sentence starts."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray
from spacy import util
from spacy.strings import get_string_id
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from ..annotation.boundaries import given_boundaries, remember_boundaries
from ..annotation.confidence import forget_confidences, set_confidences
from ..annotation.fixed_arcs import fixed_arrays
from ..annotation.forbidden import constrained_words, read_subtrees
from ..annotation.label_strings import ROOT_LABEL, SPACE_LABEL, LabelStrings
from ..annotation.layout import Layout, find_layout, given_layout, slices, split
from ..annotation.projective import (
    deprojectivize,
    deprojectivized,
    is_decorated,
    is_label,
    undecorated,
)
from ..annotation.tokens import close_sentences, same_words, write_tree
from ..decoding.confidence import Confidences
from ..decoding.decoder import Decoder, ScoredDerivation, without_marks
from ..decoding.encoding import Encoded
from ..decoding.lifted import put_back
from ..gold import MISSING
from ..gold.batch import GoldBatch, tree_batch
from ..gold.trees import GoldSentence, apply_policy, can_derive, gold_sentences
from ..machine.rules import WordRules
from ..machine.system import TransitionSystem
from ..trees.algorithms import is_tree
from .scored_tree import ScoredTree, distinct

# What the log says of some gold sentences. Those that are left out, or lose heads, are a warning.
REMARKS = (
    ("lifted", logging.INFO,
     "have arcs that the system cannot build, most of them crossing ones. These arcs are lifted, "
     "and put back after parsing."),
    ("approximated", logging.INFO,
     "have arcs that the system cannot build. It learns to build as many of the others as it can."),
    ("left out", logging.WARNING,
     "are left out, because the system cannot build their trees (non_projective='skip')."),
    ("no tree", logging.INFO, "have words without a head, from which nothing is learnt."),
    ("other words", logging.WARNING,
     "are in texts that the tokenizer splits into other words than the treebank does, so that some "
     "heads are lost. The reader arceager.ConlluCorpus.v1 takes the words of the treebank."),
)

ONE_SENTENCE = (
    "%s: no Doc has more than one gold sentence, so that no sentence boundaries are learnt. Put "
    "several into a Doc: sentences_per_doc = 10 in arceager.ConlluCorpus.v1, or spacy convert "
    "--n-sents 10. Where each text is one sentence, set segment = false in the system."
)


class TreeParse(NamedTuple):
    """The parse of a Doc: its trees. See `Layout` and `write_tree`.

    Attributes:
        layout: the words and sentences of the Doc.
        heads: (n_words,) the heads, as `write_tree` takes them.
        labels: (n_words,) the hashes of the labels.
        lifted: whether a label marks an arc that projectivisation has lifted.
        given_boundaries: the boundaries that the Doc shall remember, see `annotation.boundaries`;
            None if it need not remember any.
        confidences: how likely the heads and labels are right; None if that was not asked for.
    """

    n_tokens: int
    layout: Layout
    heads: NDArray
    labels: NDArray
    lifted: bool
    given_boundaries: NDArray | None = None
    confidences: Confidences | None = None


class TreeTarget:
    """What a parser learns and annotates: heads, labels and sentence starts.

    A `graph_target.GraphTarget` has the same methods, for parsers that build graphs.

    Args:
        system: the system with the labels of the parser. Decoders in the methods have this system.
    """

    def __init__(self, system: TransitionSystem):
        self.system = system
        # The labels are followed by the same labels without marks, see `without_marks`. A root has
        # the label -1, which as an index finds the last entry. So a 0 and a False are appended for
        # roots. Their values do not matter, because `write_tree` writes the label of roots itself.
        self._names = names = [*system.labels, *map(undecorated, system.labels)]
        self._hashes = numpy.asarray([*map(get_string_id, names), 0], dtype="uint64")
        self._decorated = numpy.asarray([*map(is_decorated, names), False])
        self._strings = LabelStrings([*names, ROOT_LABEL, SPACE_LABEL])

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that parsed Docs can have, without the marks of projectivisation."""
        return tuple(dict.fromkeys(map(undecorated, self.system.labels)))

    def find_labels(
        self, examples: Iterable[Example], known: Iterable[str], policy: str, name: str
    ) -> list[str]:
        """Find the labels of the gold annotation, and log what the system cannot learn of it.

        Args:
            known: labels that were known before.
            policy: what is done with trees that the system cannot derive, see `apply_policy`.

        Returns:
            The labels, including those known before, sorted.
        """
        seen = Counter(known)
        counts: Counter = Counter()
        for example in examples:
            sentences = list(gold_sentences(example))
            counts["of several"] += len(sentences) > 1
            for sentence in sentences:
                check_gold_labels(sentence, example, name)
                learnt = apply_policy(sentence, policy, self.system)
                counts["sentences"] += 1
                counts["no tree"] += not is_tree(sentence.heads)
                counts["left out"] += learnt is None
                counts["lifted"] += learnt is not None and learnt is not sentence
                counts["approximated"] += learnt is sentence and not can_derive(
                    self.system, sentence
                )
                counts["other words"] += not same_words(example.predicted, example.reference)
                learnt = learnt or sentence
                seen.update(
                    label
                    for word, label in enumerate(learnt.labels)
                    if label and learnt.heads[word] not in (word, MISSING)
                )
        for level, text in describe_trees(counts):
            util.logger.log(level, "%s: %s", name, text)
        if self.system.parameters.segment and counts["sentences"] and not counts["of several"]:
            util.logger.warning(ONE_SENTENCE, name)
        if 0 < counts["sentences"] == counts["left out"]:
            raise ValueError(
                f"'{name}' has nothing to learn from: the system derives none of the "
                f"{counts['sentences']} gold trees, and non_projective='skip' leaves them out. Use "
                "'projectivize', or a system for such trees"
            )
        return sorted(seen)

    def gold_batch(
        self, examples: Sequence[Example], policy: str, every_unit: bool = False
    ) -> GoldBatch:
        """The gold trees that `update` learns from. policy: see `find_labels`.

        Units without a gold head are left out, but for every_unit.
        """
        return tree_batch(examples, self.system, policy, every_unit)

    def add_strings(self, vocab: Vocab) -> None:
        """Add the labels to the strings of a Vocab, which may have lost them."""
        self._strings = LabelStrings(self._strings.labels)
        self._strings.add_to(vocab)

    def parse(self, decoder: Decoder, encoded: Encoded) -> list[TreeParse]:
        """Parse Docs without changing them."""
        docs, layouts = encoded.docs, encoded.layouts
        heads, labels, begins = decoder.decode(encoded)
        lifted = self._decorated[labels]
        some_lifted = lifted.any()
        hashes = self._hashes[labels]
        spans = [*slices(layout.words.size for layout in layouts)]
        parses = [
            TreeParse(
                len(doc), layout, heads[span], hashes[span],
                bool(some_lifted and lifted[span].any()),
            )
            for doc, layout, span in zip(docs, layouts, spans)
        ]
        if not self.system.parameters.segment:
            return parses
        return [
            split_sentences(doc, parse, begins[span])
            for doc, parse, span in zip(docs, parses, spans)
        ]

    def nothing(self, doc: Doc) -> TreeParse:
        """The parse of a Doc without words. Raises ConstraintError if the Doc has constraints."""
        empty = numpy.zeros((0,), dtype="i")
        layout = given_layout(doc, self.system.parameters.segment)
        fixed_arrays(doc, layout, layout, {})      # raises an error if the Doc has fixed arcs
        list(read_subtrees(doc, layout, layout))    # raises an error if it has subtrees
        return TreeParse(len(doc), layout, empty, empty.astype("uint64"), False)

    def write(self, doc: Doc, parse: TreeParse) -> None:
        """Write a parse to its Doc."""
        self._strings.add_to(doc.vocab)
        words, lengths, starts = parse.layout
        write_tree(doc, words, parse.heads, parse.labels, lengths, starts)
        if parse.lifted:
            deprojectivize(doc)
            close_sentences(doc, starts)
        if parse.given_boundaries is not None:
            remember_boundaries(doc, parse.given_boundaries)
        if parse.confidences is not None:
            set_confidences(doc, words.tolist(), *parse.confidences)
        else:
            forget_confidences(doc)

    def k_best(self, decoder: Decoder, encoded: Encoded) -> list[list[ScoredTree]]:
        """The best trees of each sentence, see `ArcEagerParser.k_best`."""
        (doc,), (layout,) = encoded.docs, encoded.layouts
        is_constrained = constrained_words(doc, layout)
        units = zip(slices(layout.lengths), decoder.search(encoded))
        # Parses that differ in marks or lifted arcs alone may be the same tree.
        return [
            distinct(
                self._scored_tree(
                    doc, layout.words[span], is_constrained[span],
                    None if encoded.rules is None else encoded.rules.of_words(span), *tree[:3],
                )
                for tree in trees
            )
            for span, trees in units
        ]

    def derive(self, decoder: Decoder, encoded: Encoded) -> list[list[ScoredDerivation]]:
        """The derivation of each unit of each Doc."""
        return decoder.derive(encoded)

    def _scored_tree(
        self,
        doc: Doc,
        words: NDArray,
        is_constrained: NDArray,
        rules: WordRules | None,
        score: float,
        heads: NDArray,
        labels: NDArray,
    ) -> ScoredTree:
        labels = without_marks(labels, is_constrained, self.system.n_labels)
        if rules is not None:
            heads, labels = put_back(self.system, rules, heads, labels)
        names = [ROOT_LABEL if label < 0 else self._names[label] for label in labels]
        if self._decorated[labels].any():
            heads, names = deprojectivized(doc.vocab, heads, names)
        return ScoredTree(score, words.tolist(), words[heads].tolist(), names)


def describe_trees(counts: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """The level and the text of each sentence with which the log describes gold trees.

    Args:
        counts: the number of "sentences", and of those to which a text of REMARKS applies.
    """
    total = f"{counts['sentences']:,} gold sentences"
    yield logging.INFO, f"There are {total}."
    for name, level, text in REMARKS:
        if counts[name]:
            yield level, f"{counts[name]:,} of {total} {text}"


def check_gold_labels(sentence: GoldSentence, example: Example, name: str) -> None:
    """Raise ValueError for a gold label that looks like the marked label of a lifted arc."""
    for word, label in zip(sentence.words, sentence.labels):
        if label and (is_decorated(label) or not is_label(label)):
            raise ValueError(
                f"'{name}' cannot learn the label '{label}' of "
                f"'{example.predicted[int(word)]}' in the gold Doc "
                f"'{example.reference.text:.60}': '||' marks arcs that projectivisation "
                "lifted, so that no label has it or begins or ends with '|'. Rename the label, or "
                "undo the projectivisation of the treebank"
            )


def split_sentences(doc: Doc, parse: TreeParse, begins: NDArray) -> TreeParse:
    """Split the parse of a whole Doc into the trees of its sentences.

    Args:
        begins: (n_words,) bool, whether a sentence begins at a word.
    """
    boundaries = given_boundaries(doc)
    layout, heads = split(find_layout(doc, boundaries), parse.heads, begins)
    return parse._replace(layout=layout, heads=heads, given_boundaries=boundaries)

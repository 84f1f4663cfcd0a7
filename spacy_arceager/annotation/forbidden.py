"""What a parse must not have: `doc._.arceager_forbidden_arcs` and `doc._.arceager_subtrees`.

Words are token indices, and a root is its own head. A forbidden arc (dependent, head) may have no
label at all, (dependent, head, label) may not have this label, and (dependent, None, label) forbids
the label with any head. A subtree is a span (start, end), where end is the token behind the last.
One of its words must have all other words of the span, and no others, below it.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, compress, product
from operator import index
from typing import NamedTuple, NoReturn

import numpy
from numpy.typing import NDArray
from spacy.tokens import Doc

from ..errors import ConstraintError
from ..search.forbidden import Forbidden
from ..systems.parameters import SystemParameters
from ..trees.algorithms import crossing_arcs, is_tree
from ..trees.arborescence import find_cycle
from .fixed_arcs import FREE, named, read_arcs, read_items, unknown_label
from .fixed_arcs import NAME as FIXED_ARCS
from .label_strings import ROOT_NAMES
from .layout import Layout, sentence_numbers, slices
from .user_data import is_set

ARCS = "arceager_forbidden_arcs"
SUBTREES = "arceager_subtrees"

for _name in (ARCS, SUBTREES):
    Doc.set_extension(_name, default=None, force=True)


def has_constraints(doc: Doc) -> bool:
    """Whether a Doc has any fixed arc, forbidden arc or subtree."""
    names = (FIXED_ARCS, ARCS, SUBTREES) if doc.user_data else ()
    return any(is_set(doc, name) and bool(read_items(doc, name)) for name in names)


def refuse_constraints(docs: Iterable[Doc], system: str, why: str) -> None:
    """Raise ConstraintError if any Doc has constraints; `why` says why the system ignores them."""
    if any(map(has_constraints, docs)):
        raise ConstraintError(
            f"The parser cannot keep fixed arcs (doc._.{FIXED_ARCS}), forbidden ones or subtrees "
            f"with system '{system}': {why}"
        )


def constrained_words(doc: Doc, layout: Layout) -> NDArray:
    """Which words of a Doc have a constraint: (n_words,) bool.

    The arc of such a word must stay where it is, even if its label has the mark of a lifted arc.
    """
    if not has_constraints(doc):
        return numpy.zeros((layout.words.size,), bool)
    if read_items(doc, SUBTREES):
        return numpy.ones((layout.words.size,), bool)
    arcs = [*read_arcs(doc), *read_arcs(doc, ARCS)]
    return numpy.isin(layout.words, [arc[0] for arc in arcs])


def forbidden_of_units(
    doc: Doc, layout: Layout, sentences: Layout, labels: Sequence[str]
) -> list[Forbidden | None]:
    """What is forbidden in each unit of a Doc; None for a unit in which everything is allowed.

    Args:
        layout: the units of the Doc, see `fixed_arcs.fixed_arrays`.
        sentences: the sentences by the boundaries that were given; no subtree may cross a boundary.
        labels: the labels of the parser, without the marks of lifted arcs.

    Raises:
        ConstraintError: For an item that is no arc or span, and for a fixed label that the parser
            does not know.
    """
    if not has_constraints(doc):
        return [None] * layout.lengths.size
    bans = [*read_bans(doc)]
    for ban in bans:
        if ban.is_only and ban.label not in labels:
            raise unknown_label(doc, ban.dependent, ban.label, labels)
    spans = [*read_subtrees(doc, layout, sentences)]
    return [
        forbidden_of_words(layout.words[place], bans, spans, labels)
        for place in slices(layout.lengths)
    ]


class Ban(NamedTuple):
    """An arc or a label that is forbidden.

    Attributes:
        head: None stands for all heads.
        label: "" stands for all labels.
        is_only: the word must have this label, so it may have no other and may not be a root.
    """

    dependent: int
    head: int | None
    label: str
    is_only: bool = False


def read_bans(doc: Doc) -> Iterator[Ban]:
    """The bans that follow from the forbidden arcs of a Doc and from its fixed labels."""
    for dependent, head, label in read_arcs(doc, ARCS, "forbidden"):
        if label in ROOT_NAMES:
            if head == dependent:
                yield Ban(dependent, dependent, "")
        elif head != dependent or not label:
            yield Ban(dependent, head, label)
    for dependent, head, label in read_arcs(doc):
        if head is None:
            yield Ban(dependent, None, label, is_only=True)


def read_subtrees(doc: Doc, layout: Layout, sentences: Layout) -> Iterator[tuple[int, int]]:
    """The first and the last word of each subtree, as token indices.

    Arguments and errors are those of `forbidden_of_units`.
    """
    sentence = sentence_numbers(layout, sentences)
    for span in read_items(doc, SUBTREES):
        try:
            start, end = map(index, span)
        except (TypeError, ValueError):
            start = end = -1
        if not 0 <= start < end <= len(doc):
            raise ConstraintError(
                f"The subtree {span!r} is not (start, end) with tokens from 0 to {len(doc)}"
            )
        inside = (start <= layout.words) & (layout.words < end)
        words = layout.words[inside]
        if not words.size:
            raise ConstraintError(f"The subtree {doc[start:end].text!r} has no words")
        if numpy.unique(sentence[inside]).size > 1:
            raise ConstraintError(
                f"The subtree {doc[start:end].text!r} crosses a sentence boundary that is set"
            )
        yield int(words[0]), int(words[-1])


def forbidden_of_words(
    words: NDArray,
    bans: Sequence[Ban],
    spans: Sequence[tuple[int, int]],
    labels: Sequence[str],
) -> Forbidden | None:
    """What is forbidden in one unit; None if everything is allowed.

    Args:
        words: (n_words,) the token indices of the words of the unit.
        spans: the first and the last token of each subtree of the Doc.
    """
    n, n_labels = words.size, len(labels)
    place = {int(token): i for i, token in enumerate(words)}
    if not any(ban.dependent in place for ban in bans) and not any(
            first in place for first, _ in spans):
        return None     # before the arrays are made, which are large for a long unit
    arcs, of_words = numpy.zeros((n, n), bool), numpy.zeros((n, n_labels), bool)
    labelled = []
    for dependent, head, label, is_only in bans:
        if dependent not in place or (head is not None and head not in place):
            continue    # a word of another unit: no tree of this unit can have the arc
        word = place[dependent]
        is_label: NDArray = numpy.asarray([known == label for known in labels], bool)
        if is_only:
            of_words[word] |= ~is_label
            arcs[word, word] = True
        elif head is None:
            of_words[word] |= is_label
        elif not label:
            arcs[word, place[head]] = True
        else:
            labelled += [(word, place[head], k) for k in numpy.flatnonzero(is_label)]
    subtrees = [(place[first], place[last]) for first, last in spans if first in place]
    for first, last in subtrees:
        inside = numpy.zeros((n,), bool)
        inside[first : last + 1] = True
        arcs |= ~inside[:, None] & inside
    if not (arcs.any() or of_words.any() or labelled or subtrees):
        return None
    return without_empty_arcs(arcs, of_words, labelled, subtrees)


def without_empty_arcs(
    arcs: NDArray, labels: NDArray, labelled: Sequence[tuple], subtrees: Sequence[tuple]
) -> Forbidden:
    """A Forbidden that also bans the arcs for which every label is forbidden.

    The arguments are those of `Forbidden`.
    """
    n = len(arcs)
    is_root = numpy.eye(n, dtype=bool)
    arcs = arcs | (labels.all(1, keepdims=True) & ~is_root)
    for dependent, head in {(dependent, head) for dependent, head, _ in labelled}:
        allowed: NDArray = ~labels[dependent]
        allowed[[k for d, h, k in labelled if (d, h) == (dependent, head)]] = False
        arcs[dependent, head] |= not allowed.any()
    return Forbidden(arcs, labels, labelled, subtrees)


def refuse_impossible(
    doc: Doc, words: NDArray, heads: NDArray, system: SystemParameters
) -> NoReturn:
    """Raise ConstraintError for a unit in which no tree was found with all that is asked for.

    Args:
        words: (n_words,) the token indices of the words of the unit.
        heads: (n_words,) the fixed heads, counted from the first word; FREE where none is fixed.
        system: the parser's transition system.
    """
    refuse_cycle(doc, words, heads)
    if system.is_projective and not is_tree(heads):
        refuse_crossing(doc, words, heads, system)
    place = set(words.tolist())
    arcs = [
        f"{doc[int(words[head])]} -> {doc[int(words[word])]}"
        for word, head in enumerate(heads) if head != FREE
    ]
    bans = [describe(doc, ban) for ban in read_bans(doc) if ban.dependent in place]
    subtrees = [
        doc[start:end].text for start, end in read_items(doc, SUBTREES)
        if place & {*range(start, end)}
    ]
    parts = {"fixed": arcs, "not allowed": bans, "subtrees": subtrees}
    listed = "; ".join(f"{name}: {', '.join(items)}" for name, items in parts.items() if items)
    raise ConstraintError(
        f"Found no tree of the parser's system that has what is asked for in the sentence "
        f"'{doc[int(words[0]) : int(words[-1]) + 1].text}': {listed}"
    )


def refuse_cycle(doc: Doc, words: NDArray, heads: NDArray) -> None:
    """Raise ConstraintError for fixed arcs that lead from a word back to itself."""
    end = len(heads)      # stands behind roots and words without a fixed head
    is_last = (heads == FREE) | (heads == numpy.arange(end))
    cycle = find_cycle(numpy.append(numpy.where(is_last, end, heads), end), end)
    if cycle is not None:
        names = [named(doc, int(words[place])) for place in (*cycle, cycle[0])]
        raise ConstraintError(f"The fixed arcs have a cycle: {' <- '.join(names)}")


def refuse_crossing(doc: Doc, words: NDArray, heads: NDArray, system: SystemParameters) -> None:
    """Raise ConstraintError for the first two fixed arcs that cross, or a root under an arc.

    The system must be one that derives only projective trees. A tree in which all heads are fixed
    never comes here, for it is kept as it is, crossing arcs included.
    """
    names = [named(doc, int(word)) for word in words]
    fixed = [(word, int(head)) for word, head in enumerate(heads) if head != FREE]
    arcs = [arc for arc in fixed if arc[0] != arc[1]]
    crossing = [*compress(arcs, crossing_arcs(arcs))]
    problems = chain(
        (
            f"The fixed arcs from {names[head]} to {names[word]} and from {names[other_head]} to "
            f"{names[other]} cross"
            for (word, head), (other, other_head) in combinations(crossing, 2)
            if crossing_arcs([(word, head), (other, other_head)]).any()
        ),
        (
            f"The fixed root {names[root]} lies under the fixed arc from {names[head]} to "
            f"{names[word]}"
            for (root, root_head), (word, head) in product(fixed, arcs)
            if root == root_head and min(word, head) < root < max(word, head)
        ),
    )
    problem = next(problems, None)
    if problem is not None:
        raise ConstraintError(
            f"{problem}. System '{system.name}' derives no such tree: fix the heads of all words "
            "of the sentence, which is then kept as it is, or train a parser that "
            "`arceager init-config --system arc_hybrid_swap` configures"
        )


def describe(doc: Doc, ban: Ban) -> str:
    """How messages write a ban."""
    head = "any" if ban.head is None else str(doc[ban.head])
    label = f" ({'all but ' if ban.is_only else ''}{ban.label})" if ban.label else ""
    return f"{head} -> {doc[ban.dependent]}{label}"

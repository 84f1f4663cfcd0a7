"""Checks of sentences that are read: IDs, features, trees and enhanced dependencies."""

from collections.abc import Sequence

from ..errors import ConlluError, quote
from ..files import Line
from .deps import DepsArc, Node, collapse, find_nodes, parse_node, read_deps
from .sentence import ConlluSentence, ConlluWord


def check_feats(line: Line, feats: str) -> None:
    """Demand Name=Value pairs, each name once."""
    if feats == "_":
        return
    names = []
    for feature in feats.split("|"):
        name, _, value = feature.partition("=")
        if not name or "=" in value or not all(value.split(",")):
            raise line.error(
                f"FEATS has {quote(feature)}, which is not Name=Value",
                "Write features as Name=Value|Name=Value, or _",
            )
        names.append(name)
    if len(set(names)) < len(names):
        raise line.error(
            f"FEATS {quote(feats)} gives a feature twice", "Join its values: Name=A,B"
        )


def check_word_id(line: Line, word_id: int, sentence: ConlluSentence) -> None:
    """Demand that words are numbered 1, 2, 3, ..."""
    expected = len(sentence.words) + 1
    if word_id != expected:
        raise line.error(
            f"ID {word_id} is out of order, expected {expected}",
            "Number the words of each sentence 1, 2, 3, ...",
        )


def check_multi_word_token(line: Line, first: int, last: int, sentence: ConlluSentence) -> None:
    """Demand that a multi-word token starts at the next word, behind the last such token."""
    tokens = sentence.multi_word_tokens
    if first != len(sentence.words) + 1 or last < first:
        raise line.error(
            f"multi-word token {first}-{last} does not start at the next word",
            "Put its line right before its first word, with the smaller ID first",
        )
    if tokens and first <= tokens[-1].last:
        raise line.error(
            f"multi-word token {first}-{last} overlaps another",
            "Give every word to one multi-word token at most",
        )


def check_empty_node(line: Line, after: int, number: int, sentence: ConlluSentence) -> None:
    """Demand that empty nodes are numbered n.1, n.2, ... after word n."""
    nodes = sentence.empty_nodes
    last = parse_node(nodes[-1][0]) if nodes else None
    expected = last.empty + 1 if last and last.word == after else 1
    if after != len(sentence.words) or number != expected:
        raise line.error(
            f"empty node {after}.{number} is out of order",
            "Put empty nodes n.1, n.2, ... right after word n",
        )


def check_complete(last_line: Line, sentence: ConlluSentence) -> None:
    """Demand that there are words, and all words of the last multi-word token."""
    if not sentence.words:
        raise last_line.error(
            "the sentence has no words", "Remove it, or the empty line that cuts it"
        )
    tokens = sentence.multi_word_tokens
    if tokens and tokens[-1].last > len(sentence.words):
        raise last_line.error(
            f"multi-word token {tokens[-1].first}-{tokens[-1].last} goes beyond the "
            f"sentence, which has {len(sentence.words)} words",
            "Correct its ID or add the missing words",
        )


def check_tree(words: Sequence[ConlluWord], lines: Sequence[Line]) -> None:
    """Demand that the heads can belong to a tree with one root; some may be missing."""
    heads = [word.head for word in words]
    for word_id, (head, line) in enumerate(zip(heads, lines), 1):
        if head is not None and head > len(words):
            raise line.error(
                f"HEAD {head} is outside the sentence, which has {len(words)} words",
                "Write the ID of a word of the same sentence",
            )
        if head == word_id:
            raise line.error(f"word {word_id} is its own head", "Write 0 for the root")
    _check_root(heads, lines)
    _check_cycles(heads, lines)


def _check_root(heads: Sequence[int | None], lines: Sequence[Line]) -> None:
    roots = [i for i, head in enumerate(heads) if head == 0]
    if len(roots) > 1:
        raise lines[roots[1]].error(
            f"the sentence has {len(roots)} roots", "Write HEAD 0 for one word only"
        )
    if not roots and None not in heads:
        raise lines[0].error("the sentence has no root", "Write HEAD 0 for one word")


def _check_cycles(heads: Sequence[int | None], lines: Sequence[Line]) -> None:
    # The word from which the first way up passed each word. A way ends at a missing head.
    met_from = [0] * (len(heads) + 1)
    for word_id in range(1, len(heads) + 1):
        node = word_id
        while node and not met_from[node]:
            met_from[node] = word_id
            node = heads[node - 1] or 0
        if node and met_from[node] == word_id:
            raise lines[node - 1].error(
                f"word {node} is in a cycle of heads", "Correct one of the heads"
            )


def check_deps(sentence: ConlluSentence, lines: Sequence[Line]) -> None:
    """Demand that DEPS is well-formed, and that empty nodes can be collapsed.

    Args:
        lines: the lines of words, multi-word tokens and empty nodes, in order.
    """
    nodes = find_nodes(len(sentence.words), sentence.empty_nodes)
    incoming: dict[Node, list[DepsArc]] = {}
    for line in lines:
        columns = line.text.split("\t")
        if "-" in columns[0]:
            continue
        node = parse_node(columns[0])
        try:
            incoming[node] = read_deps(node, columns[8], nodes)
        except ConlluError as error:
            raise line.locate(error) from None
    if sentence.empty_nodes:
        try:
            collapse(incoming)
        except ConlluError as error:
            raise lines[0].locate(error) from None

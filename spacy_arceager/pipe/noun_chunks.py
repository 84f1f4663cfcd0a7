"""Noun chunks on the labels of Universal Dependencies, for `doc.noun_chunks`.

spaCy's own iterators know the labels of its own pipelines, such as dobj and pobj in English.
The relations are described at https://universaldependencies.org/u/dep/.
"""

from collections.abc import Callable, Iterable, Iterator

from spacy.errors import Errors
from spacy.language import Language
from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span, Token
from spacy.util import filter_spans

NOMINALS = frozenset({
    "nsubj", "obj", "iobj", "obl", "nmod", "appos", "vocative", "dislocated",
    # Predicates: nouns where there is no verb.
    "root", "xcomp", "ccomp", "csubj", "advcl", "acl", "parataxis",
})
BEFORE = frozenset({"det", "amod", "nummod", "nmod", "clf", "compound", "flat", "fixed"})
# Taken in only where one of BEFORE comes before them: the (then) president.
BETWEEN = frozenset({"advmod", "acl", "punct"})
AFTER = frozenset({"det", "amod", "nummod", "clf", "compound", "flat", "fixed", "goeswith"})
WITHIN_AFTER = AFTER | {"advmod", "cc", "conj", "punct"}


def use_ud_noun_chunks() -> Callable[[Language], Language]:
    """An `after_creation` callback: Docs of the pipeline get `noun_chunks`, below."""

    def after_creation(nlp: Language) -> Language:
        nlp.vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]  # spaCy's is wrong
        return nlp

    return after_creation


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Find base noun phrases in a UD tree: start and end token and the label NP of each.

    A chunk is a noun, proper noun or pronoun (UPOS), the determiners, adjectives, numbers,
    compound parts and possessors before it, and the parts of its name and the adjectives,
    determiners and numbers after it. Adpositions, conjunctions, copulas and punctuation at
    its edges are cut off; what is coordinated is a chunk of its own, and chunks within
    chunks (possessors, parts of compounds) are left out.

    Not covered: phrases whose head is an adjective, number or determiner ("the rich",
    "two of them"); genitives after their noun, which are chunks of their own; expletives; a
    phrase that is interrupted has the part that holds its head.

    Raises:
        ValueError: Where there is no parse or no UPOS.
    """
    doc = doclike.doc
    if not doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    if not doc.has_annotation("POS"):
        raise ValueError(Errors.E1019)
    label = doc.vocab.strings.add("NP")
    chunks = [
        Span(doc, _start(token), _end(token), label)
        for token in doclike
        if token.pos in (NOUN, PROPN, PRON) and _first_conjunct_relation(token) in NOMINALS
    ]
    for chunk in filter_spans(chunks):
        yield chunk.start, chunk.end, label


def _relation(token: Token) -> str:
    """The universal part of a label: nsubj of nsubj:pass."""
    return token.dep_.partition(":")[0].lower()


def _first_conjunct_relation(token: Token) -> str:
    while _relation(token) == "conj" and token.head.i != token.i:
        token = token.head
    return _relation(token)


def _start(noun: Token) -> int:
    start = reached = noun.i
    for child in reversed(list(noun.lefts)):
        relation = _relation(child)
        if child.right_edge.i + 1 != reached or relation not in BEFORE | BETWEEN:
            break
        reached = child.left_edge.i
        if relation in BEFORE:
            start = reached
    return start


def _end(noun: Token) -> int:
    end = noun.i + 1
    for child in noun.rights:
        follows = child.left_edge.i == end and _relation(child) in AFTER
        if not follows or not _is_plain(child.subtree):
            break
        end = child.right_edge.i + 1
    return end


def _is_plain(words: Iterable[Token]) -> bool:
    """Whether no phrase with an adposition and no clause is among the words."""
    return all(_relation(word) in WITHIN_AFTER for word in words)

"""Noun chunks in trees of Universal Dependencies, for `doc.noun_chunks`.

spaCy's own iterators know only the labels of spaCy's pipelines, such as dobj and pobj in English.
The relations are described at https://universaldependencies.org/u/dep/.
"""

from collections.abc import Callable, Iterator

from spacy.errors import Errors
from spacy.language import Language
from spacy.symbols import NOUN, PRON, PROPN
from spacy.tokens import Doc, Span, Token
from spacy.util import filter_spans

NOMINALS = frozenset({
    "nsubj", "obj", "iobj", "obl", "nmod", "appos", "vocative", "dislocated",
    # The next ones are predicates, which are nouns if the clause has no verb.
    "root", "xcomp", "ccomp", "csubj", "advcl", "acl", "parataxis",
})
BEFORE = frozenset({"det", "amod", "nummod", "nmod", "clf", "compound", "flat", "fixed"})
# These are part of a chunk only after a word with a relation of BEFORE: the (then) president.
BETWEEN = frozenset({"advmod", "acl", "punct"})
AFTER = frozenset({"det", "amod", "nummod", "clf", "compound", "flat", "fixed", "goeswith"})
WITHIN_AFTER = AFTER | {"advmod", "cc", "conj", "punct"}


def use_ud_noun_chunks() -> Callable[[Language], Language]:
    """A callback for `nlp.after_creation` that makes Docs use `noun_chunks` of this file."""

    def after_creation(nlp: Language) -> Language:
        nlp.vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]  # spaCy's is wrong
        return nlp

    return after_creation


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Find base noun phrases in a UD tree.

    A chunk is a noun, proper noun or pronoun (by UPOS) together with the determiners, adjectives,
    numbers, compound parts and possessors before it, and the name parts, adjectives, determiners
    and numbers after it. Adpositions, conjunctions, copulas and punctuation at its edges are cut
    off. Each conjunct is a chunk of its own. A chunk inside another one is left out.

    Phrases whose head is an adjective, number or determiner ("the rich", "two of them") and
    expletives are no chunks. A genitive after its noun is a chunk of its own. If other words
    interrupt a phrase, the chunk is the part with the head. White space belongs to a chunk only
    between its words.

    Yields:
        The start token, the end token (exclusive) and the label NP of each chunk.

    Raises:
        ValueError: If the Doc has no parse or no UPOS.
    """
    doc = doclike.doc
    check_annotation(doc)
    label = doc.vocab.strings.add("NP")
    chunks = [
        _without_space_at_edges(doc[_start(token):_end(token)], label)
        for token in doclike
        if token.pos in (NOUN, PROPN, PRON) and not token.is_space
        and _first_conjunct_relation(token) in NOMINALS
    ]
    for chunk in filter_spans(chunks):
        yield chunk.start, chunk.end, label


def check_annotation(doc: Doc) -> None:
    """Raise ValueError if a Doc has no parse or no UPOS."""
    if not doc.has_annotation("DEP"):
        raise ValueError(Errors.E029)
    if not doc.has_annotation("POS"):
        raise ValueError(Errors.E1019)


def _relation(token: Token) -> str:
    """The universal part of a label, such as nsubj for nsubj:pass."""
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
        if child.left_edge.i != end or not (child.is_space or _belongs_after(child)):
            break
        end = child.right_edge.i + 1
    return end


def _belongs_after(child: Token) -> bool:
    # A clause or a phrase with an adposition has other relations, too.
    return _relation(child) in AFTER and all(
        _relation(word) in WITHIN_AFTER for word in child.subtree if not word.is_space
    )


def _without_space_at_edges(span: Span, label: int) -> Span:
    words = [token.i for token in span if not token.is_space]
    return Span(span.doc, words[0], words[-1] + 1, label)

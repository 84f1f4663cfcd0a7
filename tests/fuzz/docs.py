"""Docs through the pipe, with boundaries and constraints given before, white space and empty Docs.

Afterwards they are written in all formats, with confidences, and searched for their best trees.
"""

from collections import Counter
from functools import cache
from random import Random

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.annotation.fixed_arcs import NAME
from spacy_arceager.annotation.forbidden import ARCS, SUBTREES
from spacy_arceager.errors import ConstraintError
from spacy_arceager.formats.registry import TREES
from spacy_arceager.formats.writing import TreeWriting
from spacy_arceager.systems import SystemParameters
from tests.fuzz.checks import Fault, check

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 8,
    "depth": 1, "embed_size": 20, "window_size": 1, "maxout_pieces": 2,
    "subword_features": False,
}
CONFIGS = (
    {"system": {"@misc": "arceager.arc_eager.v1"}},
    {"system": {"@misc": "arceager.arc_eager.v1", "segment": True}},
    {"system": {"@misc": "arceager.arc_hybrid.v1", "swap": True}},
    {"system": {"@misc": "arceager.arc_standard.v1"},
     "beam": {"@misc": "arceager.beam.v1", "width": 3}},
    {"system": {"@misc": "arceager.named_system.v1", "name": "arc_eager_nm"}, "confidence": True},
    {"system": {"@misc": "arceager.arc_eager.v1", "segment": True}, "confidence": True,
     "beam": {"@misc": "arceager.beam.v1", "width": 2}},
)
TOKENS = ("she", "reads", "books", ".", " ", "\n\n")
LABELS = ("nsubj", "obj")


@cache
def pipeline(which: int) -> Language:
    """A small pipeline with random weights."""
    nlp = spacy.blank("xx")
    model = {"hidden_width": 8, "tok2vec": TOK2VEC}
    nlp.add_pipe("arceager_parser", config={"model": model, **CONFIGS[which]})
    words, deps = ["she", "reads", "books"], ["nsubj", "ROOT", "obj"]
    gold = Doc(nlp.vocab, words=words, heads=[1, 1, 1], deps=deps)
    nlp.initialize(lambda: [Example(Doc(nlp.vocab, words=words), gold)])
    return nlp


def random_doc(rng: Random, nlp: Language) -> Doc:
    n = rng.choice([0, 1, 3, 6, 12])
    doc = Doc(nlp.vocab, words=[rng.choice(TOKENS) for _ in range(n)])
    share = rng.choice([0.0, 0.2, 1.0])
    for token in doc:
        if rng.random() < share:
            token.is_sent_start = rng.random() < 0.5
    if n and rng.random() < 0.5:
        arcs = [
            (rng.randrange(n), rng.randrange(n), *rng.sample(LABELS, rng.randint(0, 1)))
            for _ in range(rng.randint(1, 3))
        ]
        doc._.set(NAME, arcs)
    if n and rng.random() < 0.2:
        # All heads, which may be a tree with crossing arcs, or none.
        doc._.set(NAME, [(i, rng.randrange(n)) for i in range(n) if not doc[i].is_space])
    if n and rng.random() < 0.4:
        doc._.set(ARCS, [random_ban(rng, n) for _ in range(rng.randint(1, 4))])
    if n and rng.random() < 0.3:
        start = rng.randrange(n)
        doc._.set(SUBTREES, [(start, rng.randint(start + 1, n))])
    return doc


def random_ban(rng: Random, n: int) -> tuple:
    """A forbidden arc, an arc with a label, or a label with any head."""
    dependent, head, label = rng.randrange(n), rng.randrange(n), rng.choice(LABELS)
    return rng.choice([(dependent, head), (dependent, head, label), (dependent, None, label)])


def doc_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Trees that keep what was given, or a ConstraintError of the Doc."""
    nlp = pipeline(rng.randrange(len(CONFIGS)))
    docs = [random_doc(rng, nlp) for _ in range(8)]
    given = [[token.is_sent_start for token in doc] for doc in docs]
    refused: list[Doc] = []

    def note(name: str, pipe: object, failed: list[Doc], error: Exception) -> None:
        if not isinstance(error, ConstraintError):
            raise Fault(f"an error that is no ConstraintError: {error!r}") from error
        refused.extend(failed)

    nlp.set_error_handler(note)
    parsed = list(nlp.pipe(docs))
    check(len(parsed) + len(refused) == len(docs), "a Doc is lost")
    for doc, starts in zip(docs, given):
        if not any(doc is other for other in refused):
            check_doc(doc, starts)
            check_written(nlp, doc)
    return Counter(docs=len(docs), parses=len(parsed))


def check_doc(doc: Doc, starts: list[bool | None]) -> None:
    """starts: `is_sent_start` of each token before the Doc was parsed."""
    for sentence in doc.sents:
        roots = [token for token in sentence if token.head == token]
        check(len(roots) == 1, "ill-formed: a sentence without one root")
        check(len(list(roots[0].subtree)) == len(sentence), "ill-formed: words without the root")
    for token, start in zip(doc, starts):
        is_word = not token.is_space and not (token.i and doc[token.i - 1].is_space)
        if token.i and is_word and start is not None:
            check(token.is_sent_start == start, "lost preset: a boundary")
    for dependent, head, *label in doc._.get(NAME) or ():
        check(doc[dependent].head.i == head, "lost preset: a fixed head")
        if label and dependent != head:
            check(doc[dependent].dep_ == label[0], "lost preset: a fixed label")
    for dependent, head, *label in doc._.get(ARCS) or ():
        token = doc[dependent]
        has_arc = not token.is_space and (head is None or token.head.i == head)
        has_label = not label or (token.dep_ == label[0] and token.head != token)
        check(not (has_arc and has_label), "a forbidden arc")
    for start, end in doc._.get(SUBTREES) or ():
        inside = {token.i for token in doc[start:end] if not token.is_space}
        tops = [i for i in inside if doc[i].head.i not in inside or doc[i].head.i == i]
        below = {token.i for i in tops for token in doc[i].subtree if not token.is_space}
        check(len(tops) == 1 and below == inside, "no subtree")


def check_written(nlp: Language, doc: Doc) -> None:
    """Write a parsed Doc in all formats, and search for its best trees and its derivations."""
    parser = nlp.get_pipe("arceager_parser")
    for form in TREES.values():
        for n_trees in (None, 2):
            check(isinstance(TreeWriting(form, k_best=n_trees)(nlp)(doc, {}), str), "no text")
    for trees in parser.k_best(doc, width=3):
        check(1 <= len(trees) <= 3, "not as many trees as the beam is wide")
        scores = [tree.score for tree in trees]
        check(scores == sorted(scores, reverse=True), "the best tree is not the first")
    check(bool(parser.derivations([doc])), "no derivation")
    for token in doc:
        for value in (token._.arceager_confidence, token._.arceager_label_confidence):
            check(value is None or 0 <= value <= 1, "a confidence that is no probability")

"""English trees with ClearNLP's labels beside those of spaCy's English pipeline.

python -m benchmarks.clearnlp [--peer en_core_web_sm]
    [--sentences benchmarks/clearnlp_sentences.txt]

The English pipeline parses the sentences as it is, and with `arceager_clearnlp_labels`. Both are
compared with PEER: how many tokens have the same label, the same head, and both; which
subject-verb-object triples (textacy), noun chunks and matches of DependencyMatcher patterns that
were written for PEER are found by both. PEER's parses are no gold standard: its own errors count as
ours. The first part of the sentences was looked at while the conversion was written, the second was
not.
"""

import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import spacy
import typer
from spacy.language import Language
from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc

import spacy_arceager
from replication.tables import as_markdown

warnings.filterwarnings("ignore")
SENTENCES = Path(__file__).parent / "clearnlp_sentences.txt"

Found = set[tuple]


def edge(left: str, right: str, *labels: str) -> dict:
    """A node of a pattern: a child of the node `left` with one of some labels."""
    return {
        "LEFT_ID": left, "REL_OP": ">", "RIGHT_ID": right,
        "RIGHT_ATTRS": {"DEP": {"IN": [*labels]}},
    }


def pattern(pos: str, *edges: dict) -> list[dict]:
    """A pattern whose top node, `top`, has a part of speech."""
    return [{"RIGHT_ID": "top", "RIGHT_ATTRS": {"POS": {"IN": pos.split()}}}, *edges]


PATTERNS = {
    "verb, subject and object": pattern(
        "VERB", edge("top", "subject", "nsubj"), edge("top", "object", "dobj")
    ),
    "passive with its agent": pattern(
        "VERB", edge("top", "subject", "nsubjpass"), edge("top", "by", "agent"),
        edge("by", "agent", "pobj"),
    ),
    "copula with its predicate": pattern(
        "AUX VERB", edge("top", "subject", "nsubj"), edge("top", "predicate", "attr", "acomp")
    ),
    "prepositional phrase": pattern(
        "VERB AUX NOUN", edge("top", "preposition", "prep"), edge("preposition", "noun", "pobj")
    ),
    "recipient": pattern("VERB", edge("top", "recipient", "dative")),
    "possessor": pattern("NOUN PROPN", edge("top", "possessor", "poss")),
    "relative clause": pattern("NOUN PROPN PRON", edge("top", "clause", "relcl")),
    "negated verb": pattern("VERB AUX", edge("top", "negation", "neg")),
    "verb with its particle": pattern("VERB", edge("top", "particle", "prt")),
    "infinitive with its verb": pattern(
        "VERB ADJ AUX", edge("top", "infinitive", "xcomp"), edge("infinitive", "to", "aux")
    ),
}


def read_parts(path: Path) -> list[list[str]]:
    """The sentences behind each line that starts with #."""
    parts = path.read_text(encoding="utf8").split("#")[1:]
    return [part.strip().splitlines()[1:] for part in parts]


def triples(doc: Doc) -> Found:
    from textacy.extract import subject_verb_object_triples

    return {
        tuple(tuple(token.i for token in tokens) for tokens in triple)
        for triple in subject_verb_object_triples(doc)
    }


def chunks(doc: Doc) -> Found:
    return {(chunk.start, chunk.end) for chunk in doc.noun_chunks}


def matches(name: str) -> Callable[[Doc], Found]:
    def find(doc: Doc) -> Found:
        matcher = DependencyMatcher(doc.vocab)
        matcher.add(name, [PATTERNS[name]])
        return {tuple(tokens) for _, tokens in matcher(doc)}

    return find


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def agreement(ours: list[Doc], peers: list[Doc]) -> list[str]:
    """Tokens with an equal label, an equal head, and both, as shares of all."""
    pairs = [pair for docs in zip(ours, peers, strict=True) for pair in zip(*docs, strict=True)]
    label = [a.dep == b.dep for a, b in pairs]
    head = [a.head.i == b.head.i for a, b in pairs]
    both = [a and b for a, b in zip(label, head, strict=True)]
    return [share(sum(equal), len(pairs)) for equal in (label, head, both)]


class Counts(NamedTuple):
    """How much was found: by both, by the peer, only by ours."""

    both: int
    peer: int
    others: int

    def __str__(self) -> str:
        return f"{self.both} of {self.peer}, {self.others} others"


def count_found(find: Callable[[Doc], Found], ours: list[Doc], peers: list[Doc]) -> Counts:
    sides = [(find(a), find(b)) for a, b in zip(ours, peers, strict=True)]
    return Counts(
        sum(len(a & b) for a, b in sides), sum(len(b) for _, b in sides),
        sum(len(a - b) for a, b in sides),
    )


def in_all(counts: Sequence[Counts]) -> Counts:
    return Counts(*map(sum, zip(*counts, strict=True)))


def measure(texts: list[str], plain: Language, converted: Language, peer: Language) -> list:
    """One row a measure: its name, and what it is for UD's labels and for ClearNLP's."""
    peers = list(peer.pipe(texts))
    sides = [list(nlp.pipe(texts)) for nlp in (plain, converted)]
    same = [
        i for i, doc in enumerate(peers) if [token.text for token in doc]
        == [token.text for token in sides[0][i]]
    ]
    peers, *sides = ([docs[i] for i in same] for docs in (peers, *sides))
    rows = [("sentences with the same tokens", *[f"{len(same)} of {len(texts)}"] * 2)]
    names = ("equal label", "equal head", "equal head and label")
    rows += zip(names, *(agreement(docs, peers) for docs in sides), strict=True)
    finders = {"noun chunks": chunks}
    try:
        import textacy  # noqa: F401

        finders = {"triples of textacy": triples, **finders}
    except ImportError:
        print("textacy is not installed, so its triples are left out.")
    rows += count_rows(finders, sides, peers)
    patterns = count_rows({name: matches(name) for name in PATTERNS}, sides, peers)
    _, *columns = zip(*patterns, strict=True)
    return [*rows, *patterns, ("all patterns", *map(in_all, columns))]


def count_rows(
    finders: dict[str, Callable[[Doc], Found]], sides: list[list[Doc]], peers: list[Doc]
) -> list[tuple]:
    return [
        (name, *(count_found(find, docs, peers) for docs in sides))
        for name, find in finders.items()
    ]


def main(
    peer: Annotated[str, typer.Option(help="An English pipeline with ClearNLP's labels.")]
    = "en_core_web_sm",
    sentences: Annotated[Path, typer.Option(help="Sentences in parts.")] = SENTENCES,
) -> None:
    plain, converted = spacy_arceager.load("en"), spacy_arceager.load("en")
    converted.add_pipe("arceager_clearnlp_labels")
    peer_nlp = spacy.load(peer)
    for number, texts in enumerate(read_parts(sentences), 1):
        print(f"\nPart {number}\n")
        rows = measure(texts, plain, converted, peer_nlp)
        cells = [[str(cell) for cell in row] for row in rows]
        print(as_markdown(("", "UD labels", "arceager_clearnlp_labels"), cells))


if __name__ == "__main__":
    typer.run(main)

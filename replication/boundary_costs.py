"""What a pipeline loses by its sentence boundaries, and at which kinds of places.

python -m replication.boundary_costs PIPELINE DEV_CONLLU [--sentences-per-doc N] [--careless]

The pipeline parses gold tokens, in Docs of N sentences or, without that option, in Docs that are
paragraphs, with boundaries of its own and with those of the treebank, and with its own without the
wrong ones, and with the ones that it missed. For each kind of place there is what these two would
bring there alone. With --careless texts have no capitals, and sentences end without punctuation.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated

import numpy
import typer
from numpy.typing import NDArray
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

import spacy_arceager
from spacy_arceager.annotation.boundaries import write_boundaries
from spacy_arceager.annotation.tokens import read_boundaries
from spacy_arceager.corpus.conllu import (
    ConlluSentence,
    read_file,
    sentences_to_doc,
    without_annotation,
)
from spacy_arceager.corpus.noise import create_noise
from spacy_arceager.evaluation.raw_alignment import starts_paragraph
from spacy_arceager.evaluation.scorer import score_pipeline

from .tables import as_markdown

BEHIND = (
    "behind .?!", "behind a closing quote or bracket", "behind other punctuation", "behind a word"
)
BEFORE = ("before a capital", "before a small letter", "before a digit or punctuation")
KINDS = (*BEHIND, *BEFORE)
LEAST = 5    # a kind has so many boundaries, or it is left out


def main(
    pipeline: str,
    treebank: Path,
    sentences_per_doc: Annotated[int, typer.Option(help="0: paragraphs")] = 0,
    careless: Annotated[bool, typer.Option(help="no capitals, no full stops")] = False,
) -> None:
    """Print the scores of each choice of boundaries, and of each kind of place."""
    nlp = spacy_arceager.load(pipeline)
    sentences = list(read_file(treebank))
    if careless:
        sentences = create_noise(both=1.0)(sentences)
    gold = [sentences_to_doc(nlp.vocab, part) for part in cut(sentences, sentences_per_doc)]
    right = [read_boundaries(doc) == 1 for doc in gold]
    own = [read_boundaries(doc) == 1 for doc in nlp.pipe(map(without_annotation, gold))]
    pairs = list(zip(own, right, strict=True))
    choices = {
        "its own": own,
        "the treebank's": right,
        "its own, without the wrong ones": [a & b for a, b in pairs],
        "its own, and the missed ones": [a | b for a, b in pairs],
    }
    scores = {name: score_with(nlp, gold, chosen) for name, chosen in choices.items()}
    print(as_markdown(
        ("boundaries", "F1 of sentences", "UD LAS"),
        ((name, f"{100 * f1:.2f}", f"{100 * las:.2f}") for name, (f1, las) in scores.items()),
    ))
    print()
    rows = (
        (kind, str(number), f"{100 * (las - scores['its own'][1]):+.2f}")
        for kind, number, las in mend(nlp, gold, pairs)
    )
    print(as_markdown(("put right alone", "boundaries", "UD LAS"), rows))


def mend(
    nlp: Language, gold: Sequence[Doc], pairs: Sequence[tuple[NDArray, NDArray]]
) -> Iterator[tuple[str, int, float]]:
    """For each kind of wrong boundary its name, how many there are, and UD LAS without them.

    Args:
        pairs: of each Doc, where sentences start by the pipeline and by the treebank.
    """
    for kind, is_start in product(KINDS, (False, True)):
        wrong = [
            places(doc, kind) & (own != right) & (right == is_start)
            for doc, (own, right) in zip(gold, pairs, strict=True)
        ]
        number = sum(map(numpy.count_nonzero, wrong))
        if number >= LEAST:
            mended = [own ^ here for (own, _), here in zip(pairs, wrong, strict=True)]
            name = f"{'missed' if is_start else 'wrong'}, {kind}"
            yield name, number, score_with(nlp, gold, mended)[1]


def cut(sentences: Sequence[ConlluSentence], size: int) -> Iterator[Sequence[ConlluSentence]]:
    """The sentences of each Doc: so many, or a paragraph if size is 0."""
    begins = [0, *(
        i for i, sentence in enumerate(sentences)
        if (i % size == 0 if size else any(map(starts_paragraph, sentence.comments)))
    )]
    ends = [*begins[1:], len(sentences)]
    yield from (sentences[a:b] for a, b in zip(begins, ends, strict=True) if a < b)


def score_with(
    nlp: Language, gold: Sequence[Doc], boundaries: Sequence[NDArray]
) -> tuple[float, float]:
    """The F1 of sentences and UD LAS of parses with given boundaries, from 0 to 1.

    Args:
        boundaries: of each Doc, (n_tokens,) bool, where a sentence starts.
    """
    docs = [*map(without_annotation, gold)]
    for doc, starts in zip(docs, boundaries, strict=True):
        write_boundaries(doc, numpy.where(starts, 1, -1))
    examples = [Example(doc, one) for doc, one in zip(nlp.pipe(docs), gold, strict=True)]
    scores = score_pipeline(nlp, examples)
    return scores["sents_f"], scores["dep_las_ud"]


def places(doc: Doc, kind: str) -> NDArray[numpy.bool_]:
    """Whether the place before each token is of a kind: (n_tokens,)."""
    return numpy.asarray([kind in kinds_of(doc, i) for i in range(len(doc))], dtype=bool)


def kinds_of(doc: Doc, i: int) -> tuple[str, ...]:
    """The kinds of the place before a token: what stands before it, and what behind it."""
    if i == 0:
        return ()
    before, after = doc[i - 1].text, doc[i].text[0]
    return (
        BEHIND[0] if not before.strip(".?!") else
        BEHIND[1] if not before.strip(")]}\"'”’»") else
        BEHIND[2] if not any(map(str.isalnum, before)) else BEHIND[3],
        BEFORE[0] if after.isupper() else BEFORE[1] if after.isalpha() else BEFORE[2],
    )


if __name__ == "__main__":
    typer.run(main)

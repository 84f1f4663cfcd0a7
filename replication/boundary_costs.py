"""What a pipeline loses by its sentence boundaries, and at which kinds of places.

python -m replication.boundary_costs PIPELINE DEV_CONLLU [--sentences-per-doc N] [--careless]

The pipeline parses gold tokens, in Docs of N sentences or, without that option, in Docs that are
paragraphs, with boundaries of its own and with those of the treebank, and with its own without the
wrong ones, and with the ones that it missed. For each kind of place there is what these two would
bring there alone. With --careless the texts have no capitals and no punctuation at ends of sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
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
from spacy_arceager.evaluation.scorer import PipelineScorer

from .tables import as_markdown

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

    def score(choose: Callable[[Doc, NDArray, NDArray], NDArray]) -> tuple[float, float]:
        return score_with(nlp, gold, [*map(choose, gold, own, right)])

    choices = {
        "its own": score(lambda doc, own, right: own),
        "the treebank's": score(lambda doc, own, right: right),
        "its own, without the wrong ones": score(lambda doc, own, right: own & right),
        "its own, and the missed ones": score(lambda doc, own, right: own | right),
    }
    print(as_markdown(
        ("boundaries", "F1 of sentences", "UD LAS"),
        ((name, f"{100 * f1:.2f}", f"{100 * las:.2f}") for name, (f1, las) in choices.items()),
    ))
    rows = []
    for error, is_start in (("missed", True), ("wrong", False)):
        counts = Counter(chain.from_iterable(
            kind_of(doc, int(i))
            for doc, a, b in zip(gold, own, right, strict=True)
            for i in numpy.flatnonzero((a != b) & (b == is_start))
        ))
        for kind, number in counts.most_common():
            if number < LEAST:
                continue
            las = score(lambda doc, own, right, kind=kind, is_start=is_start: numpy.where(
                [kind in kind_of(doc, i) for i in range(len(doc))] & (right == is_start), right, own
            ))[1]
            gain = 100 * (las - choices["its own"][1])
            rows.append((f"{error}, {kind}", str(number), f"{gain:+.2f}"))
    print()
    print(as_markdown(("put right alone", "boundaries", "UD LAS"), rows))


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
    scores = PipelineScorer(nlp=nlp).score(examples)
    return scores["sents_f"], scores["dep_las_ud"]


def kind_of(doc: Doc, i: int) -> Iterator[str]:
    """The kinds of the place before a token: what stands before it and behind it."""
    if i == 0:
        return
    before = doc[i - 1].text
    if before.strip(".?!") == "":
        yield "behind .?!"
    elif before.strip(")]}\"'”’»") == "":
        yield "behind a closing quote or bracket"
    elif not any(map(str.isalnum, before)):
        yield "behind other punctuation"
    else:
        yield "behind a word"
    after = doc[i].text[0]
    if after.isupper():
        yield "before a capital"
    elif after.isalpha():
        yield "before a small letter"
    else:
        yield "before a digit or punctuation"


if __name__ == "__main__":
    typer.run(main)

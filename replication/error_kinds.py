"""Where the trainings of a study are right: words that are known or not, arcs, labels, sentences.

python -m replication.error_kinds STUDY.yml --treebank NAME=FOLDER [--treebank ...] [--seeds 3]
    [--steps 2000] [--output training/study]

The study is one of study.py's, with the same options; what it has trained is read. For each kind of
gold words there are its share of the words, the first variant's UD LAS, and what the others have
more, in points: means over the treebanks, and over the seeds of each. A variant that is not trained
on each treebank is left out.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Annotated

import numpy
import spacy
import typer
from numpy.typing import NDArray
from spacy.tokens import Doc, Token

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.evaluation.breakdown import DISTANCES, LENGTHS, name_range, ranges
from spacy_arceager.evaluation.raw_scores import FUNCTION
from spacy_arceager.evaluation.ud import align_parses
from spacy_arceager.systems.ud_rules import universal
from spacy_arceager.trees.algorithms import non_projective_arcs

from .study import plan, side
from .tables import as_markdown
from .trainings import Training, Treebank

LENGTH_NAMES = [f"sentence of {name} words" for name in ranges(LENGTHS)]
DISTANCE_NAMES = [f"distance {name}" for name in ranges(DISTANCES)]
KINDS = [
    "all", "known form", "unknown form", "root", "head to the left", "head to the right",
    *DISTANCE_NAMES, "content word", "function word", "final punctuation", "other punctuation",
    "on a non-projective arc", *LENGTH_NAMES,
]


def main(
    study: Annotated[Path, typer.Argument(help="Variants, as for study.py")],
    treebank: Annotated[list[str], typer.Option(help="NAME=FOLDER, with *train and *dev.conllu")],
    seeds: Annotated[int, typer.Option(help="Trainings of each")] = 3,
    steps: Annotated[int, typer.Option(help="Updates of each training")] = 2000,
    output: Annotated[Path, typer.Option(help="Folder of the trainings")] = Path("training/study"),
) -> None:
    """Print the table."""
    planned, treebanks, trainings = plan(study, treebank, (steps, seeds), output)
    done = [one for one in trainings if one.has("scores")]
    variants = [name for name in planned
                if all(side(done, name, bank.name, "las") for bank in treebanks)]
    base = next(iter(planned))
    if base not in variants:
        raise SystemExit(f"'{base}' is not trained on each treebank; is it the same --steps?")
    shares = [kind_shares(bank, variants, done) for bank in treebanks]
    rows = []
    for kind in KINDS:
        found = [share[kind] for share in shares if kind in share]
        if found:
            size, first, *others = (mean(column) for column in zip(*found, strict=True))
            rows.append([kind, f"{100 * size:.1f} %", f"{100 * first:.1f}",
                         *(f"{100 * (other - first):+.1f}" for other in others)])
    print(as_markdown(["words", "share", *variants], rows))


def kind_shares(
    bank: Treebank, variants: Sequence[str], done: Sequence[Training]
) -> dict[str, list[float]]:
    """Of each kind that a dev file has: its share of the words, and the LAS of each variant."""
    kinds = find_kinds(bank)
    right = [
        numpy.mean([one.right for one in side(done, name, bank.name, "las")], axis=0)
        for name in variants
    ]
    return {
        kind: [float(mask.mean()), *(float(own[mask].mean()) for own in right)]
        for kind, mask in kinds.items() if mask.any()
    }


def find_kinds(bank: Treebank) -> dict[str, NDArray[numpy.bool_]]:
    """(n_words,) of each kind: which words of the dev file are of it."""
    nlp = spacy.blank("xx")
    known = {token.text for one in ConlluCorpus(bank.train)(nlp) for token in one.reference}
    words = []
    for example in ConlluCorpus(bank.dev)(nlp):
        found = word_kinds(example.reference, known)
        # Words without annotation are no outcomes.
        words += [found[word] for own in align_parses(example).sentences for word in own]
    return {kind: numpy.asarray([kind in own for own in words]) for kind in KINDS}


def word_kinds(doc: Doc, known: set[str]) -> list[set[str]]:
    """The kinds of each word of a sentence, by the forms of the training file."""
    heads = numpy.asarray([token.head.i for token in doc], dtype="i")
    non_projective = set(non_projective_arcs(heads))
    length = f"sentence of {name_range(len(doc), LENGTHS)} words"
    return [
        {
            "all", length, group_of(token), *arc_kinds(token),
            "known form" if token.text in known else "unknown form",
            *(["on a non-projective arc"] if token.i in non_projective else []),
        }
        for token in doc
    ]


def group_of(token: Token) -> str:
    label = universal(token.dep_)
    if label == "punct":
        return "final punctuation" if token.i == len(token.doc) - 1 else "other punctuation"
    return "function word" if label in FUNCTION else "content word"


def arc_kinds(token: Token) -> list[str]:
    distance = token.head.i - token.i
    if not distance:
        return ["root"]
    return [
        f"head to the {'right' if distance > 0 else 'left'}",
        f"distance {name_range(abs(distance), DISTANCES)}",
    ]


if __name__ == "__main__":
    typer.run(main)

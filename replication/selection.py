"""What `arceager select` saves: annotate sentences that it chose, or as many words at random.

python -m replication.selection NAME=FOLDER [--start 500] [--number 500] [--seeds 3] [--steps 1000]
    [--by mean] [--by minimum] [--output training/selection]

FOLDER holds *train.conllu and *dev.conllu. With each seed a parser is trained on the trees of START
random sentences of the training file; `arceager select` chooses NUMBER of the others; parsers are
trained on the start and those, and on the start and random ones with as many words, with as many
updates. All trees are gold ones; LAS is that of the dev file. A training that is done is not done
again. OUTPUT gets a folder NAME with the trainings, and results.json.
"""

import random
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, stdev
from typing import Annotated, NamedTuple

import srsly
import typer

from spacy_arceager.corpus.conllu.read import read_file
from spacy_arceager.evaluation.significance import compare
from spacy_arceager.formats.candidates import Statistic

from .tables import as_markdown
from .trainings import Training, Treebank, find_treebanks, init_config, make_training, run_all

LENGTHS = (4, 40)       # words of a sentence that is worth annotating, as in docs/annotation.md
START, RANDOM = "start", "random like "

Words = tuple[str, ...]     # of a sentence


class Sentences(dict[Words, str]):
    """The words of the different sentences of a file, and their CoNLL-U, in its order."""

    def __init__(self, path: Path) -> None:
        blocks = path.read_text(encoding="utf8").strip().split("\n\n")
        words = (tuple(word.form for word in sentence.words) for sentence in read_file(path))
        super().__init__(zip(words, blocks, strict=True))

    def write(self, path: Path, chosen: Iterable[Words]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{self[words]}\n\n" for words in chosen)
        path.write_text(text, encoding="utf8")


class Choice(NamedTuple):
    """Sentences that were learnt from: how many words, and the training."""

    name: str
    words: int
    training: Training


@dataclass(frozen=True)
class Trial:
    """The trainings of one seed. output: the folder of all."""

    treebank: Treebank
    output: Path
    steps: int
    seed: int

    @property
    def home(self) -> Path:
        """Data and choices of this seed."""
        return self.output / self.treebank.name / f"data-{self.seed}"

    def run(self, start: int, number: int, by: Sequence[Statistic]) -> Iterator[Choice]:
        """Train on the start, and on what each statistic adds to it, and on random sentences."""
        sentences = Sentences(self.treebank.train)
        order = list(sentences)
        random.Random(self.seed).shuffle(order)
        first, rest = order[:start], order[start:]
        pool = [words for words in rest if LENGTHS[0] <= len(words) <= LENGTHS[1]]
        beginning = self.train(START, sentences, first)
        yield beginning
        sentences.write(self.home / "pool.conllu", pool)
        for statistic in by:
            chosen = self.select(beginning.training.pipeline, number, statistic)
            yield self.train(statistic.value, sentences, [*first, *chosen])
            same = cut(pool, sum(map(len, chosen)))
            yield self.train(RANDOM + statistic.value, sentences, [*first, *same])

    def train(self, name: str, sentences: Sentences, chosen: Sequence[Words]) -> Choice:
        """Train on some sentences, if that is not done."""
        data = self.home / name
        sentences.write(data / "train.conllu", chosen)
        (data / "dev.conllu").write_bytes(self.treebank.dev.read_bytes())
        training = make_training(
            name, init_config(), {},
            (Treebank(self.treebank.name, data), self.steps, self.seed), self.output,
        )
        run_all([training], ["scores"], 1)
        if not training.has("scores"):
            raise SystemExit(f"{training.folder} is not done")
        return Choice(name, sum(map(len, chosen)), training)

    def select(self, model: str, number: int, statistic: Statistic) -> list[Words]:
        """The words of the sentences that the command chooses of the pool."""
        chosen = self.home / f"{statistic.value}.conllu"
        subprocess.run(
            [sys.executable, "-m", "spacy_arceager", "select", "--model", model,
             "--input", str(self.home / "pool.conllu"), "--number", str(number),
             "--by", statistic.value, "--output", str(chosen)],
            check=True,
        )
        return [*Sentences(chosen)]


def cut(pool: Sequence[Words], size: int) -> list[Words]:
    """Sentences from the front of a shuffled pool until they have so many words."""
    chosen: list[Words] = []
    for sentence in pool:
        if size <= 0:
            break
        chosen.append(sentence)
        size -= len(sentence)
    return chosen


class Row(NamedTuple):
    """A choice over all seeds: mean words, LAS of each; the difference to random ones, its p."""

    choice: str
    words: float
    las: list[float]
    difference: float | None
    p: float | None


def summarize(choices: Sequence[Choice]) -> list[Row]:
    """A row for each way to choose. LAS and differences are in percent."""
    names = dict.fromkeys(choice.name for choice in choices)
    own = {name: [choice for choice in choices if choice.name == name] for name in names}
    right = {
        name: [choice.training.outcomes("las") for choice in found] for name, found in own.items()
    }
    rows = []
    for name, found in own.items():
        beside = right.get(RANDOM + name)
        result = compare(right[name], beside) if beside else None
        rows.append(Row(
            name, mean(choice.words for choice in found),
            [100 * one.accuracy for one in right[name]],
            100 * result.difference if result else None, result.p if result else None,
        ))
    return rows


def as_table(rows: Iterable[Row]) -> str:
    cells = [
        (row.choice, f"{row.words:,.0f}", f"{mean(row.las):.2f}",
         f"{stdev(row.las):.2f}" if row.las[1:] else "",
         "" if row.difference is None else f"{row.difference:+.2f}",
         "" if row.p is None else f"{row.p:.4f}")
        for row in rows
    ]
    return as_markdown(("learnt from", "words", "LAS", "±", "to random", "p"), cells)


def main(
    treebank: Annotated[str, typer.Argument(help="NAME=FOLDER, with *train and *dev.conllu")],
    start: Annotated[int, typer.Option(help="Sentences of the first training")] = 500,
    number: Annotated[int, typer.Option(help="Sentences to select")] = 500,
    seeds: Annotated[int, typer.Option(help="How often, each with another start")] = 3,
    steps: Annotated[int, typer.Option(help="Updates of each training")] = 1000,
    by: Annotated[list[Statistic], typer.Option(help="As of `select`")] = [Statistic.mean],  # noqa: B006
    output: Annotated[Path, typer.Option(help="Folder for data, pipelines, results")] = Path(
        "training/selection"
    ),
) -> None:
    """Train what is missing; after each seed, print a table of all so far."""
    (found,) = find_treebanks([treebank])
    choices: list[Choice] = []
    for seed in range(seeds):
        choices += Trial(found, output, steps, seed).run(start, number, by)
        rows = summarize(choices)
        srsly.write_json(output / found.name / "results.json", [row._asdict() for row in rows])
        print(f"\n{seed + 1} of {seeds} seeds\n{as_table(rows)}", flush=True)


if __name__ == "__main__":
    typer.run(main)

"""Train, score and pack a pipeline for each language; see `release` in project.yml."""

import shutil
from pathlib import Path
from typing import Annotated

import srsly
import typer
from thinc.api import Config

from replication.trainings import (
    Training,
    Treebank,
    find_treebanks,
    make_training,
    train_and_measure,
    write_whole,
)
from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.conllu import read_sentences

from .building import build
from .card import make_record, write_card
from .languages import Language, read_languages
from .scoring import score
from .supplement import with_supplement
from .wheel import make_wheel

RECORDS = Path(__file__).parents[1] / "benchmarks" / "record" / "pipelines"
STEPS = 6000
# Small tables make a small package.
SETTINGS = {
    "training.patience": 1500,
    "training.eval_frequency": 250,
    "components.tok2vec.model.embed.rows": [3000, 750, 1500, 1000, 50],
    "components.tok2vec.model.embed.ngram_rows": 5000,
    "components.tok2vec.model.embed.affix_rows": 500,
}


def main(
    treebanks: Annotated[
        Path, typer.Argument(help="Folder with the folders of the treebanks, see treebanks.yml.")
    ],
    output: Annotated[
        Path, typer.Option(help="Folder for trainings, scores, pipelines and wheels.")
    ] = Path("training/release"),
    records: Annotated[
        Path, typer.Option(help="Folder for the records of which the documentation is made.")
    ] = RECORDS,
    languages: Annotated[str, typer.Option(help="Codes with commas; empty for all.")] = "",
    steps: Annotated[int, typer.Option(help="Updates of each training, at most.")] = STEPS,
) -> None:
    """Make all that is not there yet. What is there is kept: delete it, and it is made again."""
    rows = read_languages(languages)
    found = find_treebanks(f"{row.code}={treebanks / row.folder}" for row in rows)
    failed = []
    for row, treebank in zip(rows, found, strict=True):
        try:
            release(row, treebank, output, records, steps)
        except SystemExit as problem:
            typer.echo(problem, err=True)
            failed.append(row.package)
    if failed:
        raise SystemExit(f"Not made: {', '.join(failed)}")


def release(row: Language, treebank: Treebank, output: Path, records: Path, steps: int) -> None:
    """Train, build, score and pack the pipeline of one language."""
    folder = output / row.code
    learnt = with_supplement(row.code, treebank, folder / "treebank")
    training = plan_training(row, learnt, output, steps)
    if not training.is_done:
        typer.echo(f"{row.package}: training, see {training.folder / 'log'}")
        if problem := train_and_measure(training, []):
            raise SystemExit(problem)
    pipeline = folder / "pipeline"
    if not pipeline.exists():
        part = folder / "pipeline.part"
        shutil.rmtree(part, ignore_errors=True)
        build(Path(training.pipeline), learnt.train, learnt.dev, part)
        part.rename(pipeline)
    score(pipeline, treebank.folder, folder)
    record = folder / "record.json"
    if not record.exists():
        facts = make_record(row, treebank, pipeline, training.read("trained.json")["commit"])
        write_card(row, pipeline, facts)
        facts["wheel"] = make_wheel(pipeline, folder).stat().st_size
        write_whole(record, lambda path: srsly.write_json(path, facts))
    records.mkdir(parents=True, exist_ok=True)
    shutil.copy(record, records / f"{row.code}.json")
    typer.echo(f"{row.package}: done, see {folder}")


def plan_training(row: Language, treebank: Treebank, output: Path, steps: int) -> Training:
    """The training of a language, with the folder where it is or will be."""
    config = Config().from_str(make_config(lang=row.code, pipeline="full"), interpolate=False)
    for name in find_unlearnable(treebank):
        config["nlp"]["pipeline"].remove(name)
        del config["components"][name]
    return make_training("training", config, SETTINGS, (treebank, steps, 0), output)


def find_unlearnable(treebank: Treebank) -> list[str]:
    """The components that cannot learn or be scored: no word of one of the files has a value.

    The reader takes UPOS where there is no XPOS, so that a tagger would learn that once more.
    """
    columns = {"tagger": "xpos", "trainable_lemmatizer": "lemma"}
    empty = empty_columns(treebank.train) | empty_columns(treebank.dev)
    return [name for name, column in columns.items() if column in empty]


def empty_columns(path: Path) -> set[str]:
    """The columns, of XPOS and LEMMA, in which no word of a file has a value."""
    empty = {"xpos", "lemma"}
    with path.open(encoding="utf8") as lines:
        for sentence in read_sentences(lines):
            for word in sentence.words:
                empty = {column for column in empty if getattr(word, column) == "_"}
            if not empty:
                break
    return empty


if __name__ == "__main__":
    typer.run(main)

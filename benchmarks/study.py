"""Train variants on treebanks with several seeds, and say which differences mean something.

python benchmarks/study.py STUDY.yml --treebank NAME=FOLDER [--treebank ...] [--seeds 3]
    [--steps 2000] [--jobs 2] [--output training/study]

STUDY.yml has a config and its overrides for each variant, the first is what the others are
compared with:

    baseline:
      config: benchmarks/peer.cfg
    ours:
      config: ours.cfg      # arceager init-config ours.cfg --no-segment
      overrides: {training.dropout: 0.3}

A training that is done is not done again: stop and go on as you like. The folder OUTPUT gets
table.md and results.json, with the commit and the versions.
"""

from common import find_file  # isort: skip  (sets the thread counts)

import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import mean
from typing import Annotated, Any

import numpy
import spacy
import srsly
import typer
from spacy.training import Example
from tqdm import tqdm

from spacy_arceager.corpus.corpus import create_conllu_corpus
from spacy_arceager.evaluation.outcomes import MEASURES, Outcomes, find_outcomes
from spacy_arceager.evaluation.scorer import make_parser_scorer
from spacy_arceager.evaluation.significance import Comparison, compare

PACKAGES = ("spacy-arceager", "spacy", "thinc", "numpy")


@dataclass(frozen=True)
class Run:
    """One training: a variant on a treebank with a seed, and where its results lie."""

    variant: str
    treebank: str
    seed: int
    folder: Path
    config: str
    overrides: dict[str, Any]

    @property
    def outcomes(self) -> Path:
        return self.folder / "outcomes.npz"


def main(
    study: Annotated[Path, typer.Argument(help="Variants, as above")],
    treebank: Annotated[list[str], typer.Option(help="NAME=FOLDER, with *train and *dev.conllu")],
    seeds: Annotated[int, typer.Option(help="Trainings of each")] = 3,
    steps: Annotated[int, typer.Option(help="Updates of each training")] = 2000,
    jobs: Annotated[int, typer.Option(help="Trainings at a time")] = 2,
    measure: Annotated[str, typer.Option(help="uas, las or las_full")] = "las",
    output: Annotated[Path, typer.Option(help="Folder for pipelines and results")] = Path(
        "training/study"
    ),
) -> None:
    """Train what is missing, then print one table."""
    variants = srsly.read_yaml(study)
    folders = dict(item.split("=", 1) for item in treebank)
    runs = [
        Run(name, bank, seed, output / bank / f"{name}-{steps}-{seed}", variant["config"],
            variant.get("overrides", {}))
        for seed in range(seeds) for bank in folders for name, variant in variants.items()
    ]
    missing = [run for run in runs if not run.outcomes.exists()]
    with ThreadPoolExecutor(jobs) as pool:
        done = pool.map(lambda run: train(run, Path(folders[run.treebank]), steps), missing)
        for failed in tqdm(done, total=len(missing)):
            if failed:
                tqdm.write(failed)
    finished = [run for run in runs if run.outcomes.exists()]
    table = as_table(finished, list(variants), list(folders), measure)
    (output / "table.md").write_text(table, encoding="utf8")
    srsly.write_json(output / "results.json", results(finished, steps))
    print(table)


def train(run: Run, treebank: Path, steps: int) -> str:
    """Train and score in processes of their own; returns a message if that fails."""
    run.folder.mkdir(parents=True, exist_ok=True)
    settings = {
        "paths.train": find_file(treebank, "train"), "paths.dev": find_file(treebank, "dev"),
        "training.max_steps": steps, "system.seed": run.seed, **run.overrides,
    }
    overrides = [part for name, value in settings.items() for part in (f"--{name}", str(value))]
    command = [
        sys.executable, "-m", "spacy", "train", run.config, "--output", str(run.folder), *overrides
    ]
    scoring = [
        sys.executable, __file__, "--score", str(run.folder), str(find_file(treebank, "dev"))
    ]
    with (run.folder / "log").open("w", encoding="utf8") as log:
        for step in (command, scoring):
            if subprocess.run(step, stdout=log, stderr=log, check=False).returncode:
                return f"{run.folder} failed; see its log"
    return ""


def score(folder: Path, dev: Path) -> None:
    """Score the best pipeline of a training, and keep what is right by word."""
    nlp = spacy.load(folder / "model-best")
    examples = list(create_conllu_corpus(dev)(nlp))
    docs = nlp.pipe([example.predicted for example in examples])
    parsed = [Example(doc, eg.reference) for doc, eg in zip(docs, examples, strict=True)]
    srsly.write_json(folder / "scores.json", make_parser_scorer()(parsed))
    found = {measure: find_outcomes(parsed, measure) for measure in MEASURES}
    numpy.savez_compressed(
        folder / "outcomes.npz", sentence=found["las"].sentence,
        **{measure: outcomes.right for measure, outcomes in found.items()},
    )


def load_outcomes(run: Run, measure: str) -> Outcomes:
    with numpy.load(run.outcomes) as arrays:
        return Outcomes(arrays[measure], arrays["sentence"])


def as_table(
    runs: list[Run], variants: list[str], treebanks: list[str], measure: str
) -> str:
    """Markdown: mean and spread over seeds, and the difference to the first variant."""
    header = ["variant", *treebanks, "mean"]
    lines = [f"| {' | '.join(header)} |", "|---" + "|---:" * (len(header) - 1) + "|"]
    for variant in variants:
        found = [side(runs, variant, bank, measure) for bank in treebanks]
        first = [side(runs, variants[0], bank, measure) for bank in treebanks]
        cells = [cell(own, base, variant == variants[0])
                 for own, base in zip(found, first, strict=True)]
        overall = f"{100 * mean(accuracy(own) for own in found):.2f}" if all(found) else ""
        lines.append(f"| {variant} | {' | '.join(cells)} | {overall} |")
    return "\n".join([*lines, "", legend(measure, variants[0])])


def legend(measure: str, first: str) -> str:
    return (
        f"{measure.upper()}, mean over seeds ± standard deviation; in brackets the difference to "
        f"{first}, with stars for p < .05 (*), .01 (**), .001 (***) by approximate randomization "
        "over sentences."
    )


def side(runs: Iterable[Run], variant: str, treebank: str, measure: str) -> list[Outcomes]:
    """The outcomes of all trainings of a variant on a treebank."""
    return [load_outcomes(run, measure) for run in runs
            if (run.variant, run.treebank) == (variant, treebank)]


def accuracy(outcomes: list[Outcomes]) -> float:
    return mean(one.accuracy for one in outcomes)


def cell(own: list[Outcomes], base: list[Outcomes], is_base: bool) -> str:
    if not own:
        return ""
    spread = 100 * float(numpy.std([one.accuracy for one in own]))
    text = f"{100 * accuracy(own):.2f} ± {spread:.2f} ({len(own)})"
    if is_base or not base:
        return text
    result = compare(own, base)
    return f"{text} [{100 * result.difference:+.2f}{stars(result)}]"


def stars(result: Comparison) -> str:
    return "*" * sum(result.randomization < level for level in (0.05, 0.01, 0.001))


def results(runs: list[Run], steps: int) -> dict[str, Any]:
    """All scores, with what they were made with."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return {
        "commit": commit.stdout.strip(),
        "versions": {name: version(name) for name in PACKAGES},
        "steps": steps,
        "runs": [
            {"variant": run.variant, "treebank": run.treebank, "seed": run.seed,
             "config": run.config, "overrides": run.overrides,
             **srsly.read_json(run.folder / "scores.json")}
            for run in runs
        ],
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["--score"]:
        score(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        typer.run(main)

"""Train every system on a treebank and print one table of what each reaches.

python benchmarks/systems.py FOLDER [--systems arc_hybrid,arc_hybrid_swap] [--steps 2500]

FOLDER holds *train.conllu and *dev.conllu. Each system that builds trees is trained with
`spacy train` and the config of `arceager init-config`, two at a time on one core each; one whose
training/systems/NAME/SYSTEM is there already is not trained again. Then each is scored on the dev
file.
"""

from common import find_file  # isort: skip  (sets the thread counts)

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import spacy
import srsly
import typer
from spacy.language import Language
from spacy.training import Example

from spacy_arceager.cli.init_config import make_config
from spacy_arceager.corpus.corpus import create_conllu_corpus
from spacy_arceager.evaluation.coverage import coverage
from spacy_arceager.evaluation.scorer import make_parser_scorer
from spacy_arceager.systems.catalogue import TREE_SYSTEMS

COLUMNS = (
    "system", "UAS", "LAS", "exact", "CUR", "several roots", "coverage", "transitions", "words/s",
)


def main(
    folder: Annotated[Path, typer.Argument(help="Treebank: *train.conllu, *dev.conllu")],
    systems: Annotated[str, typer.Option(help="Names, with commas; all by default")] = "",
    peers: Annotated[str, typer.Option(help="NAME=FOLDER of other pipelines, commas")] = "",
    steps: Annotated[int, typer.Option(help="Updates of each training")] = 2500,
    jobs: Annotated[int, typer.Option(help="Trainings at a time")] = 2,
    output: Annotated[Path, typer.Option(help="Folder for pipelines and scores")] = Path(
        "training/systems"
    ),
) -> None:
    """Train, score and print a table; scores go to OUTPUT/TREEBANK/scores.json."""
    names = systems.split(",") if systems else list(TREE_SYSTEMS)
    target = output / folder.name
    target.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda name: train(name, folder, steps, target), names))
    models = {name: target / name / "model-best" for name in names}
    models.update((name, Path(path)) for name, path in pairs(peers))
    rows = [score(name, path, folder) for name, path in models.items()]
    srsly.write_json(target / "scores.json", rows)
    print(as_table(rows))


def pairs(text: str) -> list[tuple[str, str]]:
    """A list "a=x,b=y" as pairs."""
    return [(name, path) for name, _, path in (item.partition("=") for item in text.split(",")
                                               if item)]


def train(name: str, folder: Path, steps: int, target: Path) -> None:
    """Train one system in a process of its own; its log lies beside it."""
    if (target / name / "model-best").exists():
        return
    config = target / f"{name}.cfg"
    config.write_text(make_config(name, token_vectors="words"), encoding="utf8")
    command = [
        sys.executable, "-m", "spacy", "train", str(config),
        "--output", str(target / name),
        "--paths.train", str(find_file(folder, "train")),
        "--paths.dev", str(find_file(folder, "dev")),
        "--training.max_steps", str(steps),
    ]
    with (target / f"{name}.log").open("w", encoding="utf8") as log:
        subprocess.run(command, stdout=log, stderr=log, check=True)


def score(name: str, path: Path, folder: Path) -> dict[str, Any]:
    """Scores, coverage of the dev set and speed of one pipeline."""
    nlp = spacy.load(path)
    examples = list(create_conllu_corpus(find_file(folder, "dev"))(nlp))
    docs = nlp.pipe([eg.predicted.copy() for eg in examples])
    parsed = [Example(doc, eg.reference) for doc, eg in zip(docs, examples)]
    scores = make_parser_scorer()(parsed)
    row = {
        "system": name,
        "UAS": scores["dep_uas_ud"],
        "LAS": scores["dep_las_ud"],
        "exact": scores["dep_exact"],
        "CUR": scores["dep_crossing_recall"],
        "several roots": scores["dep_multiple_roots"],
        "words/s": speed(nlp, examples),
    }
    parser = nlp.get_pipe(nlp.pipe_names[-1])
    if hasattr(parser, "parameters"):
        trees = [[token.head.i for token in eg.reference] for eg in examples]
        covered = coverage(parser.parameters, trees)
        row.update(coverage=covered.sentences, transitions=covered.transitions)
    return row


def speed(nlp: Language, examples: list[Example], repetitions: int = 3) -> float:
    """Words a second of the whole pipeline on one core, tokens given; the median."""
    words = sum(len(eg.predicted) for eg in examples)
    times = []
    for _ in range(repetitions):
        docs = [eg.predicted.copy() for eg in examples]
        start = time.perf_counter()
        list(nlp.pipe(docs, batch_size=256))
        times.append(time.perf_counter() - start)
    return words / median(times)


def as_table(rows: list[dict[str, Any]]) -> str:
    """A Markdown table; shares in percent."""
    lines = ["| " + " | ".join(COLUMNS) + " |", "|---" + "|---:" * (len(COLUMNS) - 1) + "|"]
    for row in rows:
        cells = [cell(column, row.get(column)) for column in COLUMNS]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(column: str, value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if column in ("words/s", "several roots"):
        return f"{value:,.0f}"
    return f"{value:.2f}" if column == "transitions" else f"{100 * value:.2f}"


if __name__ == "__main__":
    typer.run(main)

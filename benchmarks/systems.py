"""Train every system on a treebank and print one table of what each reaches.

python benchmarks/systems.py FOLDER [--systems arc_hybrid,arc_hybrid_swap] [--steps 2500]

FOLDER holds *train.conllu and *dev.conllu. Each system that builds trees is trained with the config
of `arceager init-config`, two at a time on one core each; what is trained already is not trained
again (see trainings.py). Then each is scored on the dev file.
"""

from trainings import Training, Treebank, make_training, parse_dev, run_all  # isort: skip

import time
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from tables import as_markdown
from thinc.api import Config

from spacy_arceager.cli.init_config import make_config
from spacy_arceager.evaluation.coverage import coverage
from spacy_arceager.evaluation.scorer import make_parser_scorer
from spacy_arceager.pipe.component import ArcEagerParser
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
    treebank = Treebank(folder.name, folder)
    trainings = [
        train_system(name, treebank, steps, output)
        for name in (systems.split(",") if systems else TREE_SYSTEMS)
    ]
    run_all(trainings, [], jobs)
    models = {one.name: one.pipeline for one in trainings if one.is_done}
    models.update((name, Path(path)) for name, path in pairs(peers))
    rows = [score(name, path, treebank) for name, path in models.items()]
    srsly.write_json(output / treebank.name / "scores.json", rows)
    print(as_table(rows))


def pairs(text: str) -> list[tuple[str, str]]:
    """A list "a=x,b=y" as pairs."""
    return [(name, path) for name, _, path in (item.partition("=") for item in text.split(",")
                                               if item)]


def train_system(name: str, treebank: Treebank, steps: int, output: Path) -> Training:
    """The training of one system, with words as token vectors."""
    config = Config().from_str(make_config(name, token_vectors="words"), interpolate=False)
    return make_training(name, config, {}, (treebank, steps, 0), output)


def score(name: str, path: Path, treebank: Treebank) -> dict[str, Any]:
    """Scores, coverage of the dev set and speed of one pipeline."""
    parsed = parse_dev(path, treebank.dev)
    scores = make_parser_scorer()(parsed.examples)
    row = {
        "system": name,
        "UAS": scores["dep_uas_ud"],
        "LAS": scores["dep_las_ud"],
        "exact": scores["dep_exact"],
        "CUR": scores["dep_crossing_recall"],
        "several roots": scores["dep_multiple_roots"],
        "words/s": speed(parsed.nlp, parsed.examples),
    }
    parser = parsed.nlp.get_pipe(parsed.nlp.pipe_names[-1])
    if isinstance(parser, ArcEagerParser):
        trees = [[token.head.i for token in eg.reference] for eg in parsed.examples]
        covered = coverage(parser.parameters, trees)
        row.update(coverage=covered.sentences, transitions=covered.transitions)
    return row


def speed(nlp: Language, examples: list[Example], repetitions: int = 3) -> float:
    """Words a second of the whole pipeline on one core, tokens given; the median."""
    words = sum(len(eg.reference) for eg in examples)
    times = []
    for _ in range(repetitions):
        docs = [unparsed(eg.reference) for eg in examples]
        start = time.perf_counter()
        list(nlp.pipe(docs, batch_size=256))
        times.append(time.perf_counter() - start)
    return words / median(times)


def unparsed(doc: Doc) -> Doc:
    """The tokens of a Doc alone."""
    return Doc(doc.vocab, [token.text for token in doc], [bool(token.whitespace_) for token in doc])


def as_table(rows: list[dict[str, Any]]) -> str:
    """A Markdown table; shares in percent."""
    return as_markdown(
        COLUMNS, [[cell(column, row.get(column)) for column in COLUMNS] for row in rows]
    )


def cell(column: str, value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if column in ("words/s", "several roots"):
        return f"{value:,.0f}"
    return f"{value:.2f}" if column == "transitions" else f"{100 * value:.2f}"


if __name__ == "__main__":
    typer.run(main)

"""Score a pipeline on the dev file of a treebank, and on its test file if there is one.

python scripts/evaluate_splits.py MODEL FOLDER SCORES

The files of FOLDER are found by their endings, dev.conllu and test.conllu. The scores go to
SCORES-dev.json and SCORES-test.json, and to the terminal as `arceager evaluate` prints them.
"""

from pathlib import Path

import typer

from spacy_arceager.cli.evaluate import evaluate


def evaluate_splits(model: str, folder: Path, scores: str) -> None:
    """Score each split that is there; end with exit code 1 where there is none."""
    splits = [split for split in ("dev", "test") if [*folder.glob(f"*{split}.conllu")]]
    if not splits:
        typer.echo(f"{folder} has no file *dev.conllu or *test.conllu to score.", err=True)
        raise typer.Exit(1)
    for split in splits:
        typer.echo(f"\n{split}")
        evaluate(model, folder / f"*{split}.conllu", Path(f"{scores}-{split}.json"))


if __name__ == "__main__":
    typer.run(evaluate_splits)

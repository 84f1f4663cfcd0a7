"""What a beam costs: the parser alone, beam search against greedy parsing, on one core.

python benchmarks/beam.py MODEL DEV_CONLLU [--width 8] [--output FILE]

MODEL is a trained pipeline whose last component is our parser. Both sides alternate.
"""

from common import parse_alone, read_encoded, report, seconds  # isort: skip  (sets the thread counts)

from pathlib import Path
from typing import Annotated

import spacy
import typer
from spacy.language import Language

from spacy_arceager.search.settings import BeamSettings


def greedy_or_beam_rate(nlp: Language, path: Path, beam: BeamSettings | None) -> float:
    """Words/s of the parser alone."""
    docs = read_encoded(nlp, path)
    nlp.pipeline[-1][1].beam = beam
    return sum(map(len, docs)) / seconds(lambda: parse_alone(nlp, docs))


def main(
    model: str,
    dev: Path,
    width: int = 8,
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    nlp = spacy.load(model)
    rates: dict[str, list[float]] = {"greedy": [], f"beam {width}": []}
    for _ in range(repetitions):
        for values, beam in zip(rates.values(), (None, BeamSettings(width=width))):
            values.append(greedy_or_beam_rate(nlp, dev, beam))
    report({"parser alone": rates}, output)


if __name__ == "__main__":
    typer.run(main)

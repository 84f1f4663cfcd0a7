"""What a second process brings: raw text through nlp.pipe, n_process 2 against 1.

python benchmarks/processes.py MODEL DEV_CONLLU [--words 200000] [--output FILE]

The sentences of the treebank are repeated until there are so many words.
"""

from common import read_texts, report, seconds  # isort: skip  (sets the thread counts)

from pathlib import Path
from typing import Annotated

import spacy
import typer
from spacy.language import Language


def text_rate(nlp: Language, texts: list[str], n_process: int) -> float:
    """Texts/s."""
    docs = nlp.pipe(texts, n_process=n_process, batch_size=256)
    return len(texts) / seconds(lambda: sum(1 for _ in docs))


def main(
    model: str,
    dev: Path,
    words: int = 200_000,
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    nlp = spacy.load(model)
    texts = read_texts(nlp, dev, words)
    rates: dict[str, list[float]] = {"2 processes": [], "1 process": []}
    for _ in range(repetitions):
        for n_process, values in zip((2, 1), rates.values()):
            values.append(text_rate(nlp, texts, n_process))
    report({"from raw text": rates}, output, "texts/s")


if __name__ == "__main__":
    typer.run(main)

"""What a second process brings: raw text through nlp.pipe, n_process 2 against 1.

python benchmarks/processes.py MODEL DEV_CONLLU [--words 200000] [--output FILE]

The sentences of the treebank are repeated until there are so many words; a text is one of
them, or ten. The time to hand over a Doc hardly depends on its length.
"""

from common import read_texts, report  # isort: skip  (sets the thread counts)

import time
from pathlib import Path
from typing import Annotated

import spacy
import typer
from spacy.language import Language

SENTENCES = (1, 10)    # a text


def join(texts: list[str], size: int) -> list[str]:
    """Texts of so many sentences each."""
    return [" ".join(texts[i:i + size]) for i in range(0, len(texts), size)]


def word_rate(nlp: Language, texts: list[str], n_process: int, batch_size: int) -> float:
    """Words/s."""
    docs = nlp.pipe(texts, n_process=n_process, batch_size=batch_size)
    n_words = 0
    start = time.perf_counter()
    for doc in docs:
        n_words += len(doc)
    return n_words / (time.perf_counter() - start)


def main(
    model: str,
    dev: Path,
    words: int = 200_000,
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    nlp = spacy.load(model)
    texts = read_texts(nlp, dev, words)
    rates: dict[str, dict[str, list[float]]] = {
        f"sentences a text: {size}": {"2 processes": [], "1 process": []} for size in SENTENCES
    }
    for _ in range(repetitions):
        for size, sides in zip(SENTENCES, rates.values()):
            joined = join(texts, size)
            for n_process, values in zip((2, 1), sides.values()):
                values.append(word_rate(nlp, joined, n_process, max(1, 256 // size)))
    report(rates, output)


if __name__ == "__main__":
    typer.run(main)

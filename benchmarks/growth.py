"""How parsing time grows with the length of a sentence, on one core.

python benchmarks/growth.py MODEL DEV_CONLLU [--output FILE]

Sentences of a treebank are joined to one sentence of 10, 100, 1,000 and 10,000 words, and
as many of these are parsed as make 20,000 words. Given is the parser's time a word.
"""

from common import encode, read_docs, seconds  # isort: skip  (sets the thread counts)

import json
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Annotated

import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc
from wasabi import msg

LENGTHS = (10, 100, 1000, 10000)
WORDS = 20000


def microseconds_a_word(nlp: Language, words: list[str], length: int) -> float:
    """Time of the parser alone, over sentences of `length` words."""
    source = iter(words)
    parts = iter(lambda: list(islice(source, length)), [])
    docs = [Doc(nlp.vocab, words=part) for part in parts]
    docs = encode(nlp, docs)
    parser = nlp.pipeline[-1][1]
    return 1e6 * seconds(lambda: list(parser.pipe(docs))) / len(words)


def main(
    model: str,
    dev: Path,
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    nlp = spacy.load(model)
    words = [token.text for doc in read_docs(nlp, dev) for token in doc][:WORDS]
    times = {
        length: [microseconds_a_word(nlp, words, length) for _ in range(repetitions)]
        for length in LENGTHS
    }
    msg.table(
        [(f"{length:,}", f"{median(values):.1f}") for length, values in times.items()],
        header=("words a sentence", "microseconds a word"),
        divider=True,
    )
    if output is not None:
        output.write_text(json.dumps(times, indent=1))


if __name__ == "__main__":
    typer.run(main)

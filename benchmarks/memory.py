"""Peak memory of parsing a million words of raw text through nlp.pipe.

python benchmarks/memory.py OURS PEER DEV_CONLLU [--words 1000000] [--output FILE]

Each pipeline runs in a process of its own; given is the most memory it ever held, in MB, with
what Python and the libraries take.
"""

from common import read_texts  # isort: skip  (sets the thread counts)

import json
import resource
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated

import spacy
import typer
from wasabi import msg


def peak_of(model: str, dev: Path, words: int) -> float:
    """Parse in this process; the most memory it ever held, in MB."""
    nlp = spacy.load(model)
    for _ in nlp.pipe(read_texts(nlp, dev, words), batch_size=256):
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(
    ours: str,
    peer: str,
    dev: Path,
    words: int = 1_000_000,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    sizes = {}
    for name, model in (("ours", ours), ("peer", peer)):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            sizes[name] = process.submit(peak_of, model, dev, words).result()
    msg.table(
        [(name, f"{size:,.0f}") for name, size in sizes.items()], header=("side", "peak, MB"),
        divider=True,
    )
    if output is not None:
        output.write_text(json.dumps(sizes, indent=1))


if __name__ == "__main__":
    typer.run(main)

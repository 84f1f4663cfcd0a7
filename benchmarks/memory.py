"""Peak memory of parsing a million words of raw text through nlp.pipe.

python benchmarks/memory.py OURS PEER DEV_CONLLU [--words 1000000] [--output FILE]

Each pipeline runs in a process of its own; given is the most memory it ever held, in MB, with
what Python and the libraries take.
"""

from common import read_texts  # isort: skip  (sets the thread counts)

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import spacy
import typer
from wasabi import msg

app = typer.Typer()


@app.command()
def compare(
    ours: str,
    peer: str,
    dev: Path,
    words: int = 1_000_000,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    """Measure both pipelines and print a table."""
    sizes = {}
    for name, model in (("ours", ours), ("peer", peer)):
        command = [sys.executable, __file__, "measure", model, str(dev), str(words)]
        sizes[name] = float(subprocess.run(command, check=True, capture_output=True).stdout)
    msg.table(
        [(name, f"{size:,.0f}") for name, size in sizes.items()], header=("side", "peak, MB"),
        divider=True,
    )
    if output is not None:
        output.write_text(json.dumps(sizes, indent=1))


@app.command()
def measure(model: str, dev: Path, words: int) -> None:
    """Parse in this process and print its peak memory."""
    nlp = spacy.load(model)
    for _ in nlp.pipe(read_texts(nlp, dev, words), batch_size=256):
        pass
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


if __name__ == "__main__":
    app(sys.argv[1:] if sys.argv[1:2] == ["measure"] else ["compare", *sys.argv[1:]])

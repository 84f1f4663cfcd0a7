"""Where the time of a pipeline goes, by library, on one core. Needs Linux's `perf`.

python benchmarks/shares.py MODEL DEV_CONLLU [--repetitions 10]

Loading is left out. The interpreter's share is that of libpython, or of the program where Python
is linked into it.
"""

from common import read_docs  # isort: skip  (sets the thread counts)

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import spacy
import typer
from wasabi import msg


def main(
    model: str,
    dev: Path,
    repetitions: int = 10,
    control: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    if control is None:
        print_shares(model, dev, repetitions)
    else:
        parse(model, dev, repetitions, control)


def print_shares(model: str, dev: Path, repetitions: int) -> None:
    """Run this program under perf and print the share of each library."""
    with TemporaryDirectory() as folder:
        control, data = Path(folder) / "control", Path(folder) / "data"
        os.mkfifo(control)
        own = [sys.executable, __file__, model, str(dev), "--repetitions", str(repetitions),
               "--control", str(control)]
        subprocess.run(
            ["perf", "record", "-D", "-1", "--control", f"fifo:{control}", "-o", str(data), "--",
             *own],
            check=True, capture_output=True,
        )
        report = subprocess.run(
            ["perf", "report", "-i", str(data), "--no-children", "--sort", "dso", "--stdio"],
            check=True, capture_output=True, text=True,
        )
    shares = re.findall(r"^\s+([\d.]+)%\s+(\S+)", report.stdout, re.MULTILINE)
    msg.table(
        [(library, share) for share, library in shares if float(share) >= 0.5],
        header=("library", "share, %"), divider=True, aligns=("l", "r"),
    )
    own = ("libpython", "python")
    interpreter = sum(float(share) for share, name in shares if name.startswith(own))
    print(f"interpreter: {interpreter:.1f} %")


def parse(model: str, dev: Path, repetitions: int, control: Path) -> None:
    """Parse while perf looks."""
    nlp = spacy.load(model)
    list(nlp.pipe(read_docs(nlp, dev), batch_size=256))
    docs = [read_docs(nlp, dev) for _ in range(repetitions)]
    with control.open("w") as channel:
        channel.write("enable\n")
    for batch in docs:
        for _ in nlp.pipe(batch, batch_size=256):
            pass
    with control.open("w") as channel:
        channel.write("disable\n")


if __name__ == "__main__":
    typer.run(main)

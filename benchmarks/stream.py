"""Memory along a corpus, in which a share of the words is new all the way.

python benchmarks/stream.py DEV_CONLLU [--words 1000000] [--new 0.02] [--n-process 1]

Through `spacy_arceager.processes.parse` and, with --plain, `nlp.pipe`; a line each so many words.
"""

from common import read_texts  # isort: skip  (sets the thread counts)

import random
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import typer

import spacy_arceager
from spacy_arceager.processes import parse

LINES = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def texts_with_new_words(texts: list[str], share: float) -> Iterator[str]:
    """The texts again and again, a share of their words replaced by ones that never were."""
    rng = random.Random(0)
    for text in cycle(texts):
        yield " ".join(
            "".join(rng.choices(LETTERS, k=12)) if rng.random() < share else word
            for word in text.split()
        )


def memory(pid: str = "self") -> float:
    """Resident memory in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def workers_memory() -> float:
    """Of the children of this process, in MB."""
    children = Path("/proc/self/task")
    pids = next(children.iterdir()).joinpath("children").read_text().split()
    return sum(map(memory, pids))


def main(
    dev: Path, words: int = 1_000_000, new: float = 0.02, n_process: int = 1, plain: bool = False
) -> None:
    nlp = spacy_arceager.load("en")
    texts = read_texts(nlp, dev, 20_000)
    stream = texts_with_new_words(texts, new)
    found = nlp.pipe(stream) if plain else parse(stream, n_process=n_process)
    done = 0
    for item in found:
        before = done
        done += len(item) if plain else item.value.count("\t") // 9
        if done * LINES // words > before * LINES // words:
            print(f"{done:12,} words {memory():6.0f} MB {workers_memory():6.0f} MB in workers",
                  flush=True)
        if done >= words:
            return


if __name__ == "__main__":
    typer.run(main)

"""A treebank together with a part of another one; XPOS is the treebank's name.

python -m replication.remedies_trial.pairs FOLDER OTHER TARGET [--share 4] writes train.conllu, its
own part as train.conllu.small.conllu, and dev.conllu.
"""

from pathlib import Path
from typing import Annotated

import typer

from .tags import read_sentences, write_sentences

BLOCK = 40


def mark(sentences: list[str], name: str) -> list[str]:
    """Sentences whose XPOS is the name of the treebank."""
    rows = [[line.split("\t") for line in one.split("\n")] for one in sentences]
    for row in (row for one in rows for row in one if row[0].isdigit()):
        row[4] = name
    return ["\n".join("\t".join(row) for row in one) for one in rows]


def main(
    folder: Path, other: Path, target: Path,
    share: Annotated[int, typer.Option(help="One of so many blocks of OTHER")] = 1,
) -> None:
    own = mark(read_sentences(folder / "train.conllu"), folder.name)
    sentences = read_sentences(other / "train.conllu")
    blocks = [sentences[start:start + BLOCK] for start in range(0, len(sentences), BLOCK)]
    more = mark([one for block in blocks[::share] for one in block], other.name)
    target.mkdir(parents=True, exist_ok=True)
    write_sentences(target / "train.conllu", own + more)
    write_sentences(target / "train.conllu.small.conllu", own)
    write_sentences(
        target / "dev.conllu", mark(read_sentences(folder / "dev.conllu"), folder.name)
    )


if __name__ == "__main__":
    typer.run(main)

"""A treebank of which a part keeps its trees, and the rest stands for texts without trees.

python -m replication.split TRAIN.conllu FOLDER --share 4

FOLDER gets train.conllu, the first of every four blocks of 40 sentences, and text.conllu, the
others. Blocks stand for texts: sentences side by side are about the same things.
"""

from pathlib import Path
from typing import Annotated

import typer

BLOCK = 40


def main(
    treebank: Annotated[Path, typer.Argument(help="CoNLL-U")],
    folder: Annotated[Path, typer.Argument(help="Gets two files")],
    share: Annotated[int, typer.Option(help="One of so many blocks keeps its trees")] = 4,
) -> None:
    """Write both parts."""
    sentences = treebank.read_text(encoding="utf8").strip().split("\n\n")
    blocks = [sentences[start:start + BLOCK] for start in range(0, len(sentences), BLOCK)]
    kept = blocks[::share]
    others = [block for number, block in enumerate(blocks) if number % share]
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", kept), ("text", others)):
        text = "".join(f"{sentence}\n\n" for block in part for sentence in block)
        (folder / f"{name}.conllu").write_text(text, encoding="utf8")


if __name__ == "__main__":
    typer.run(main)

"""Sentences that a treebank lacks, written for this project, which a pipeline also learns from.

`supplements/en.conllu` has tag questions ("You know her, don't you?"), of which UD_English-EWT has
one or two, and direct speech with the sentence that follows it.
"""

import shutil
from pathlib import Path

from replication.trainings import Treebank

SUPPLEMENTS = Path(__file__).with_name("supplements")


def with_supplement(code: str, treebank: Treebank, folder: Path) -> Treebank:
    """The treebank whose train file also has the supplement of a language.

    Args:
        code: of the language. Without a file of its own, it has the treebank as it is.
        folder: where the treebank with the supplement is written.
    """
    supplement = SUPPLEMENTS / f"{code}.conllu"
    if not supplement.exists():
        return treebank
    folder.mkdir(parents=True, exist_ok=True)
    files = (treebank.train, supplement)
    texts = [file.read_text(encoding="utf8").rstrip("\n") + "\n\n" for file in files]
    (folder / "train.conllu").write_text("".join(texts), encoding="utf8")
    shutil.copy(treebank.dev, folder / "dev.conllu")
    return Treebank(treebank.name, folder)


def describe_supplement(code: str) -> list[dict[str, str]]:
    """The supplement of a language for a model card, or nothing."""
    supplement = SUPPLEMENTS / f"{code}.conllu"
    if not supplement.exists():
        return []
    return [{
        "name": f"{count_sentences(supplement)} sentences of the project, "
        f"release/supplements/{code}.conllu",
        "url": "", "license": "MIT", "author": "the spacy_arceager authors",
    }]


def count_sentences(path: Path) -> int:
    """How many sentences a CoNLL-U file has."""
    with path.open(encoding="utf8") as lines:
        return sum(line.startswith("1\t") for line in lines)

"""The rows of treebanks.yml."""

from pathlib import Path
from typing import NamedTuple

import srsly

ROWS = Path(__file__).with_name("treebanks.yml")


class Language(NamedTuple):
    """What a pipeline is trained on.

    Attributes:
        code: of the language, as spaCy has it.
        language: its name.
        folder: of the treebank, with one *train.conllu and one *dev.conllu.
        treebank: its name, that of its repository.
        release: of UD, or the month in which the files were taken from the repository.
        licence: of the treebank, and so of the pipeline.
        example: a sentence to draw.
        authors: of the treebank.
    """

    code: str
    language: str
    folder: str
    treebank: str
    release: str
    licence: str
    example: str
    authors: str = ""

    @property
    def url(self) -> str:
        """The public home of the treebank."""
        return f"https://github.com/UniversalDependencies/{self.treebank}"


def read_languages(codes: str = "") -> list[Language]:
    """The rows of some languages, or of all; ends the program for a code that has no row.

    Args:
        codes: of languages, with commas.
    """
    rows = srsly.read_yaml(ROWS)
    wanted = codes.split(",") if codes else list(rows)
    unknown = sorted(set(wanted) - set(rows))
    if unknown:
        raise SystemExit(f"{ROWS.name} has no row for {', '.join(unknown)}")
    return [
        Language(code, **{key: str(value) for key, value in rows[code].items()}) for code in wanted
    ]

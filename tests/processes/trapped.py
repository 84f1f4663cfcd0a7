"""A pipeline with the component of trap.py, for tests of processes that are killed."""

from pathlib import Path

import spacy
from spacy.util import import_file

TRAP = Path(__file__).with_name("trap.py")


def save_trap(folder: Path) -> Path:
    import_file(TRAP.stem, TRAP)
    nlp = spacy.blank("xx")
    nlp.add_pipe("trap")
    nlp.to_disk(folder)
    return folder

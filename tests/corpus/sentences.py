"""Sentences in CoNLL-U, and short ways to read and write them."""

from pathlib import Path

import spacy
from spacy.tokens import Doc

from spacy_arceager.corpus.conllu import (
    read_sentences,
    sentences_to_doc,
)

NLP = spacy.blank("xx")


def conllu(text: str) -> str:
    """Make CoNLL-U of a readable table: columns by tabs, one empty line at the end."""
    lines = [line.strip() for line in text.strip().split("\n")]
    rows = [line if line.startswith("#") else "\t".join(line.split()) for line in lines]
    return "\n".join([*rows, "", ""])


# "Du coup, j'arrive." with a multi-word token, empty nodes and every column filled.
RICH = conllu("""
    # sent_id = fr-1
    # text = Du coup, j'arrive.
    0.1  _       _        _      _    _                      _  _       4:dep      _
    1-2  Du      _        _      _    _                      _  _       _          Typo=No
    1    De      de       ADP    P    _                      3  case    3:case     _
    2    le      le       DET    D    Gender=Masc|NumType=X  3  det     3:det      _
    3    coup    coup     NOUN   _    Number=Sing            5  obl:arg 5:obl|6:x  SpaceAfter=No
    4    ,       ,        PUNCT  PUNCT _                     5  punct   5:punct    _
    4.1  ça      ça       PRON   _    _                      _  _       5:nsubj    A=1|B=2
    4.2  _       _        _      _    _                      _  _       4.1:x      _
    5-6  j'arrive _       _      _    _                      _  _       _          SpaceAfter=No
    5    j'      je       PRON   _    Person=1               6  nsubj   6:nsubj    _
    6    arrive  arriver  VERB   _    _                      0  root    0:root     _
    7    .       .        PUNCT  Z    _                      6  punct   6:punct    SpaceAfter=No
""")


PLAIN = conllu("""
    1 She she PRON _ _ 2 nsubj _ _
    2 reads read VERB _ _ 0 root _ _
    3 books book NOUN _ _ 2 obj _ SpaceAfter=No
    4 . . PUNCT _ _ 2 punct _ _
""")


CROSSING = conllu("""
    1 a _ X _ _ 3 dep _ _
    2 b _ X _ _ 4 dep _ _
    3 c _ X _ _ 0 root _ _
    4 d _ X _ _ 3 dep _ _
""")


TWO_ROOTS = PLAIN.replace("2\tobj", "0\troot")
CYCLE = PLAIN.replace("2\tobj", "4\tobj").replace("2\tpunct", "3\tpunct")


def read_doc(text: str) -> Doc:
    return sentences_to_doc(NLP.vocab, list(read_sentences(text.splitlines(True))))


def write_file(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path

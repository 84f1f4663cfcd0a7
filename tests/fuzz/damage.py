"""Damaged bytes: files of CoNLL-U and JSON lines, and saved parsers."""

import json
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random

from spacy.tokens import Doc

from spacy_arceager.corpus.conllu import (
    ConlluSentence,
    doc_to_conllu,
    read_texts,
    read_tolerantly,
    sentence_to_doc,
)
from spacy_arceager.corpus.errors import InputError
from spacy_arceager.corpus.files import read_file_lines
from spacy_arceager.errors import ModelMismatchError, TruncatedModelError
from spacy_arceager.formats.document import Document
from spacy_arceager.formats.inputs.jsonl import parse_line
from spacy_arceager.systems import SystemParameters
from tests.fuzz.checks import check
from tests.fuzz.docs import CONFIGS, check_doc, pipeline

DATA = Path(__file__).parent.parent / "data"
PARSER = "arceager_parser"
LONGEST = 3000     # bytes of a file
ODD = (b"\t", b"\n", b"\n\n", b"\r", b"\0", b"\xff", b"-1", b"0", b"99999999999", b"1.1", b"1-2",
       b"_", b"|", b"=", b":", b'"', b"{", b"}", b"\\", b"\\ud800", b"\xe2\x80\xa8")


def damage(rng: Random, data: bytes) -> bytes:
    """Some bytes flipped, cut out, doubled or put in."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5, 20])):
        start = rng.randrange(len(changed) + 1)
        end = start + rng.randint(0, 30)
        how = rng.randrange(5)
        if how == 0 and start < len(changed):
            changed[start] ^= 1 << rng.randrange(8)
        elif how == 1:
            del changed[start:end]
        elif how == 2:
            changed[start:start] = changed[start:end]
        elif how == 3:
            changed[start:start] = rng.choice(ODD)
        elif rng.random() < 0.1:
            del changed[start:]
    return bytes(changed)


@cache
def files() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(DATA.glob("*.conllu")))


def file_case(rng: Random, parameters: SystemParameters) -> Counter:
    """Each sentence and each line is read, or refused by an InputError with its place."""
    data = rng.choice(files())
    start = data.find(b"\n\n", rng.randrange(len(data))) + 2
    text = data[start : start + LONGEST]
    records = [{"text": line, "n": i} for i, line in enumerate(text.decode().split("\n"))]
    as_json = "\n".join(map(json.dumps, records)).encode()
    vocab, read = pipeline(0).vocab, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.conllu"
        path.write_bytes(damage(rng, text))
        try:
            for item in [*read_tolerantly(path), *read_texts(read_file_lines(path))]:
                if isinstance(item, ConlluSentence):
                    read += bool(doc_to_conllu(sentence_to_doc(vocab, item)))
                else:
                    check("line" in str(item), "an error without its line")
        except InputError as error:      # damaged by chance into another kind of file
            check(str(path) in str(error), "an error without its file")
        path.write_bytes(damage(rng, as_json))
        for found in map(parse_line, read_file_lines(path)):
            read += isinstance(found, Document)
    return Counter(files=2, files_read=read)


@cache
def saved(which: int) -> bytes:
    return pipeline(which).get_pipe(PARSER).to_bytes(exclude=["vocab"])


def model_case(rng: Random, parameters: SystemParameters) -> Counter:
    """A damaged parser is refused and changes nothing, or loads and parses."""
    which = rng.randrange(len(CONFIGS))
    nlp = pipeline(which)
    parser = nlp.get_pipe(PARSER)
    try:
        parser.from_bytes(damage(rng, saved(which)))
        loaded = 1
    except (ModelMismatchError, TruncatedModelError):
        loaded = 0
        check(parser.to_bytes(exclude=["vocab"]) == saved(which), "a refused model is loaded")
    doc = nlp(Doc(nlp.vocab, words=["she", "reads", "books", "."]))
    check_doc(doc, [None] * len(doc))
    parser.from_bytes(saved(which))
    return Counter(models=1, models_loaded=loaded)

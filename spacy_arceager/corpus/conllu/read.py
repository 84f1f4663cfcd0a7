"""Sentences are read from CoNLL-U: strictly, tolerantly, or only what a parser needs."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile
from pathlib import Path
from typing import NamedTuple

from spacy.parts_of_speech import IDS as UPOS_TAGS

from ..errors import ConlluError, quote
from ..files import MAX_LINE, Line, find_files, read_file_lines
from .check import (
    check_complete,
    check_deps,
    check_empty_node,
    check_feats,
    check_multi_word_token,
    check_tree,
    check_word_id,
)
from .sentence import ConlluSentence, ConlluWord, MultiWordToken

# The limits of a sentence in characters and in lines. They keep memory small: parsing a word takes
# kilobytes, and a few compressed kilobytes can hold very many lines.
MAX_SENTENCE = MAX_LINE
MAX_LINES = 100_000
TEXT = "<text>"     # how errors name lines that come from no file
_TOO_LONG = (
    f"the sentence is longer than {MAX_SENTENCE >> 20} MiB, or has more than {MAX_LINES:,} lines",
    "Separate sentences by empty lines",
)

# No ID or head is longer. Without a limit, Python fails on numbers of thousands of digits.
MAX_DIGITS = 9
_ID = re.compile(r"([0-9]{1,9})(?:([-.])([0-9]{1,9}))?")


class Block(NamedTuple):
    """The lines of a sentence, and whether it is closed by an empty line, as it should be."""

    lines: list[Line]
    is_closed: bool


def read_file(path: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of one UTF-8 file, which may be compressed (see `files`).

    Raises:
        ConlluError: For the first fault.
        InputError: For a file that is damaged.
    """
    yield from _read_strictly(read_file_lines(path), str(path))


def read_sentences(lines: Iterable[str]) -> Iterator[ConlluSentence]:
    """Yield the sentences of an iterable of lines. Raises ConlluError for the first fault."""
    yield from _read_strictly(number_lines(lines, TEXT), TEXT)


def read_tolerantly(path: Path) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of a file, folder or pattern; a faulty sentence yields its error.

    Raises:
        FileNotFoundError: If there is no file.
        InputError: For a file that is damaged.
    """
    for file in find_files(path):
        yield from _read_tolerantly(read_file_lines(file), parse_sentence)


def read_texts(lines: Iterable[Line]) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of a file to be parsed anew; a faulty sentence yields its error.

    Only the columns ID, FORM and MISC are read, and the others become `_`. So faults elsewhere,
    such as several roots, cycles or missing columns, do no harm, nor does a last sentence that is
    cut off. Empty nodes are left out.
    """
    return _read_tolerantly(lines, parse_text)


def read_columns(lines: Iterable[Line]) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences that `read_texts` yields, with the columns as they are, right or wrong.

    A HEAD that is no number becomes None, and all columns after FORM become `_` in a line that does
    not have ten.
    """
    return _read_tolerantly(lines, parse_columns)


def read_partial_trees(lines: Iterable[Line]) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of a file, whose heads may be missing; a faulty one yields its error."""
    return _read_tolerantly(lines, parse_sentence)


def _read_strictly(lines: Iterable[Line], source: str) -> Iterator[ConlluSentence]:
    empty = True
    for block in _blocks(lines):
        empty = False
        yield parse_sentence(block)
    if empty:
        raise Line(source, 1, "").error(
            "there is no sentence", "Check the path and that the file is complete"
        )


def _read_tolerantly(
    lines: Iterable[Line], parse: Callable[[Block], ConlluSentence]
) -> Iterator[ConlluSentence | ConlluError]:
    for block in _blocks(lines):
        try:
            yield parse(block)
        except ConlluError as error:
            yield error


def number_lines(lines: Iterable[str], source: str) -> Iterator[Line]:
    """Lines of CoNLL-U without their ends, with what errors say of their place."""
    for number, line in enumerate(lines, 1):
        text = line.rstrip("\r\n")
        yield Line(source, number, text.removeprefix("\ufeff") if number == 1 else text)


def _blocks(lines: Iterable[Line]) -> Iterator[Block]:
    """Group lines into sentences, which end with an empty line or with the input.

    A sentence that is too long is cut to its first line, which gets this fault.
    """
    block: list[Line] = []
    size = n_lines = 0
    for line in lines:
        if not line.text:
            if block:
                yield Block(block, True)
            block, size, n_lines = [], 0, 0
            continue
        size += len(line.text)
        n_lines += 1
        if size <= MAX_SENTENCE and n_lines <= MAX_LINES:
            block.append(line)
        else:
            block = [(block or [line])[0]._replace(fault=_TOO_LONG)]
    if block:
        yield Block(block, False)


def parse_sentence(block: Block) -> ConlluSentence:
    """A sentence with all its columns. Raises ConlluError for any fault."""
    sentence, body = _begin(block)
    word_lines = []
    for line in body:
        columns = _split_columns(line)
        first, separator, second = _parse_id(line, columns[0])
        if separator == "-":
            _add_multi_word_token(line, first, second, columns, sentence)
        elif separator == ".":
            check_empty_node(line, first, second, sentence)
            sentence.empty_nodes.append(columns)
        else:
            check_word_id(line, first, sentence)
            sentence.words.append(_parse_word(line, columns))
            word_lines.append(line)
    check_complete(block.lines[-1], sentence)
    check_tree(sentence.words, word_lines)
    check_deps(sentence, body)
    return sentence


def parse_text(block: Block) -> ConlluSentence:
    """The text of a sentence, see `read_texts`. Raises ConlluError for a fault in the text."""
    return without_columns(parse_columns(block))


def without_columns(sentence: ConlluSentence) -> ConlluSentence:
    """The text of a sentence: only ID, FORM, MISC and comments are kept."""
    words = [
        ConlluWord(word.form, "_", "_", "_", "_", None, "_", "_", word.misc)
        for word in sentence.words
    ]
    tokens = [
        replace(token, columns=[token.columns[0], *["_"] * 7, token.columns[-1]])
        for token in sentence.multi_word_tokens
    ]
    return replace(sentence, words=words, multi_word_tokens=tokens, empty_nodes=[])


def parse_columns(block: Block) -> ConlluSentence:
    """A sentence, see `read_columns`. Raises ConlluError for a fault in the text."""
    sentence, body = _begin(block)
    for line in body:
        try:
            _add_columns(line, sentence)
        except ConlluError:
            # The last line of a file that was cut off may end anywhere.
            if block.is_closed or line is not body[-1]:
                raise
    n_words = len(sentence.words)
    tokens = [token for token in sentence.multi_word_tokens if token.last <= n_words]
    sentence.multi_word_tokens[:] = tokens
    check_complete(block.lines[-1], sentence)
    return sentence


def _check_columns(body: Sequence[Line]) -> None:
    """Refuse a sentence without a single tab, for it comes from another kind of file."""
    if body and not any("\t" in line.text or line.fault for line in body):
        raise body[0].error(
            "the line has no columns and looks like plain text, not CoNLL-U",
            "Separate ten columns by single tabs; `arceager parse` reads text from files that end "
            "in .txt, or with --input-format text",
        )


def _begin(block: Block) -> tuple[ConlluSentence, list[Line]]:
    """A sentence that has only its comments so far, and the lines that are no comments."""
    block.lines[0].check()
    body = list(dropwhile(lambda line: line.text.startswith("#"), block.lines))
    comments = block.lines[: len(block.lines) - len(body)]
    for line in comments:
        _check_characters(line)
    _check_columns(body)
    place = block.lines[0].place
    return ConlluSentence([line.text for line in comments], [], [], [], place), body


def _check_characters(line: Line) -> None:
    line.check()
    if "\r" in line.text:
        raise line.error("a carriage return stands inside the line", "End lines with a line feed")


def _split_columns(line: Line) -> list[str]:
    _check_characters(line)
    columns = line.text.split("\t")
    if len(columns) != 10:
        raise line.error(
            f"the line has {len(columns)} columns instead of 10",
            "Separate ten columns by single tabs and sentences by empty lines",
        )
    if not all(column.strip() for column in columns):
        raise line.error("a column is empty", "Write _ for a value that is not given")
    return columns


def _parse_id(line: Line, text: str) -> tuple[int, str | None, int]:
    """The parts of an ID: (1, None, 0) for `1`, (1, "-", 2) for `1-2`, (8, ".", 1) for `8.1`."""
    match = _ID.fullmatch(text)
    if match is None:
        raise line.error(
            f"ID {quote(text)} is not a number",
            "Write 1, 2, ... for words, 1-2 for multi-word tokens, 1.1 for empty nodes",
        )
    return int(match[1]), match[2], int(match[3] or 0)


def _add_multi_word_token(
    line: Line, first: int, last: int, columns: list[str], sentence: ConlluSentence
) -> None:
    check_multi_word_token(line, first, last, sentence)
    sentence.multi_word_tokens.append(MultiWordToken(first, last, columns[1:]))


def _parse_word(line: Line, columns: Sequence[str]) -> ConlluWord:
    _, form, lemma, upos, xpos, feats, head, deprel, deps, misc = columns
    if upos != "_" and upos not in UPOS_TAGS:
        raise line.error(
            f"UPOS {quote(upos)} is unknown", "Use a universal part-of-speech tag, or _"
        )
    check_feats(line, feats)
    head_id = _parse_head(line, head)
    return ConlluWord(form, lemma, upos, xpos, feats, head_id, deprel, deps, misc)


def _parse_head(line: Line, text: str) -> int | None:
    head = _head_of(text)
    if head is None and text != "_":
        raise line.error(
            f"HEAD {quote(text)} is not a number",
            "Write the ID of the head, 0 for the root, or _ if it is not known",
        )
    return head


def _head_of(text: str) -> int | None:
    """The ID of a head; None for what is no number."""
    is_number = text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS
    return int(text) if is_number else None


def _add_columns(line: Line, sentence: ConlluSentence) -> None:
    _check_characters(line)
    word_id, *columns = line.text.split("\t")
    first, separator, last = _parse_id(line, word_id)
    if separator == ".":
        sentence.empty_nodes.append([word_id, *columns])
        return
    if not columns or not columns[0].strip():
        raise line.error("the word has no FORM", "Separate ten columns by single tabs")
    form, *others = columns
    others = [one if one.strip() else "_" for one in others] if len(others) == 8 else ["_"] * 8
    if separator == "-":
        _add_multi_word_token(line, first, last, [word_id, form, *others], sentence)
    else:
        check_word_id(line, first, sentence)
        lemma, upos, xpos, feats, head, deprel, deps, misc = others
        word = ConlluWord(form, lemma, upos, xpos, feats, _head_of(head), deprel, deps, misc)
        sentence.words.append(word)

"""Sentences of files that are damaged, hostile or huge: a result or a clear message."""

import gzip
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_arceager.corpus.conllu import (
    ConlluError,
    ConlluSentence,
    doc_to_conllu,
    read,
    read_columns,
    read_file,
    read_sentences,
    read_texts,
    sentence_to_doc,
)
from spacy_arceager.corpus.files import Line, read_file_lines
from tests.corpus.sentences import CYCLE, NLP, PLAIN, RICH, TWO_ROOTS

SIZE = 300


def words(head: Callable[[int], int], size: int, deps: str = "_") -> str:
    rows = [f"{i}\tw\t_\t_\t_\t_\t{head(i)}\tx\t{deps}\t_" for i in range(1, size + 1)]
    return "\n".join([*rows, "", ""])


def read_one(text: str) -> ConlluSentence:
    (sentence,) = read_sentences(text.split("\n"))
    return sentence


def deps_chain(size: int) -> str:
    """Empty nodes, each the head of the one before, and a word at their end."""
    nodes = [f"0.{i}\te\t_\t_\t_\t_\t_\t_\t0.{i + 1}:x\t_" for i in range(1, size)]
    return "\n".join([*nodes, f"0.{size}\te\t_\t_\t_\t_\t_\t_\t0:root\t_"])


SHAPES: dict[str, Callable[[int], str]] = {
    "right chain": lambda n: words(lambda i: (i + 1) % (n + 1), n),
    "left chain": lambda n: words(lambda i: i - 1, n),
    "flat": lambda n: words(lambda i: 0 if i == 1 else 1, n),
    "empty nodes": lambda n: "\n".join(
        f"0.{i}\te\t_\t_\t_\t_\t_\t_\t_\t_" for i in range(1, n + 1)
    ) + "\n" + words(lambda i: i - 1, n),
    "chain of empty nodes": lambda n: deps_chain(n) + "\n" + words(lambda i: i - 1, 1, "0.1:y"),
}


def count_lines(action: Callable[[], object]) -> int:
    """How many lines of Python an action runs."""
    n_lines = 0

    def trace(frame: object, event: str, argument: object) -> Callable:
        nonlocal n_lines
        n_lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return n_lines


@pytest.mark.parametrize("shape", SHAPES)
def test_a_sentence_twice_as_long_takes_twice_as_many_steps(shape: str) -> None:
    def read_and_write(text: str) -> None:
        doc = sentence_to_doc(NLP.vocab, read_one(text))
        assert doc_to_conllu(doc).endswith(text)

    short, long = (SHAPES[shape](n) for n in (SIZE, 2 * SIZE))
    read_and_write(short)       # what the first sentence of a process loads is not counted
    n_short, n_long = (count_lines(partial(read_and_write, text)) for text in (short, long))
    assert n_short > SIZE
    assert n_long < 2.2 * n_short


DIGITS = "1" * 5000


@pytest.mark.parametrize(
    "text",
    [
        PLAIN.replace("3\tb", f"{DIGITS}\tb"),
        PLAIN.replace("3\tb", f"3-{DIGITS}\tb"),
        PLAIN.replace("3\tb", f"3.{DIGITS}\tb"),
        PLAIN.replace("2\tobj\t_", f"{DIGITS}\tobj\t_"),
        PLAIN.replace("2\tobj\t_", f"2\tobj\t{DIGITS}:obj"),
        PLAIN.replace("2\tobj\t_", f"2\tobj\t2.{DIGITS}:obj"),
    ],
)
def test_numbers_of_thousands_of_digits_are_refused(text: str) -> None:
    with pytest.raises(ConlluError, match="^<text>, line 3: ") as error:
        list(read_sentences(text.split("\n")))
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("old", ["NOUN", "3\tb", "2\tobj", "2\tobj\t_", "_\t2\tobj"])
def test_control_characters_do_not_reach_the_message(old: str) -> None:
    new = {"2\tobj\t_": "2\tobj\tX\x1b[2J", "_\t2\tobj": "X\x1b[2J\t2\tobj"}
    text = PLAIN.replace(old, new.get(old, "X\x1b[2J" + old))
    with pytest.raises(ConlluError, match="line 3") as error:
        list(read_sentences(text.split("\n")))
    assert "\x1b" not in str(error.value) and r"\x1b[2J" in str(error.value)


def test_a_carriage_return_inside_a_line_is_refused() -> None:
    for text in [PLAIN.replace("SpaceAfter", "Gloss=\rSpaceAfter"), PLAIN + "# a\rb\n" + PLAIN]:
        with pytest.raises(ConlluError, match="carriage return"):
            list(read_sentences(text.split("\n")))


@pytest.mark.parametrize("start", ["# a\n", "1\tw\n"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_a_sentence_that_is_too_long_loses_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: str, end: str
) -> None:
    monkeypatch.setattr(read, "MAX_LINES", 20)
    path = tmp_path / "a.conllu.gz"
    text = PLAIN + start * 1000 + "\n" + PLAIN + start * 21 + end
    path.write_bytes(gzip.compress(text.encode()))
    items = list(read_texts(read_file_lines(path)))
    assert [isinstance(item, ConlluSentence) for item in items] == [True, False, True, False]
    lines = PLAIN.count("\n")
    for item, line in zip(items[1::2], [lines + 1, 2 * lines + 1002]):
        assert str(item).startswith(f"{path}, line {line}: the sentence is longer than 64 MiB")
        assert "or has more than 100,000 lines. Separate sentences" in str(item)
    with pytest.raises(ConlluError, match=f"line {lines + 1}: the sentence is longer"):
        list(read_file(path))


def texts(data: str) -> list[ConlluSentence | ConlluError]:
    lines = data.split("\n")
    return list(read_texts(Line("x", i, line) for i, line in enumerate(lines, 1)))


def forms(item: ConlluSentence | ConlluError) -> list[str]:
    assert isinstance(item, ConlluSentence), item
    return [word.form for word in item.words]


@pytest.mark.parametrize(
    "text",
    [
        TWO_ROOTS,
        CYCLE,
        PLAIN.replace("0\troot", "2\tdep"),
        PLAIN.replace("0\troot", f"{DIGITS}\tdep"),
        PLAIN.replace("VERB", "verb").replace("2\tobj", "\t"),
        PLAIN.replace("PRON\t_\t_", "PRON"),
        "".join("\t".join(line.split("\t")[:2]) + "\n" for line in PLAIN.split("\n")),
        PLAIN.replace("2\tobj\t_", "2\tobj\t9:x").replace("NOUN\t_\t_", "NOUN\t_\tA"),
        PLAIN + "7.1\t_\n\n",
    ],
)
def test_what_a_parser_replaces_may_be_wrong(text: str) -> None:
    first, *others = texts(text)
    assert forms(first) == ["She", "reads", "books", "."]
    assert all(isinstance(item, ConlluError) for item in others)


def test_columns_are_read_as_they_are() -> None:
    text = TWO_ROOTS.replace("VERB", "verb").replace("2\tnsubj", "x\tnsubj")
    lines = text.replace("PUNCT\t_", "PUNCT").split("\n")
    (sentence,) = read_columns(Line("x", i, line) for i, line in enumerate(lines, 1))
    assert isinstance(sentence, ConlluSentence)
    assert [(word.lemma, word.upos, word.head, word.deprel) for word in sentence.words] == [
        ("she", "PRON", None, "nsubj"), ("read", "verb", 0, "root"), ("book", "NOUN", 0, "root"),
        ("_", "_", None, "_"),
    ]
    assert texts("\n".join(lines))[0] != sentence


def test_text_keeps_its_tokens_comments_and_spaces() -> None:
    (sentence,) = texts(RICH)
    doc = sentence_to_doc(NLP.vocab, sentence)
    assert doc.text == sentence_to_doc(NLP.vocab, read_one(RICH)).text
    assert "# sent_id = fr-1\n" in doc_to_conllu(doc)
    assert "1-2\tDu\t" in doc_to_conllu(doc)


@given(st.integers(0, len(RICH) + len(PLAIN)))
@settings(deadline=None)
def test_a_file_cut_off_anywhere_keeps_its_words(cut: int) -> None:
    items = texts((PLAIN + RICH)[:cut])
    found = [form for item in items if isinstance(item, ConlluSentence) for form in forms(item)]
    expected = [word.form for text in (PLAIN, RICH) for word in read_one(text).words]
    assert all(a.startswith(b) for a, b in zip(expected, found))
    # A sentence may consist of nothing but a comment, or of the number of a word.
    assert len(items) - sum(isinstance(item, ConlluSentence) for item in items) <= 1
    complete = (PLAIN + RICH)[:cut].split("\n")[:-1]
    assert len(found) >= sum(line.split("\t")[0].isdecimal() for line in complete)


def test_a_faulty_sentence_loses_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    bad = PLAIN.replace("books", "b\xfccher").encode("latin-1")
    path.write_bytes(PLAIN.encode() + bad + b"1 no tabs\n\n2\tx\n\n" + PLAIN.encode())
    items = list(read_texts(read_file_lines(path)))
    assert [isinstance(item, ConlluSentence) for item in items] == [True, *[False] * 3, True]
    for item, line in zip(items[1:4], [8, 11, 13]):
        assert str(item).startswith(f"{path}, line {line}: ")


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    (sentence,) = read_sentences(("\ufeff" + PLAIN).splitlines(True))
    assert [word.form for word in sentence.words] == ["She", "reads", "books", "."]
    with pytest.raises(ConlluError, match="line 2: "):
        list(read_sentences(["# first", "\ufeff" + PLAIN.splitlines()[0], ""]))


@pytest.mark.parametrize(("digits", "fault"), [(9, "is outside"), (10, "is not a number")])
def test_numbers_have_nine_digits(digits: int, fault: str) -> None:
    text = PLAIN.replace("2\tobj", "1" * digits + "\tobj")
    with pytest.raises(ConlluError, match=fault):
        list(read_sentences(text.split("\n")))


def test_text_keeps_a_multi_word_token_at_its_end_and_drops_one_that_is_cut_off() -> None:
    whole = "1-2\tDu\n1\tde\n2\tle\n"
    (sentence,) = texts(whole + "\n")
    assert [(token.first, token.last) for token in sentence.multi_word_tokens] == [(1, 2)]
    (sentence,) = texts(whole[: whole.index("2\tle")])
    assert forms(sentence) == ["de"] and sentence.multi_word_tokens == []


def test_a_sentence_that_ends_too_early_is_named_by_its_last_line() -> None:
    lines = PLAIN.rstrip().split("\n")
    token = "\t".join(["4-6", "x", *"_______", "_"])
    with pytest.raises(ConlluError, match="line 5: .*beyond the sentence"):
        list(read_sentences([*lines[:3], token, lines[3], ""]))


def test_a_text_without_words_is_named_by_its_last_line() -> None:
    (error,) = texts("# a\n# b\n\n")
    assert str(error).startswith("x, line 2: the sentence has no words")


@pytest.mark.parametrize("limit", ["MAX_LINES", "MAX_SENTENCE"])
def test_each_sentence_may_be_as_long_as_the_limit(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    lines = PLAIN.strip().split("\n")
    size = len(lines) if limit == "MAX_LINES" else len("".join(lines))
    monkeypatch.setattr(read, limit, size)
    for text in (PLAIN, PLAIN * 3, "\n" + PLAIN):
        assert len([*read_sentences(text.split("\n"))]) == text.count("root")
    monkeypatch.setattr(read, limit, size - 1)
    for text, faulty in ((PLAIN, 1), ("\n\n" + PLAIN, 3)):
        with pytest.raises(ConlluError, match=f"line {faulty}: the sentence is longer"):
            list(read_sentences(text.split("\n")))


def test_the_tokens_of_a_sentence_are_those_of_its_text() -> None:
    tokens = [*read_one(RICH).surface_tokens()]
    assert [token.form for token in tokens] == ["Du", "coup", ",", "j'arrive", "."]
    assert [token.has_space_after for token in tokens] == [True, False, True, False, False]
    assert [token.is_multi_word for token in tokens] == [True, False, False, True, False]
    assert [[word.form for word in token.words] for token in tokens] == [
        ["De", "le"], ["coup"], [","], ["j'", "arrive"], ["."],
    ]


@pytest.mark.parametrize("column", range(10))
@pytest.mark.parametrize("value", ["", " "])
def test_an_empty_column_is_named_with_its_line(column: int, value: str) -> None:
    lines = PLAIN.split("\n")
    columns = lines[1].split("\t")
    lines[1] = "\t".join([*columns[:column], value, *columns[column + 1:]])
    with pytest.raises(ConlluError, match="line 2: a column is empty"):
        list(read_sentences(lines))


@pytest.mark.parametrize("n", [1, 9, 11])
def test_a_word_has_ten_columns(n: int) -> None:
    line = "\t".join(["2", *"_" * 10][:n])
    with pytest.raises(ConlluError, match=rf"line 2: the line has {n} columns instead of 10"):
        list(read_sentences([PLAIN.split("\n")[0], line, ""]))


def test_a_multi_word_token_of_a_text_has_ten_columns() -> None:
    (sentence,) = texts("1-2\tDu\n1\tde\n2\tle\n\n")
    (token,) = sentence.multi_word_tokens
    assert token.columns == ["Du", *["_"] * 8]


def test_a_sentence_without_a_tab_is_no_conllu() -> None:
    message = "line 1: the line has no columns and looks like plain text"
    (error,) = texts("She reads\nbooks\n\n")
    assert message in str(error)
    with pytest.raises(ConlluError, match=message):
        list(read_sentences(["She reads", "books", ""]))

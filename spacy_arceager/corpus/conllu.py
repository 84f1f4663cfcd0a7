"""Training data from CoNLL-U: text -> sentences -> Docs -> Examples.

The format is described at https://universaldependencies.org/format.html. Columns map
to Doc attributes as in spaCy's own converter (`spacy convert --converter conllu`).
What a Doc has no place for (comments, multi-word tokens, empty nodes, the columns XPOS
where it is `_`, DEPS and MISC) is kept in `doc.user_data[USER_DATA_KEY]`, from where
`conllu_writer` writes it back. DEPS also becomes a graph, `doc._.arceager_graph`, see
`graphs`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob
from itertools import accumulate, chain, dropwhile, islice
from pathlib import Path
from typing import TypedDict

import numpy
from spacy import registry
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.parts_of_speech import IDS as UPOS_TAGS
from spacy.tokens import Doc
from spacy.training import Example
from spacy.vocab import Vocab

from .errors import ConlluError
from .graphs import (
    GRAPH_EXTENSION,
    Graph,
    find_nodes,
    parse_node,
    read_deps,
    sentence_graph,
)

USER_DATA_KEY = "arceager_conllu"

_ID = re.compile(r"([0-9]+)(?:([-.])([0-9]+))?")


@dataclass(frozen=True)
class ConlluWord:
    """One syntactic word. Columns are as in the file, `_` where nothing is given.

    head: ID of the head, counted from 1; 0 for the root, None where HEAD is `_`.
    """

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int | None
    deprel: str
    deps: str
    misc: str


@dataclass(frozen=True)
class MultiWordToken:
    """A surface token that stands for several words, such as `don't` or `du`.

    first, last: IDs of its first and last word, counted from 1.
    columns: the nine columns after the ID, FORM to MISC.
    """

    first: int
    last: int
    columns: list[str]


@dataclass(frozen=True)
class ConlluSentence:
    """One sentence.

    comments: lines with their `#`.
    empty_nodes: ten columns each, the ID (`8.1`) first.
    """

    comments: list[str]
    words: list[ConlluWord]
    multi_word_tokens: list[MultiWordToken]
    empty_nodes: list[list[str]]


class StoredToken(TypedDict):
    """A multi-word token of a Doc.

    start, end: its token offsets in the Doc, end exclusive.
    columns: the nine columns after the ID, FORM to MISC.
    """

    start: int
    end: int
    columns: list[str]


class StoredText(TypedDict):
    """What is stored of every sentence: all that belongs to its text.

    start, end: token offsets of the sentence in the Doc, end exclusive.
    comments: lines with their `#`.
    misc: the column MISC, one value a word.
    """

    start: int
    end: int
    comments: list[str]
    multi_word_tokens: list[StoredToken]
    misc: list[str]


class StoredSentence(StoredText, total=False):
    """An entry of the list `doc.user_data[USER_DATA_KEY]`, which has one a sentence.

    All values are plain, so that they survive `Doc.to_bytes` and
    `DocBin(store_user_data=True)`. These are left out where a Doc has no annotation:

    empty_nodes: ten columns each.
    xpos, deps: the columns XPOS and DEPS, one value a word.
    """

    empty_nodes: list[list[str]]
    xpos: list[str]
    deps: list[str]


@dataclass(frozen=True)
class _Line:
    source: str
    number: int
    text: str

    def error(self, fault: str, remedy: str) -> ConlluError:
        return self.locate(f"{fault}. {remedy}.")

    def locate(self, message: object) -> ConlluError:
        return ConlluError(f"{self.source}, line {self.number}: {message}")


# Text to sentences


def read_file(path: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of one UTF-8 file, with or without a byte order mark.

    Raises ConlluError, also where the file is not UTF-8.
    """
    with path.open("rb") as file:
        yield from read_sentences(_decode(file, str(path)), str(path))


def _decode(lines: Iterable[bytes], source: str) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError:
            raise _Line(source, number, "").error(
                "the text is not UTF-8", "Convert the file to UTF-8"
            ) from None


def read_sentences(
    lines: Iterable[str], source: str = "<text>"
) -> Iterator[ConlluSentence]:
    """Yield the sentences of an open file or of any other iterable of lines.

    source: how errors name the input.
    Raises ConlluError.
    """
    empty = True
    for block in _blocks(lines, source):
        empty = False
        yield _parse_sentence(block)
    if empty:
        raise _Line(source, 1, "").error(
            "there is no sentence", "Check the path and that the file is complete"
        )


def read_tolerantly(path: Path) -> Iterator[ConlluSentence | ConlluError]:
    """Yield the sentences of a file, folder or pattern; for a faulty one, its error.

    Raises FileNotFoundError if there is none, ConlluError where a file is not UTF-8.
    """
    for file in _find_files(path):
        with file.open("rb") as stream:
            for block in _blocks(_decode(stream, str(file)), str(file)):
                try:
                    yield _parse_sentence(block)
                except ConlluError as error:
                    yield error


def _blocks(lines: Iterable[str], source: str) -> Iterator[list[_Line]]:
    """Group lines into sentences, which end with a blank line or with the input."""
    block: list[_Line] = []
    for number, text in enumerate(lines, 1):
        text = text.rstrip("\r\n")
        if number == 1:
            text = text.removeprefix("\ufeff")
        if text:
            block.append(_Line(source, number, text))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _parse_sentence(block: Sequence[_Line]) -> ConlluSentence:
    body = list(dropwhile(lambda line: line.text.startswith("#"), block))
    comments = [line.text for line in block[: len(block) - len(body)]]
    sentence = ConlluSentence(comments, [], [], [])
    word_lines = []
    for line in body:
        columns = _split_columns(line)
        first, separator, second = _parse_id(line, columns[0])
        if separator == "-":
            _check_multi_word_token(line, first, second, sentence)
            token = MultiWordToken(first, second, columns[1:])
            sentence.multi_word_tokens.append(token)
        elif separator == ".":
            _check_empty_node(line, first, second, sentence)
            sentence.empty_nodes.append(columns)
        else:
            _check_word_id(line, first, sentence)
            sentence.words.append(_parse_word(line, columns))
            word_lines.append(line)
    _check_complete(block[-1], sentence)
    _check_tree(sentence.words, word_lines)
    _check_deps(sentence, body)
    return sentence


def _split_columns(line: _Line) -> list[str]:
    columns = line.text.split("\t")
    if len(columns) != 10:
        raise line.error(
            f"the line has {len(columns)} columns instead of 10",
            "Separate ten columns by single tabs and sentences by empty lines",
        )
    if not all(column.strip() for column in columns):
        raise line.error("a column is empty", "Write _ for a value that is not given")
    return columns


def _parse_id(line: _Line, text: str) -> tuple[int, str | None, int]:
    """Return (1, None, 0) for `1`, (1, "-", 2) for `1-2` and (8, ".", 1) for `8.1`."""
    match = _ID.fullmatch(text)
    if match is None:
        raise line.error(
            f"ID '{text}' is not a number",
            "Write 1, 2, ... for words, 1-2 for multi-word tokens, 1.1 for empty nodes",
        )
    return int(match[1]), match[2], int(match[3] or 0)


def _parse_word(line: _Line, columns: Sequence[str]) -> ConlluWord:
    _, form, lemma, upos, xpos, feats, head, deprel, deps, misc = columns
    if upos != "_" and upos not in UPOS_TAGS:
        raise line.error(
            f"UPOS '{upos}' is unknown", "Use a universal part-of-speech tag, or _"
        )
    _check_feats(line, feats)
    head_id = _parse_head(line, head)
    return ConlluWord(form, lemma, upos, xpos, feats, head_id, deprel, deps, misc)


def _parse_head(line: _Line, text: str) -> int | None:
    if text == "_":
        return None
    if not (text.isascii() and text.isdecimal()):
        raise line.error(
            f"HEAD '{text}' is not a number",
            "Write the ID of the head, 0 for the root, or _ if it is not known",
        )
    return int(text)


# Checks


def _check_feats(line: _Line, feats: str) -> None:
    if feats == "_":
        return
    names = []
    for feature in feats.split("|"):
        name, _, value = feature.partition("=")
        if not name or not all(value.split(",")):
            raise line.error(
                f"FEATS has '{feature}', which is not Name=Value",
                "Write features as Name=Value|Name=Value, or _",
            )
        names.append(name)
    if len(set(names)) < len(names):
        raise line.error(
            f"FEATS '{feats}' gives a feature twice", "Join its values: Name=A,B"
        )


def _check_word_id(line: _Line, word_id: int, sentence: ConlluSentence) -> None:
    expected = len(sentence.words) + 1
    if word_id != expected:
        raise line.error(
            f"ID {word_id} is out of order, expected {expected}",
            "Number the words of each sentence 1, 2, 3, ...",
        )


def _check_multi_word_token(
    line: _Line, first: int, last: int, sentence: ConlluSentence
) -> None:
    tokens = sentence.multi_word_tokens
    if first != len(sentence.words) + 1 or last < first:
        raise line.error(
            f"multi-word token {first}-{last} does not start at the next word",
            "Put its line right before its first word, with the smaller ID first",
        )
    if tokens and first <= tokens[-1].last:
        raise line.error(
            f"multi-word token {first}-{last} overlaps another",
            "Give every word to one multi-word token at most",
        )


def _check_empty_node(
    line: _Line, after: int, number: int, sentence: ConlluSentence
) -> None:
    earlier = [columns[0].split(".")[0] for columns in sentence.empty_nodes]
    if after != len(sentence.words) or number != earlier.count(str(after)) + 1:
        raise line.error(
            f"empty node {after}.{number} is out of order",
            "Put empty nodes n.1, n.2, ... right after word n",
        )


def _check_complete(last_line: _Line, sentence: ConlluSentence) -> None:
    if not sentence.words:
        raise last_line.error(
            "the sentence has no words", "Remove it, or the empty line that cuts it"
        )
    tokens = sentence.multi_word_tokens
    if tokens and tokens[-1].last > len(sentence.words):
        raise last_line.error(
            f"multi-word token {tokens[-1].first}-{tokens[-1].last} goes beyond the "
            f"sentence, which has {len(sentence.words)} words",
            "Correct its ID or add the missing words",
        )


def _check_tree(words: Sequence[ConlluWord], lines: Sequence[_Line]) -> None:
    """Demand that the heads that are given could be those of a tree with one root."""
    heads = [word.head for word in words]
    for word_id, (head, line) in enumerate(zip(heads, lines), 1):
        if head is not None and head > len(words):
            raise line.error(
                f"HEAD {head} is outside the sentence, which has {len(words)} words",
                "Write the ID of a word of the same sentence",
            )
        if head == word_id:
            raise line.error(f"word {word_id} is its own head", "Write 0 for the root")
    _check_root(heads, lines)
    _check_cycles(heads, lines)


def _check_root(heads: Sequence[int | None], lines: Sequence[_Line]) -> None:
    roots = [i for i, head in enumerate(heads) if head == 0]
    if len(roots) > 1:
        raise lines[roots[1]].error(
            f"the sentence has {len(roots)} roots", "Write HEAD 0 for one word only"
        )
    if not roots and None not in heads:
        raise lines[0].error("the sentence has no root", "Write HEAD 0 for one word")


def _check_cycles(heads: Sequence[int | None], lines: Sequence[_Line]) -> None:
    # The words known to lead out of the sentence: to the root or a missing head.
    safe: set[int | None] = {0, None}
    for word_id in range(1, len(heads) + 1):
        path: list[int] = []
        node: int | None = word_id
        while node is not None and node not in safe:
            if node in path:
                raise lines[node - 1].error(
                    f"word {node} is in a cycle of heads", "Correct one of the heads"
                )
            path.append(node)
            node = heads[node - 1]
        safe.update(path)


def _check_deps(sentence: ConlluSentence, body: Sequence[_Line]) -> None:
    nodes = find_nodes(len(sentence.words), sentence.empty_nodes)
    for line in body:
        columns = line.text.split("\t")
        if "-" in columns[0]:
            continue
        try:
            read_deps(parse_node(columns[0]), columns[8], nodes)
        except ConlluError as error:
            raise line.locate(error) from None


# Sentences to Docs


def sentence_to_doc(vocab: Vocab, sentence: ConlluSentence) -> Doc:
    """Return a Doc of one sentence. See `sentences_to_doc`."""
    return sentences_to_doc(vocab, [sentence])


def sentences_to_doc(vocab: Vocab, sentences: Sequence[ConlluSentence]) -> Doc:
    """Return a Doc with the words, annotation and sentence boundaries of the sentences.

    The root is its own head, with the dep `ROOT`. Where XPOS is `_`, the tag is UPOS.

    spaCy has one flag for "the head is missing" and "the label is missing"
    (`Token.has_head`, `Token.has_dep`: false where the dep is empty). So
    - HEAD `_`: the token is its own head and has no dep, whatever DEPREL says;
    - HEAD given, DEPREL `_`: the token has no dep, so `Token.head` hides the head, but
      `Doc.to_array("HEAD")` has it;
    - HEAD 0, DEPREL `_`: the dep is `ROOT`, which is what 0 means.

    Where any word has DEPS, `doc._.arceager_graph` is set.

    To parse the Doc anew, take `without_annotation(doc)`: else the gold DEPS and empty
    nodes would be written with the new parse.

    Raises ConlluError for malformed DEPS in sentences that do not come from the reader.
    """
    words = [word for sentence in sentences for word in sentence.words]
    lengths = [len(sentence.words) for sentence in sentences]
    starts = list(accumulate(lengths[:-1], initial=0))
    doc = Doc(
        vocab,
        words=[word.form for word in words],
        spaces=list(chain.from_iterable(map(_spaces, sentences))),
        tags=[_value(word.upos if word.xpos == "_" else word.xpos) for word in words],
        pos=[_value(word.upos) for word in words],
        morphs=[_value(word.feats) for word in words],
        lemmas=[_lemma(word) for word in words],
        heads=list(chain.from_iterable(map(_heads, starts, sentences))),
        deps=[_dep(word) for word in words],
        user_data={USER_DATA_KEY: list(map(_store, starts, sentences))},
    )
    _set_sentence_starts(doc, starts)
    doc._.set(GRAPH_EXTENSION, _graph(starts, sentences))
    return doc


def _value(column: str) -> str:
    return "" if column == "_" else column


def _lemma(word: ConlluWord) -> str:
    # The word `_` has the lemma `_`.
    return word.lemma if word.form == "_" else _value(word.lemma)


def _dep(word: ConlluWord) -> str:
    if word.head is None:
        return ""
    if word.head == 0 and word.deprel in ("root", "_"):
        return "ROOT"
    return _value(word.deprel)


def _heads(start: int, sentence: ConlluSentence) -> Iterator[int]:
    """Yield the heads as token offsets in a Doc where the sentence begins at start."""
    for i, word in enumerate(sentence.words):
        yield start + (word.head - 1 if word.head else i)


def _spaces(sentence: ConlluSentence) -> list[bool]:
    spaces = [_has_space_after(word.misc) for word in sentence.words]
    for token in sentence.multi_word_tokens:
        spaces[token.first - 1 : token.last] = [False] * (token.last - token.first + 1)
        spaces[token.last - 1] = _has_space_after(token.columns[-1])
    return spaces


def _has_space_after(misc: str) -> bool:
    return "SpaceAfter=No" not in misc.split("|")


def _store(start: int, sentence: ConlluSentence) -> StoredSentence:
    words = sentence.words
    return {
        "start": start,
        "end": start + len(words),
        "comments": sentence.comments,
        "multi_word_tokens": [
            {
                "start": start + token.first - 1,
                "end": start + token.last,
                "columns": token.columns,
            }
            for token in sentence.multi_word_tokens
        ],
        "misc": [word.misc for word in words],
        "empty_nodes": sentence.empty_nodes,
        "xpos": [word.xpos for word in words],
        "deps": [word.deps for word in words],
    }


def _graph(starts: Sequence[int], sentences: Sequence[ConlluSentence]) -> Graph | None:
    """Return the graph of a Doc in which the sentences begin at starts, if it has one."""
    columns = [[word.deps for word in sentence.words] for sentence in sentences]
    if all(deps == "_" for deps in chain.from_iterable(columns)):
        return None
    graphs = [
        sentence_graph(deps, sentence.empty_nodes, start)
        for deps, sentence, start in zip(columns, sentences, starts)
    ]
    return list(chain.from_iterable(graphs))


def _set_sentence_starts(doc: Doc, starts: Sequence[int]) -> None:
    # spaCy derives boundaries from the heads, which do not tell where heads are missing.
    flags = numpy.full((len(doc), 1), -1)
    flags[starts] = 1
    doc.from_array([SENT_START], flags.astype("uint64"))  # type: ignore[arg-type]


def without_annotation(doc: Doc) -> Doc:
    """Return a Doc with the same words and spaces, and no annotation: to be parsed.

    Of the stored CoNLL-U it keeps what belongs to the text: comments, multi-word
    tokens and MISC.
    """
    copy = Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
    )
    if USER_DATA_KEY in doc.user_data:
        copy.user_data[USER_DATA_KEY] = [
            {key: sentence[key] for key in StoredText.__annotations__}
            for sentence in doc.user_data[USER_DATA_KEY]
        ]
    return copy


# Docs to Examples


class ConlluCorpus:
    """Yield Examples from CoNLL-U; gold tokens, and predicted Docs without annotation.

    path: a file, a folder whose `*.conllu` files are read, or a pattern such as
        "treebank/*-train.conllu"; several files are read in the order of their names.
    sentences_per_doc: so many sentences make up a Doc (fewer at the end of a file).
    limit: stop after so many Docs; 0 for no limit.
    max_length: leave out sentences with more words; 0 for no limit.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        sentences_per_doc: int = 1,
        limit: int = 0,
        max_length: int = 0,
    ) -> None:
        if sentences_per_doc < 1:
            raise ValueError(
                f"sentences_per_doc is {sentences_per_doc}, but a Doc needs a sentence. "
                "Set it to 1 or more."
            )
        self.path = Path(path)
        self.sentences_per_doc = sentences_per_doc
        self.limit = limit
        self.max_length = max_length

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Yield the Examples; the Docs use the Vocab of nlp.

        Raises ConlluError for faults in a file, FileNotFoundError if there is none.
        """
        files = _find_files(self.path)
        docs = chain.from_iterable(self._read_docs(file, nlp.vocab) for file in files)
        for doc in islice(docs, self.limit or None):
            yield Example(without_annotation(doc), doc)

    def _read_docs(self, path: Path, vocab: Vocab) -> Iterator[Doc]:
        sentences = filter(self._is_short_enough, read_file(path))
        while batch := list(islice(sentences, self.sentences_per_doc)):
            yield sentences_to_doc(vocab, batch)

    def _is_short_enough(self, sentence: ConlluSentence) -> bool:
        return not self.max_length or len(sentence.words) <= self.max_length


def _find_files(path: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(path.rglob("*.conllu"))
    elif path.exists():
        files = [path]
    else:
        files = [Path(name) for name in sorted(glob(str(path)))]
    if not files:
        raise FileNotFoundError(
            f"No CoNLL-U at '{path}'. Give a file, a folder with *.conllu files, or a "
            "pattern that matches some."
        )
    return files


@registry.readers("arceager.ConlluCorpus.v1")
def create_conllu_corpus(
    path: str | Path | None,
    *,
    sentences_per_doc: int = 1,
    limit: int = 0,
    max_length: int = 0,
) -> ConlluCorpus:
    """Create the reader for a training config. See `ConlluCorpus`.

    Raises ValueError if path is null, as it is until `paths.train` and `paths.dev` are set.
    """
    if path is None:
        raise ValueError(
            "The path of the CoNLL-U corpus is null. Set it in the config, or on the "
            "command line with --paths.train and --paths.dev."
        )
    return ConlluCorpus(
        path, sentences_per_doc=sentences_per_doc, limit=limit, max_length=max_length
    )

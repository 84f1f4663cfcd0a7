"""Docs are written as CoNLL-U, whether they were read from CoNLL-U, parsed, or only tokenised.

What the reader stored with a Doc (see `to_doc.StoredSentence`) is written back if it still fits.
MISC always does, multi-word tokens do if no boundary of a sentence is inside, and comments, empty
nodes and DEPS do if the sentence has kept its boundaries.

If the graph `doc._.arceager_graph` of a sentence differs from the stored DEPS, the graph is written
instead of DEPS and empty nodes. It has no empty nodes, but its labels may be paths through them
(`conj>nsubj`, see `deps`).
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from spacy.attrs import DEP, HEAD, IS_SPACE, LEMMA, MORPH, ORTH, POS, SPACY, TAG
from spacy.tokens import Doc

from ...annotation.confidence import values_of
from ...annotation.graphs import Graph, get_graph
from ...annotation.layout import sentences_of
from ...annotation.multi_word import find_multi_word_tokens
from .deps import format_deps, parse_node, sentence_graph
from .sentence import comment_key
from .to_doc import (
    CONFIDENCES,
    StoredSentence,
    StoredToken,
    stored_sentences,
    without_confidences,
)

# As UDPipe writes them: https://ufal.mff.cuni.cz/udpipe/1/users-manual
_SPACE_ESCAPES = str.maketrans({" ": r"\s", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


class _Stored:
    """The stored CoNLL-U of a Doc. It is empty if nothing was stored or the Doc was retokenised."""

    def __init__(self, doc: Doc, space_after: Sequence[str]) -> None:
        values_by_key = {key: values_of(doc, name) for key, name in CONFIDENCES.items()}
        self.confidences = {key: values for key, values in values_by_key.items() if values}
        records = stored_sentences(doc)
        self.sentences = {(record["start"], record["end"]): record for record in records}
        self.misc = [misc for record in records for misc in record["misc"]]
        self.multi_word_tokens = {
            token["start"]: token
            for record in records
            for token in record["multi_word_tokens"]
        } or _from_raw_text(doc, space_after)
        self.without_space = {
            i for token in self.multi_word_tokens.values()
            for i in range(token["start"], token["end"])
        }

    def multi_word_tokens_of(self, words: Sequence[int]) -> dict[int, StoredToken]:
        """The multi-word tokens that end inside a sentence, by their start."""
        if not words or not self.multi_word_tokens:
            return {}
        end = words[-1] + 1
        tokens = map(self.multi_word_tokens.get, words)
        return {token["start"]: token for token in tokens if token and token["end"] <= end}

    def misc_of(self, i: int, space_after: str) -> str:
        """MISC of a token, with the confidences of head and label if there are any."""
        # The line of a multi-word token tells the spaces after its last word.
        space_after = " " if i in self.without_space else space_after
        misc = self.misc[i] if self.misc else _spaces_in_misc(space_after)
        if not self.confidences:
            return misc
        added = [
            f"{key}={values[i]:.4f}"
            for key, values in self.confidences.items() if values[i] is not None
        ]
        if not added:
            return misc
        # The confidences of an earlier parse are replaced.
        others = without_confidences(misc)
        return "|".join(added if others == "_" else [others, *added])


def _from_raw_text(doc: Doc, space_after: Sequence[str]) -> dict[int, StoredToken]:
    """The multi-word tokens that a tokenizer has found, by their first words."""
    return {
        token.start: {
            "start": token.start, "end": token.end,
            "columns": [token.form, *"_______", _spaces_in_misc(space_after[token.end - 1])],
        }
        for token in find_multi_word_tokens(doc)
    }


class _Arc(NamedTuple):
    head: int
    dep: str


class _Enhanced(NamedTuple):
    """The enhanced dependencies of a sentence.

    Attributes:
        deps: the column DEPS of each word.
        empty_nodes: the ten columns of each empty node.
    """

    deps: Sequence[str]
    empty_nodes: Sequence[list[str]]

    def empty_nodes_by_word(self) -> dict[int, list[list[str]]]:
        """The empty nodes behind each word, by the ID of the word."""
        nodes: dict[int, list[list[str]]] = {}
        for columns in self.empty_nodes:
            nodes.setdefault(parse_node(columns[0]).word, []).append(columns)
        return nodes


class _Tokens:
    """The texts and spaces of all tokens of a Doc, as lists.

    spaCy makes an object of a token each time it is asked for one.

    Attributes:
        texts: of the tokens.
        is_space: whether the token is white space.
        space_after: the white space between the token and the next word, as text. The last word
            of a text has a space if no white space follows: UD allows no SpaceAfter=No before a new
            document.

    Args:
        goes_on: whether the text goes on behind the Doc.
    """

    def __init__(self, doc: Doc, goes_on: bool = False) -> None:
        (self.texts,) = _look_up(doc, [ORTH])
        self.is_space, spaces = doc.to_array([IS_SPACE, SPACY]).T.tolist()
        self.space_after = after = [" " if space else "" for space in spaces]
        if after and not goes_on and not self.is_space[-1]:
            after[-1] = " "
        for i in range(len(after) - 2, -1, -1):
            if self.is_space[i + 1]:
                after[i] += self.texts[i + 1] + after[i + 1]


class _Columns(_Tokens):
    """Also the annotation of all tokens, as it stands in the columns of CoNLL-U.

    Attributes:
        heads: the index of its head, also if `Token.head` hides it because there is no dep.
    """

    def __init__(self, doc: Doc, goes_on: bool) -> None:
        super().__init__(doc, goes_on)
        self.lemmas, self.pos, self.tags, self.deps, morphs = _look_up(
            doc, [LEMMA, POS, TAG, DEP, MORPH]
        )
        self.feats = [*map(_feats, morphs)]
        offsets = doc.to_array([HEAD]).astype("int64").ravel().tolist()
        self.heads = [i + offset for i, offset in enumerate(offsets)]

    def skip_spaces(self, i: int) -> int:
        """The first token on the way up from token i that is a word, or else the root."""
        while self.is_space[i] and self.heads[i] != i:
            i = self.heads[i]
        return i


def _look_up(doc: Doc, attributes: list[int | str]) -> list[list[str]]:
    """The strings of some attributes, each a list over all tokens."""
    strings = doc.vocab.strings
    columns = []
    array = doc.to_array(attributes).reshape((len(doc), len(attributes)))
    for ids in cast(list[list[int]], array.T.tolist()):
        names = {i: strings[i] for i in {*ids}}
        columns.append([names[i] for i in ids])
    return columns


def doc_to_conllu(
    doc: Doc, prefix: str | None = None, first: int = 1, *, space_before: str = "",
    goes_on: bool = False,
) -> str:
    """A Doc as CoNLL-U, in which an empty line closes each sentence.

    A Doc without sentence boundaries is one sentence. HEAD and DEPREL are `_` where the parse is
    missing. White space is no word: MISC has it as SpacesAfter (but for that before the first
    word), and a word that hangs on it is written with the head of the white space. Sentences that
    come from no CoNLL-U get a number as `sent_id`, and behind an empty line `newpar`.

    Args:
        prefix: what stands before that number. If it is not None, sentences that come from CoNLL-U
            without a `sent_id` get one, too.
        first: the number of the first sentence.
        space_before: the white space between the Doc and the word before it, where the Doc is a
            part of a text.
        goes_on: whether the text goes on behind the Doc.

    Raises:
        ValueError: If a head, also one in the graph, is outside the sentence, or a value has a tab
            or a line break in it.
    """
    sentences = sentences_of_doc(doc, prefix, first, space_before=space_before, goes_on=goes_on)
    return "".join(text for _, text in sentences)


def sentences_of_doc(
    doc: Doc, prefix: str | None = None, first: int = 1, *, space_before: str = "",
    goes_on: bool = False,
) -> Iterator[tuple[list[int], str]]:
    """Yield the indices of each sentence's words and its CoNLL-U, see `doc_to_conllu`."""
    tokens, graph = _Columns(doc, goes_on), get_graph(doc)
    stored = _Stored(doc, tokens.space_after)
    number = first
    for span in sentences_of(doc):
        words = [i for i in range(span.start, span.end) if not tokens.is_space[i]]
        if words:
            record = stored.sentences.get((words[0], words[-1] + 1))
            name = None if record and prefix is None else f"{prefix or ''}{number}"
            new_paragraph = not record and space_before.count("\n") > 1
            text = _sentence_to_conllu(words, tokens, graph, stored, record, name)
            yield words, "# newpar\n" * new_paragraph + text
            number += 1
            space_before = tokens.space_after[words[-1]]


class SurfaceText:
    """Tells the text of sentences of a Doc, in which multi-word tokens have their own forms.

    The text of a span would have the words that they stand for, one behind the other.
    """

    def __init__(self, doc: Doc) -> None:
        self._tokens = _Tokens(doc)
        self._stored = _Stored(doc, self._tokens.space_after)

    def of(self, words: Sequence[int]) -> str:
        """The text of some words that follow each other, by their indices, with single spaces."""
        return _text(words, self._stored.multi_word_tokens_of(words), self._tokens)


def _sentence_to_conllu(
    words: Sequence[int], tokens: _Columns, graph: Graph | None, stored: _Stored,
    record: StoredSentence | None, name: str | None,
) -> str:
    ids = {word: word_id for word_id, word in enumerate(words, 1)}
    multi_word = stored.multi_word_tokens_of(words)
    enhanced = _enhanced(words, ids, graph, record)
    empty_nodes = enhanced.empty_nodes_by_word()
    rows = empty_nodes.get(0, [])
    for word, arc, deps in zip(words, _arcs(words, tokens), enhanced.deps):
        if word in multi_word:
            rows.append(_multi_word_token(multi_word[word], ids))
        rows.append([
            str(ids[word]),
            tokens.texts[word],
            tokens.lemmas[word] or "_",
            tokens.pos[word] or "_",
            _xpos(word, tokens, record),
            tokens.feats[word],
            _head_id(word, arc, ids, tokens),
            "root" if arc.dep == "ROOT" else arc.dep or "_",
            deps,
            stored.misc_of(word, tokens.space_after[word]),
        ])
        if empty_nodes:
            rows += empty_nodes.get(ids[word], [])
    comments = record["comments"] if record else [f"# text = {_text(words, multi_word, tokens)}"]
    comments = comments if name is None else _with_sent_id(comments, name)
    return "\n".join([*comments, *_join_columns(rows), "", ""])


def _with_sent_id(comments: Sequence[str], name: str) -> list[str]:
    """The comments with a `sent_id`: their own, or else this name, before the text."""
    keys = [*map(comment_key, comments)]
    if "sent_id" in keys:
        return list(comments)
    place = keys.index("text") if "text" in keys else len(comments)
    return [*comments[:place], f"# sent_id = {name}", *comments[place:]]


def _xpos(word: int, tokens: _Columns, record: StoredSentence | None) -> str:
    # The reader fills a missing XPOS with UPOS.
    tag = tokens.tags[word]
    filled = (
        record is not None
        and tag == tokens.pos[word]
        and "xpos" in record
        and record["xpos"][word - record["start"]] == "_"
    )
    return "_" if filled else tag or "_"


@lru_cache(maxsize=10_000)
def _feats(morph: str) -> str:
    # UD ignores case when it sorts features, but spaCy does not.
    return "|".join(sorted(morph.split("|"), key=str.lower)) or "_"


def _head_id(word: int, arc: _Arc, ids: dict[int, int], tokens: _Columns) -> str:
    if arc.head == word:
        return "0" if arc.dep else "_"
    if arc.head not in ids:
        raise ValueError(
            f"The head of '{tokens.texts[word]}' (token {word}) is token {arc.head}, in another "
            "sentence. Make sentences and heads agree."
        )
    return str(ids[arc.head])


def _arcs(words: Sequence[int], tokens: _Columns) -> list[_Arc]:
    """The arc of each word, as if there were no white space."""
    arcs = []
    root: int | None = None
    for word in words:
        head, dep = tokens.skip_spaces(tokens.heads[word]), tokens.deps[word]
        if tokens.is_space[head]:
            # White space is the root, and the first word below it takes its place.
            dep = "ROOT" if root is None else dep
            head = root = word if root is None else root
        arcs.append(_Arc(head, dep))
    return arcs


def _multi_word_token(token: StoredToken, ids: dict[int, int]) -> list[str]:
    return [f"{ids[token['start']]}-{ids[token['end'] - 1]}", *token["columns"]]


def _enhanced(
    words: Sequence[int], ids: dict[int, int], graph: Graph | None,
    record: StoredSentence | None,
) -> _Enhanced:
    if graph is None or _is_stored(graph, record):
        return _stored_deps(words, record)
    return _Enhanced([format_deps(word, graph[word], ids) for word in words], [])


def _is_stored(graph: Graph, record: StoredSentence | None) -> bool:
    if record is None or "deps" not in record:
        return False
    start, end = record["start"], record["end"]
    stored = sentence_graph(record["deps"], record.get("empty_nodes", []), start)
    return stored == graph[start:end]


def _stored_deps(words: Sequence[int], record: StoredSentence | None) -> _Enhanced:
    if record is None or "deps" not in record:
        return _Enhanced(["_"] * len(words), [])
    deps = [record["deps"][word - record["start"]] for word in words]
    return _Enhanced(deps, record.get("empty_nodes", []))


@lru_cache(maxsize=1_000)
def _spaces_in_misc(space: str) -> str:
    if space == " ":
        return "_"
    # White space that has no escape, such as one that does not break lines, may not end a column.
    escaped = re.sub(r"\s", r"\\s", space.translate(_SPACE_ESCAPES))
    return f"SpacesAfter={escaped}" if space else "SpaceAfter=No"


def _text(words: Sequence[int], multi_word: dict[int, StoredToken], tokens: _Tokens) -> str:
    """The text of a sentence, with the forms of multi-word tokens and single spaces."""
    text = ""
    end = 0
    for word in words:
        if word in multi_word:
            text += multi_word[word]["columns"][0]
            end = multi_word[word]["end"]
        elif word >= end:
            text += tokens.texts[word]
            end = word + 1
        if word == end - 1 and tokens.space_after[word]:
            text += " "
    return text.rstrip()


def _join_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    lines = ["\t".join(row) for row in rows]
    together = "".join(lines)
    n_tabs = sum(map(len, rows)) - len(rows)
    if together.count("\t") > n_tabs or "\n" in together or "\r" in together:
        faulty = next(
            column for row in rows for column in row if not {"\t", "\n", "\r"}.isdisjoint(column)
        )
        raise ValueError(
            f"CoNLL-U has no way to write {faulty!r}: it has a tab or a line break "
            "in it. Replace it by a space, or split the token there."
        )
    return lines

"""Docs are made of the sentences of a CoNLL-U file."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import Any, TypedDict, cast
from zlib import crc32

import numpy
from spacy.tokens import Doc
from spacy.vocab import Vocab

from ...annotation import confidence
from ...annotation.boundaries import write_boundaries
from ...annotation.graphs import GRAPH_EXTENSION, Graph
from ...annotation.multi_word import copy_multi_word_tokens
from .deps import sentence_graph
from .sentence import ConlluSentence, ConlluWord

USER_DATA_KEY = "arceager_conllu"
CONFIDENCES = {"HeadConfidence": confidence.HEAD, "LabelConfidence": confidence.LABEL}


class StoredToken(TypedDict):
    """A multi-word token of a Doc.

    Attributes:
        start: the index of its first token in the Doc.
        end: the index behind its last token.
        columns: the nine columns after the ID, FORM to MISC.
    """

    start: int
    end: int
    columns: list[str]


class StoredText(TypedDict):
    """What is stored of every sentence because it belongs to its text.

    Attributes:
        start: the index of the first token of the sentence in the Doc.
        end: the index behind its last token.
        comments: the lines of comments, with their `#`.
        misc: the column MISC of each word. In a copy without annotation it has no confidences.
        checksum: of the words, which tells whether they are still the tokens of the Doc.
    """

    start: int
    end: int
    checksum: int
    comments: list[str]
    multi_word_tokens: list[StoredToken]
    misc: list[str]


class StoredSentence(StoredText, total=False):
    """An entry of the list `doc.user_data[USER_DATA_KEY]`, which has one for each sentence.

    All values are plain, so that they survive `Doc.to_bytes` and `DocBin(store_user_data=True)`.
    The following ones are left out where a Doc has no annotation.

    Attributes:
        empty_nodes: the ten columns of each empty node.
        xpos: the column XPOS of each word.
        deps: the column DEPS of each word.
    """

    empty_nodes: list[list[str]]
    xpos: list[str]
    deps: list[str]


def sentence_to_doc(vocab: Vocab, sentence: ConlluSentence) -> Doc:
    """A Doc of one sentence, see `sentences_to_doc`."""
    return sentences_to_doc(vocab, [sentence])


def sentences_to_doc(vocab: Vocab, sentences: Sequence[ConlluSentence]) -> Doc:
    """A Doc with the words, annotation and boundaries of some sentences.

    The root is its own head, with the dep `ROOT`. If XPOS is `_`, the tag is UPOS. If UPOS and
    FEATS are `_`, the token has no morph, from which a morphologizer would learn that there are no
    features. If any word has DEPS, `doc._.arceager_graph` is set.

    To spaCy, a token without a dep has no head either (`Token.has_head`, `Token.has_dep`).
    Therefore a token whose HEAD is `_` becomes its own head and gets no dep, whatever DEPREL is. If
    only DEPREL is `_`, the token gets no dep and `Token.head` hides its head, which is still in
    `Doc.to_array("HEAD")`. If HEAD is 0 and DEPREL is `_`, the dep is `ROOT`.

    To parse the Doc anew, take `without_annotation(doc)`; otherwise the gold DEPS and empty nodes
    would be written beside the new parse.

    Raises:
        ConlluError: For malformed DEPS in sentences that do not come from the reader.
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
    # To spaCy, no features are an annotation; where UPOS is missing, so are they.
    for i, word in enumerate(words):
        if word.upos == word.feats == "_":
            doc[i].set_morph(None)  # type: ignore[attr-defined]  # the stub of spaCy lacks it
    _set_sentence_starts(doc, starts)
    doc._.set(GRAPH_EXTENSION, _graph(starts, sentences))
    return doc


def text_to_doc(vocab: Vocab, sentence: ConlluSentence) -> Doc:
    """A Doc of the text of a sentence, as `without_annotation` makes it, with its boundary.

    It adds no string of the annotation to the Vocab.
    """
    spaces = [*_spaces(sentence)]
    spaces[-1:] = [False] * len(spaces[-1:])
    starts: list[bool | int | None] = [i == 0 for i in range(len(spaces))]
    return Doc(
        vocab,
        words=[word.form for word in sentence.words],
        spaces=spaces,
        sent_starts=starts,
        user_data={USER_DATA_KEY: [text_of(_store(0, sentence))]},
    )


def stored_of_part(doc: Doc, start: int, end: int) -> dict[str, list]:
    """What is stored of the CoNLL-U of some tokens, for the user data of a Doc of them alone.

    Nothing where they are not whole sentences, or the Doc was retokenised.
    """
    def moved(stored: Any) -> Any:
        return {**stored, "start": stored["start"] - start, "end": stored["end"] - start}

    sentences = [
        moved({**text_of(one), "multi_word_tokens": [*map(moved, one["multi_word_tokens"])]})
        for one in stored_sentences(doc) if start <= one["start"] and one["end"] <= end
    ]
    is_whole = sentences and (sentences[0]["start"], sentences[-1]["end"]) == (0, end - start)
    return {USER_DATA_KEY: sentences} if is_whole else {}


def stored_sentences(doc: Doc) -> Sequence[StoredSentence]:
    """What is stored of the sentences of a Doc; nothing if the Doc was cut or retokenised."""
    stored: Sequence[StoredSentence] = doc.user_data.get(USER_DATA_KEY, ())
    if not stored or stored[-1]["end"] != len(doc):
        return ()
    words = [token.text for token in doc]
    fits = all(one["checksum"] == find_checksum(words[one["start"] : one["end"]]) for one in stored)
    return stored if fits else ()


def find_checksum(words: Sequence[str]) -> int:
    """A number that tells a sequence of words from others."""
    return crc32("\t".join(words).encode(errors="surrogatepass"))


def text_of(sentence: Mapping[str, Any]) -> StoredText:
    """What is stored of a sentence because it belongs to its text."""
    stored = {key: sentence[key] for key in StoredText.__annotations__}
    return cast(StoredText, {**stored, "misc": [*map(without_confidences, sentence["misc"])]})


@lru_cache(maxsize=1_000)
def without_confidences(misc: str) -> str:
    """A column MISC without the confidences of a parse."""
    parts = [part for part in misc.split("|") if part.partition("=")[0] not in CONFIDENCES]
    return "|".join(parts) or "_"


def given_arcs(sentence: ConlluSentence) -> list[tuple[int, int | None, str]]:
    """The arcs (dependent, head, label) that a sentence gives, with words counted from 0.

    A root is its own head. The head is None where HEAD is `_`, and the label is "" where DEPREL is
    `_`; where both are, there is no arc.
    """
    return [
        (i, head, _value(word.deprel))
        for i, (word, head) in enumerate(zip(sentence.words, sentence.heads))
        if (head, word.deprel) != (None, "_")
    ]


def _value(column: str) -> str:
    return "" if column == "_" else column


def _lemma(word: ConlluWord) -> str:
    # The lemma of the word `_` is the character `_`, and not a missing value.
    return word.lemma if word.form == "_" else _value(word.lemma)


def _dep(word: ConlluWord) -> str:
    if word.head is None:
        return ""
    if word.head == 0 and word.deprel in ("root", "_"):
        return "ROOT"
    return _value(word.deprel)


def _heads(start: int, sentence: ConlluSentence) -> Iterator[int]:
    """Yield the heads as token indices of a Doc in which the sentence begins at `start`."""
    for i, head in enumerate(sentence.heads):
        yield start + (i if head is None else head)


def _spaces(sentence: ConlluSentence) -> Iterator[bool]:
    """Yield whether a space follows each word."""
    for token in sentence.surface_tokens():
        yield from [False] * (len(token.words) - 1)
        yield token.has_space_after


def _store(start: int, sentence: ConlluSentence) -> StoredSentence:
    words = sentence.words
    return {
        "start": start,
        "end": start + len(words),
        "checksum": find_checksum([word.form for word in words]),
        "comments": sentence.comments,
        "multi_word_tokens": [
            {"start": start + token.first - 1, "end": start + token.last, "columns": token.columns}
            for token in sentence.multi_word_tokens
        ],
        "misc": [word.misc for word in words],
        "empty_nodes": sentence.empty_nodes,
        "xpos": [word.xpos for word in words],
        "deps": [word.deps for word in words],
    }


def _graph(starts: Sequence[int], sentences: Sequence[ConlluSentence]) -> Graph | None:
    """The graph of a Doc in which the sentences begin at `starts`; None without any DEPS."""
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
    boundaries = numpy.full((len(doc),), -1)
    boundaries[starts] = 1
    write_boundaries(doc, boundaries)


def without_annotation(doc: Doc, vocab: Vocab | None = None) -> Doc:
    """A copy of a Doc to be parsed anew, with its words and spaces but without annotation.

    No space follows its last word, as in raw text, because a model may read the spaces. It keeps
    the part of the stored CoNLL-U that belongs to the text: comments, multi-word tokens and MISC.

    Args:
        vocab: the Vocab of the copy; None stands for that of the Doc.
    """
    copy = Doc(
        vocab or doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) and token.i + 1 < len(doc) for token in doc],
    )
    if USER_DATA_KEY in doc.user_data:
        copy.user_data[USER_DATA_KEY] = [*map(text_of, doc.user_data[USER_DATA_KEY])]
    copy_multi_word_tokens(doc[:], copy)
    return copy

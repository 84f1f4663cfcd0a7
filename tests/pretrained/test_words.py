"""Words are split as the tokenizer splits their text, and windows show each piece its context."""

import json
from dataclasses import replace
from itertools import chain

import numpy
import pytest
import spacy
from spacy.tokens import Doc
from tokenizers import AddedToken, Tokenizer
from tokenizers.models import BPE, Unigram, WordPiece
from tokenizers.normalizers import Replace
from tokenizers.pre_tokenizers import (
    BertPreTokenizer,
    ByteLevel,
    Metaspace,
    Sequence,
    WhitespaceSplit,
)

from spacy_arceager.pretrained import words
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.making.vocabulary import cut_vocabulary
from spacy_arceager.pretrained.words import Pieces, Windows, choose_pieces

from .tiny import PIECES, make_source, make_weights

TEXT = "the undone ants'nest, interesting (in the theories)... ends on es-es"
NLP = spacy.blank("xx")
RNG = numpy.random.default_rng(0)


def with_tokenizer(encoder: EncoderFiles, tokenizer: Tokenizer) -> EncoderFiles:
    return EncoderFiles(encoder.graph, tokenizer.to_str(), encoder.meta)


def like_xlm_r(encoder: EncoderFiles) -> Tokenizer:
    """It splits at spaces first, which then are gone, and writes "▁" as a space."""
    tokenizer = Tokenizer.from_str(encoder.tokenizer)
    tokenizer.normalizer = Replace("▁", " ")
    tokenizer.pre_tokenizer = Sequence([WhitespaceSplit(), Metaspace()])
    return tokenizer


def like_roberta(add_prefix_space: bool) -> Tokenizer:
    alphabet = [*sorted(ByteLevel.alphabet()), "th", "the", "Ġthe", "Ġin"]
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("Ġ", "in"), ("i", "n")]
    vocabulary = {piece: number for number, piece in enumerate([*alphabet, "in"])}
    tokenizer = Tokenizer(BPE(vocabulary, [*merges[:3], merges[4], merges[3]]))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=add_prefix_space)
    return tokenizer


def like_bert() -> Tokenizer:
    pieces = ["[UNK]", "the", "un", "##done", "(", ",", "in", "##g", "a", "##nts"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


def flat(pieces: list[list[int]]) -> list[int]:
    return [*chain.from_iterable(pieces)]


def test_words_are_split_as_their_text_is(encoder: EncoderFiles) -> None:
    doc = NLP(TEXT)
    assert len(doc) > len(TEXT.split())
    expected = Tokenizer.from_str(encoder.tokenizer).encode(TEXT, add_special_tokens=False).ids
    assert flat(Pieces(encoder).split(doc)) == expected
    xlm_r = like_xlm_r(encoder)
    assert flat(Pieces(with_tokenizer(encoder, xlm_r)).split(doc)) == expected
    assert xlm_r.encode(TEXT, add_special_tokens=False).ids == expected


@pytest.mark.parametrize("add_prefix_space", [True, False])
def test_bytes(encoder: EncoderFiles, add_prefix_space: bool) -> None:
    pieces = Pieces(with_tokenizer(encoder, like_roberta(add_prefix_space)))
    expected = like_roberta(True).encode(TEXT, add_special_tokens=False).ids
    assert flat(pieces.split(NLP(TEXT))) == expected


def test_word_pieces_without_spaces(encoder: EncoderFiles) -> None:
    pieces = Pieces(with_tokenizer(encoder, like_bert()))
    doc = NLP("the undone (a ants, thing)")
    expected = like_bert().encode(doc.text, add_special_tokens=False).ids
    assert flat(pieces.split(doc)) == expected and max(expected) == 9


def test_a_space_makes_a_difference(encoder: EncoderFiles) -> None:
    doc = Doc(NLP.vocab, ["the", "the", "the"], spaces=[True, False, False])
    first, second, third = Pieces(encoder).split(doc)
    assert first == second == [PIECES.index("▁the")]
    assert third == [PIECES.index(letter) for letter in "the"]


def test_white_space_before_a_word_is_a_space(encoder: EncoderFiles) -> None:
    doc = Doc(NLP.vocab, ["the", "\n", "the"], spaces=[False, False, False])
    first, _, last = Pieces(encoder).split(doc)
    assert first == last == [PIECES.index("▁the")]


def test_words_without_pieces(encoder: EncoderFiles) -> None:
    doc = Doc(NLP.vocab, ["a", " ", "\n\n", "☃", "\u00a0", "a"])
    pieces = Pieces(encoder).split(doc)
    assert [len(of_word) for of_word in pieces] == [1, 0, 0, 2, 0, 1]
    assert pieces[3] == [PIECES.index("▁"), encoder.meta.unk]
    settings = json.loads(encoder.tokenizer)
    settings["normalizer"] = {"type": "Replace", "pattern": {"Regex": "\\x{200b}"}, "content": ""}
    strict = EncoderFiles(encoder.graph, json.dumps(settings), encoder.meta)
    assert Pieces(strict).split(Doc(NLP.vocab, ["\u200b", "a\u200b"]))[0] == []
    assert Pieces(encoder).split(Doc(NLP.vocab)) == []


def test_padding_truncation_and_marks_are_left_out(encoder: EncoderFiles) -> None:
    tokenizer = Tokenizer.from_str(encoder.tokenizer)
    tokenizer.enable_padding(length=50)
    tokenizer.enable_truncation(2)
    tokenizer.add_special_tokens([AddedToken("</s>", special=True)])
    doc = NLP(TEXT)
    assert Pieces(with_tokenizer(encoder, tokenizer)).split(doc) == Pieces(encoder).split(doc)


def test_few_words_are_kept(encoder: EncoderFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Pieces(encoder).split(NLP(TEXT))
    monkeypatch.setattr(words, "MAX_TYPES", 3)
    pieces = Pieces(encoder)
    for _ in range(2):
        assert pieces.split(NLP(TEXT)) == expected
    assert pieces._split_word.cache_info().currsize <= 3


def draw_windows() -> tuple[Windows, numpy.ndarray]:
    size = int(RNG.integers(3, 20))
    windows = Windows(size, int(RNG.integers(1, size - 1)), bos=-1, eos=-2)
    return windows, RNG.integers(0, 100, int(RNG.integers(0, 80))).astype("i")


@pytest.mark.parametrize("repeat", range(100))
def test_each_piece_is_read_where_it_is_farthest_from_an_edge(repeat: int) -> None:
    windows, pieces = draw_windows()
    size = windows.size - 2
    cut, rows = windows.cut(pieces)
    assert numpy.array_equal(numpy.concatenate(cut)[rows], pieces)
    places = [(n, place - 1) for n, ids in enumerate(cut) for place in range(len(ids))]
    assert {len(ids) for ids in cut} == {min(len(pieces), size) + 2}
    assert all(ids[0] == -1 and ids[-1] == -2 for ids in cut)
    starts = [min(n * windows.stride, max(0, len(pieces) - size)) for n in range(len(cut))]
    assert starts[-1] + size >= len(pieces)
    for piece, row in enumerate(rows):
        window, place = places[row]
        assert starts[window] + place == piece

        def context(start: int, piece: int = piece) -> float:
            """How many pieces the nearest edge is away that is no end of the Doc."""
            end = start + size
            left = numpy.inf if start == 0 else piece - start
            right = numpy.inf if end >= len(pieces) else end - 1 - piece
            return min(left, right)

        showing = [start for start in starts if start <= piece < start + size]
        assert context(starts[window]) == max(map(context, showing))


def test_pieces_of_words() -> None:
    lengths = numpy.array([2, 0, 3, 1], dtype="i")
    for pooling, chosen, starts in (
        ("mean", [0, 1, 2, 3, 4, 5], [0, 2, 2, 5, 6]),
        ("first", [0, 2, 5], [0, 1, 1, 2, 3]),
        ("last", [1, 4, 5], [0, 1, 1, 2, 3]),
    ):
        actual = choose_pieces(lengths, pooling)
        assert [numbers.tolist() for numbers in actual] == [chosen, starts]
        assert {numbers.dtype for numbers in actual} == {numpy.dtype("i")}
    for pooling in ("mean", "first", "last"):
        chosen, starts = choose_pieces(numpy.zeros(0, dtype="i"), pooling)
        assert chosen.tolist() == [] and starts.tolist() == [0]


def test_a_word_without_a_space_keeps_its_pieces_when_the_vocabulary_is_cut() -> None:
    scores = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁do", -2.0),
              ("▁nt", -2.0), ("nt", -2.0), ("▁", -3.0), *((letter, -3.0) for letter in "dont")]
    tokenizer = Tokenizer(Unigram(scores, unk_id=3))
    tokenizer.pre_tokenizer = Metaspace()
    weights = make_weights(len(scores))
    source = replace(make_source(), tokenizer=tokenizer.to_str(), weights=weights)
    doc = Doc(NLP.vocab, ["do", "nt"], spaces=[False, False])
    assert flat(Pieces(source.to_files()).split(doc)) == [4, 6]
    cut = cut_vocabulary(source, ["do", "nt"])
    vocabulary = [piece for piece, _ in json.loads(cut.tokenizer)["model"]["vocab"]]
    pieces = flat(Pieces(cut.to_files()).split(doc))
    assert [vocabulary[piece] for piece in pieces] == ["▁do", "nt"]

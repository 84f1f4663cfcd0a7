"""A vocabulary that is cut splits its words as before, and gives them the same vectors."""

from dataclasses import replace

import pytest
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

from spacy_arceager.pretrained.making.source import EncoderSource
from spacy_arceager.pretrained.making.vocabulary import cut_vocabulary, split_words
from spacy_arceager.pretrained.runner import Runner
from spacy_arceager.pretrained.words import read_tokenizer
from tests.pretrained.tiny import make_source, make_weights
from tests.pretrained.tiny_tokenizers import ROBERTA, TOKENIZERS

WORDS = ["the", "cat", "Cats", "running", "on", "dogs", "unhappily"]
OTHERS = ["nobody", "chased", "where", "zebra"]


def split(source: EncoderSource, words: list[str]) -> list[list[str]]:
    return split_words(read_tokenizer(source.tokenizer)[0], words)


def make(family: str) -> EncoderSource:
    return source_of(TOKENIZERS[family]())


def source_of(tokenizer: Tokenizer) -> EncoderSource:
    vocabulary = tokenizer.get_vocab()
    names = ("[CLS]", "[SEP]", "[PAD]", "[UNK]")
    if names[0] not in vocabulary:
        names = ("<s>", "</s>", "<pad>", "<unk>")
    bos, eos, pad, unk = (vocabulary[name] for name in names)
    return replace(
        make_source(), weights=make_weights(len(vocabulary)), tokenizer=tokenizer.to_str(),
        bos=bos, eos=eos, pad=pad, unk=unk,
    )


@pytest.mark.parametrize("family", TOKENIZERS)
def test_its_words_have_the_same_pieces_and_vectors(family: str) -> None:
    before = make(family)
    after = cut_vocabulary(before, WORDS)
    assert split(before, WORDS) == split(after, WORDS)
    n_pieces = len(after.weights.embeddings)
    assert len(WORDS) < n_pieces < len(before.weights.embeddings)
    assert Tokenizer.from_str(after.tokenizer).get_vocab_size() == n_pieces
    for word in WORDS:
        first, second = (
            Runner(source.to_files()).encode(
                [[source.bos, *Tokenizer.from_str(source.tokenizer)
                  .encode(" " + word, add_special_tokens=False).ids, source.eos]], [0, 3]
            )[0] for source in (before, after)
        )
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("family", TOKENIZERS)
def test_other_words_have_shorter_pieces_and_none_that_is_unknown(family: str) -> None:
    before = make(family)
    after = cut_vocabulary(before, WORDS)
    assert split(before, OTHERS) != split(after, OTHERS)
    unknown = Tokenizer.from_str(after.tokenizer).id_to_token(after.unk)
    words = ["rat", "stun"]     # of letters that the words have
    for pieces in split_words(Tokenizer.from_str(after.tokenizer), words):
        assert unknown not in pieces


@pytest.mark.parametrize("family", TOKENIZERS)
def test_special_pieces_stay(family: str) -> None:
    before = make(family)
    after = cut_vocabulary(before, WORDS)
    old, new = Tokenizer.from_str(before.tokenizer), Tokenizer.from_str(after.tokenizer)
    for name in ("bos", "eos", "pad", "unk"):
        first, second = getattr(before, name), getattr(after, name)
        assert old.id_to_token(first) == new.id_to_token(second)
        assert (before.weights.embeddings[first] == after.weights.embeddings[second]).all()


def test_no_words_are_refused() -> None:
    with pytest.raises(ValueError, match="no words"):
        cut_vocabulary(make_source(), [])


def test_an_unknown_kind_is_refused() -> None:
    source = make_source()
    kind = '{"model":{"type":"WordLevel","vocab":{"<s>":0,"</s>":2,"<pad>":1,"<unk>":3},' \
           '"unk_token":"<unk>"},"added_tokens":[]}'
    tokenizer = Tokenizer.from_str('{"version":"1.0",' + kind[1:])
    with pytest.raises(ValueError, match="WordLevel cannot be cut"):
        cut_vocabulary(replace(source, tokenizer=tokenizer.to_str()), ["the"])


def test_characters_that_end_a_word_or_are_taken_apart_stay() -> None:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.normalizer = normalizers.NFD()
    trainer = trainers.BpeTrainer(
        vocab_size=80, special_tokens=ROBERTA, show_progress=False, end_of_word_suffix="</w>"
    )
    tokenizer.train_from_iterator(["the cat and the dog sat né on a mat", "ne é e"] * 3, trainer)
    before = source_of(tokenizer)
    after = cut_vocabulary(before, ["the", "dog", "né"])
    unknown = Tokenizer.from_str(after.tokenizer).id_to_token(after.unk)
    for source in (before, after):
        for pieces in split(source, ["hog", "tend", "é"]):
            assert unknown not in pieces


def test_a_special_piece_that_was_only_added_is_named() -> None:
    tokenizer = TOKENIZERS["bert"]()
    tokenizer.add_special_tokens(["<begin>"])
    source = source_of(tokenizer)
    begin = tokenizer.token_to_id("<begin>")
    with pytest.raises(ValueError, match="lacks its piece <begin>.*--all-pieces"):
        cut_vocabulary(replace(source, bos=begin), WORDS)

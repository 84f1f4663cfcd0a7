"""Cuts the vocabulary of an encoder to the pieces that some texts use."""

import json
import string
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from tokenizers import Tokenizer

from ..words import read_tokenizer
from .source import EncoderSource

PREFIXES = ("", "▁", "Ġ", "##")     # what a piece of one character may begin with


def split_words(tokenizer: Tokenizer, words: Sequence[str]) -> list[list[str]]:
    """The pieces of each word, where a space stands before the word, and then where none does."""
    spaced = tokenizer.encode_batch([" " + word for word in words], add_special_tokens=False)
    bare = tokenizer.encode_batch(list(words), add_special_tokens=False)
    return [first.tokens + second.tokens for first, second in zip(spaced, bare)]


def cut_vocabulary(source: EncoderSource, words: Iterable[str]) -> EncoderSource:
    """Keep the pieces of these words, their single characters, and the special pieces.

    Other words can still be split, into shorter pieces. Pieces keep their order, and have new ids.

    Raises:
        ValueError: If there are no words, if the tokenizer is of an unknown kind, or if its model
            lacks a special piece.
    """
    different = sorted(set(words))
    if not different:
        raise ValueError("There are no words whose pieces the vocabulary could keep")
    tokenizer, _ = read_tokenizer(source.tokenizer)
    special = [tokenizer.id_to_token(number)
               for number in (source.bos, source.eos, source.pad, source.unk)]
    data = json.loads(source.tokenizer)
    suffix = data["model"].get("end_of_word_suffix") or ""
    characters = {*"".join(different), *string.printable}
    if tokenizer.normalizer is not None:    # it may take characters apart
        characters.update(*map(tokenizer.normalizer.normalize_str, different))
    wanted = {*special, *(prefix + char for char in characters for prefix in PREFIXES)}
    wanted.update(char + suffix for char in characters)
    wanted.update(*split_words(tokenizer, different))
    old_ids = _cut_model(data["model"], wanted)
    new_ids = {old: new for new, old in enumerate(old_ids)}
    for piece, number in zip(special, (source.bos, source.eos, source.pad, source.unk)):
        if number not in new_ids:
            raise ValueError(f"The model of the tokenizer lacks its piece {piece}, so that the "
                             "vocabulary cannot be cut: keep all pieces (--all-pieces)")
    data["added_tokens"] = [
        {**token, "id": new_ids[token["id"]]}
        for token in data["added_tokens"] if token["content"] in special
    ]
    # Sequences get their first and last piece elsewhere, by the ids of the encoder.
    data["post_processor"] = None
    return replace(
        source, tokenizer=json.dumps(data, ensure_ascii=False),
        weights=replace(source.weights, embeddings=source.weights.embeddings[old_ids]),
        bos=new_ids[source.bos], eos=new_ids[source.eos], pad=new_ids[source.pad],
        unk=new_ids[source.unk],
    )


def _cut_model(model: dict[str, Any], wanted: set[str]) -> list[int]:
    """Take from a tokenizer's model what is not wanted.

    Returns:
        For each piece that stays, its old id.
    """
    kind, vocabulary = model["type"], model["vocab"]
    if kind == "Unigram":
        old_ids = [number for number, (piece, _) in enumerate(vocabulary) if piece in wanted]
        model["vocab"] = [vocabulary[number] for number in old_ids]
        model["unk_id"] = old_ids.index(model["unk_id"])
        return old_ids
    if kind == "BPE":
        merges = [merge.split(" ") if isinstance(merge, str) else merge
                  for merge in model["merges"]]
        wanted = wanted | {piece for piece in vocabulary if len(piece) == 1}
        _add_parts(merges, wanted)
        model["merges"] = [merge for merge in merges if "".join(merge) in wanted]
    elif kind != "WordPiece":
        raise ValueError(f"The vocabulary of a tokenizer of the kind {kind} cannot be cut")
    pieces = sorted((piece for piece in vocabulary if piece in wanted), key=vocabulary.get)
    model["vocab"] = {piece: number for number, piece in enumerate(pieces)}
    return [vocabulary[piece] for piece in pieces]


def _add_parts(merges: list[list[str]], wanted: set[str]) -> None:
    """Add the parts from which byte pair encoding makes the wanted pieces.

    A piece is made after its parts, so that one way back through all merges finds them.
    """
    for parts in reversed(merges):
        if "".join(parts) in wanted:
            wanted.update(parts)

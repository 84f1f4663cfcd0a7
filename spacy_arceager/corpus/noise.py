"""Changes gold sentences into what people type: without capitals, without the full stop."""

import random
from collections.abc import Callable
from dataclasses import replace

from .conllu.sentence import ConlluSentence

Noise = Callable[[ConlluSentence], ConlluSentence]


def create_noise(lower_case: float = 0.0, no_full_stop: float = 0.0) -> Noise:
    """Make the function with which a reader changes some sentences of a training.

    Args:
        lower_case: share of the sentences whose words lose their capitals.
        no_full_stop: share of the sentences that lose punctuation at their end.

    Raises:
        ValueError: For a share below 0 or above 1.
    """
    for name, share in (("lower_case", lower_case), ("no_full_stop", no_full_stop)):
        if not 0 <= share <= 1:
            raise ValueError(f"{name}={share} is no share; use 0 to 1")

    def add_noise(sentence: ConlluSentence) -> ConlluSentence:
        if random.random() < no_full_stop:  # noqa: S311 (no secret)
            sentence = without_full_stop(sentence)
        if random.random() < lower_case:  # noqa: S311
            sentence = in_lower_case(sentence)
        return sentence

    return add_noise


def without_text(sentence: ConlluSentence) -> list[str]:
    """The comments of a changed sentence: all but its old text."""
    return [line for line in sentence.comments if not line.startswith("# text =")]


def in_lower_case(sentence: ConlluSentence) -> ConlluSentence:
    """The sentence with the forms of its words, and of its multi-word tokens, in lower case."""
    return replace(
        sentence,
        comments=without_text(sentence),
        words=[replace(word, form=word.form.lower()) for word in sentence.words],
        multi_word_tokens=[
            replace(token, columns=[token.columns[0].lower(), *token.columns[1:]])
            for token in sentence.multi_word_tokens
        ],
    )


def without_full_stop(sentence: ConlluSentence) -> ConlluSentence:
    """The sentence without its last word, if that word is punctuation and has no dependents."""
    *words, last = sentence.words
    n_words = len(sentence.words)
    graph = [word.deps for word in words] + [node[8] for node in sentence.empty_nodes]
    is_needed = (
        last.upos != "PUNCT"
        or not words
        or last.head in (0, None)
        or any(word.head == n_words for word in words)
        or any(token.last == n_words for token in sentence.multi_word_tokens)
        or any(node[0].startswith(f"{n_words}.") for node in sentence.empty_nodes)
        or any(arc.startswith(f"{n_words}:") for deps in graph for arc in deps.split("|"))
    )
    if is_needed:
        return sentence
    return replace(sentence, words=words, comments=without_text(sentence))

"""Changes gold texts into what people type: without capitals, without full stops."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..checks import check_shares
from .conllu.sentence import ConlluSentence, comment_key

NO_SPACE = "SpaceAfter=No"

Noise = Callable[[Sequence[ConlluSentence]], list[ConlluSentence]]


def create_noise(
    lower_case: float = 0.0, no_full_stop: float = 0.0, both: float = 0.0
) -> Noise:
    """Make the function with which a reader changes some Docs of a training.

    All sentences of a Doc are changed alike, as the same person types them. So a parser learns to
    find sentences where nothing marks them, and need not expect that in texts that have capitals
    and full stops.

    Args:
        lower_case: share of the Docs whose words lose their capitals.
        no_full_stop: share of the Docs whose sentences lose punctuation at their end.
        both: share of the Docs that lose both.

    Raises:
        ValueError: For a share below 0 or above 1, and for shares whose sum is above 1.
    """
    shares = {"lower_case": lower_case, "no_full_stop": no_full_stop, "both": both}
    check_shares(**shares)
    total = math.fsum(shares.values())
    if total > 1:
        raise ValueError(f"lower_case, no_full_stop and both make {total}, over 1")

    def add_noise(sentences: Sequence[ConlluSentence]) -> list[ConlluSentence]:
        drawn = random.random()  # noqa: S311 (no secret)
        loses_case = drawn < lower_case + both
        loses_stops = lower_case <= drawn < lower_case + both + no_full_stop
        if loses_stops:
            sentences = [*map(without_full_stop, sentences)]
        if loses_case:
            sentences = [*map(in_lower_case, sentences)]
        return list(sentences)

    return add_noise


def without_text(sentence: ConlluSentence) -> list[str]:
    """The comments of a changed sentence: all but its old text."""
    return [line for line in sentence.comments if comment_key(line) != "text"]


def in_lower_case(sentence: ConlluSentence) -> ConlluSentence:
    """The sentence with the forms of its words, and of its multi-word tokens, in lower case."""
    return replace(
        sentence,
        comments=without_text(sentence),
        words=[word._replace(form=word.form.lower()) for word in sentence.words],
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
    tokens = sentence.multi_word_tokens
    if NO_SPACE not in last.misc.split("|"):
        # The space behind the full stop now is one behind the word before it.
        words[-1] = words[-1]._replace(misc=with_space(words[-1].misc))
        tokens = [
            replace(token, columns=[*token.columns[:-1], with_space(token.columns[-1])])
            if token.last == n_words - 1 else token
            for token in tokens
        ]
    return replace(
        sentence, words=words, multi_word_tokens=tokens, comments=without_text(sentence)
    )


def with_space(misc: str) -> str:
    """A MISC column that says that a space follows."""
    return "|".join(item for item in misc.split("|") if item != NO_SPACE) or "_"

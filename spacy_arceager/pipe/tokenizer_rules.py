"""Rules that spaCy's tokenizer learns from a treebank: affixes, and exceptions for single strings.

spaCy cuts a text at its spaces, and cuts prefixes, suffixes and infixes off what lies between them,
unless an exception says how it is cut. Its rules for a language often differ from the tokens of a
treebank: Maltese `l-`, Welsh `'r` and Armenian punctuation are tokens that it does not know.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer

LEAST_AFFIX = 3         # an affix is learnt from so many tokens that would be wrong without it
LEAST_EXCEPTION = 2     # an exception from so many
PRECISION = 0.9         # and it must be a token in this share of the strings in which it could be

Tokens = tuple[str, ...]
Strings = Counter[Tokens]    # how often strings without spaces occur, each as its gold tokens


class Place(NamedTuple):
    """Where in a string an affix stands.

    Attributes:
        pick: the affixes of a string that is cut into these tokens.
        pattern: the regular expression that finds any of some escaped affixes there.
        attribute: the attribute of spaCy's tokenizer that has the rule.
    """

    pick: Callable[[Tokens], Iterable[str]]
    pattern: str
    attribute: str


PLACES = (
    Place(lambda tokens: [token for token in tokens[:1] if not token[-1].isalnum()],
          "^(?i:{})", "prefix_search"),
    Place(lambda tokens: [token for token in tokens[-1:] if not token[0].isalnum()],
          "(?i:{})$", "suffix_search"),
    Place(lambda tokens: [token for token in tokens[1:-1] if not any(map(str.isalnum, token))],
          r"(?<=\w)(?:{})(?=\w)", "infix_finditer"),
)


def learn_rules(tokenizer: Tokenizer, strings: Strings) -> None:
    """Give a tokenizer the affixes and exceptions that some strings show.

    Args:
        tokenizer: it is changed, and saves the new rules with those that it had.
        strings: from a treebank, see `read_strings`.
    """
    for place in PLACES:
        affixes = learn_affixes(tokenizer, strings, place)
        if affixes:
            add_affixes(tokenizer, place, affixes)
    for tokens in learn_exceptions(tokenizer, strings):
        tokenizer.add_special_case("".join(tokens), [{ORTH: token} for token in tokens])


def read_strings(texts: Iterable[Iterable[tuple[str, bool]]]) -> Strings:
    """Count the strings between the spaces of texts.

    Args:
        texts: for each text its tokens, and whether a space follows each.
    """
    strings: Strings = Counter()
    for text in texts:
        tokens: list[str] = []
        for form, has_space in text:
            tokens.append(form)
            if has_space:
                strings[tuple(tokens)] += 1
                tokens = []
        if tokens:
            strings[tuple(tokens)] += 1
    return strings


def learn_affixes(tokenizer: Tokenizer, strings: Strings, place: Place) -> list[str]:
    """The affixes, in lower case, that the tokenizer misses and that are nearly always tokens.

    Only strings in which the tokenizer does not find an affix count, because the affix would change
    nothing in the others: a full stop is mostly a token, but not behind what the rules leave whole.
    """
    missed: Counter[str] = Counter()
    affixes_found: dict[Tokens, set[str]] = {}
    for tokens, number in strings.items():
        affixes_found[tokens] = affixes_of(cut(tokenizer, "".join(tokens)), place)
        missed.update(dict.fromkeys(affixes_of(tokens, place) - affixes_found[tokens], number))
    candidates = sorted(affix for affix, number in missed.items() if number >= LEAST_AFFIX)
    finds = {
        affix: re.compile(place.pattern.format(re.escape(affix))).search for affix in candidates
    }
    possible: Counter[str] = Counter()
    for tokens, number in strings.items():
        string = "".join(tokens).lower()
        possible.update({
            affix: number for affix, find in finds.items()
            if affix not in affixes_found[tokens] and len(affix) < len(string) and find(string)
        })
    return [affix for affix in candidates if missed[affix] >= PRECISION * possible[affix]]


def affixes_of(tokens: Tokens, place: Place) -> set[str]:
    """The affixes, in lower case, of a string that is cut into these tokens."""
    return {affix.lower() for affix in place.pick(tokens)} if len(tokens) > 1 else set()


def add_affixes(tokenizer: Tokenizer, place: Place, affixes: Sequence[str]) -> None:
    """Add affixes before those of the tokenizer, the longest first."""
    longest_first = sorted(affixes, key=lambda affix: (-len(affix), affix))
    pattern = place.pattern.format("|".join(map(re.escape, longest_first)))
    find = getattr(tokenizer, place.attribute)
    if find is not None:
        pattern = f"{pattern}|{find.__self__.pattern}"
    compiled = re.compile(pattern)
    method = compiled.finditer if place.attribute == "infix_finditer" else compiled.search
    setattr(tokenizer, place.attribute, method)


def learn_exceptions(tokenizer: Tokenizer, strings: Strings) -> Iterator[Tokens]:
    """The strings, as their tokens, that the tokenizer cuts wrongly.

    They are whole strings and single tokens. The tokens of a string are those that it has most
    often.
    """
    cuts: defaultdict[str, Strings] = defaultdict(Counter)
    for tokens, number in strings.items():
        cuts["".join(tokens)][tokens] += number
        if len(tokens) > 1:
            for token in tokens:
                cuts[token][(token,)] += number
    for string, counts in cuts.items():
        (tokens, number), *_ = counts.most_common(1)
        if number >= LEAST_EXCEPTION and cut(tokenizer, string) != tokens:
            yield tokens


def cut(tokenizer: Tokenizer, string: str) -> Tokens:
    """The tokens of a string."""
    return tuple(token.text for token in tokenizer(string))

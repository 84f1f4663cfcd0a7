"""All rules in the order in which they run.

Each rule takes a tree and a word, and does nothing if the word is not of the kind that the rule is
for. Heads change only by `Tree.take_place`, `lift` and `move`, so the arcs remain one tree whatever
a parser has made of the sentence. The docstring of a rule begins with an example, in which the word
in asterisks becomes the head or gets another label.
"""

from collections.abc import Callable

from .clauses import (
    make_small_clauses,
    name_expletives,
    name_only_objects,
    put_speech_verbs_on_top,
    raise_free_relative,
)
from .copula import name_infinitives_of_adjectives, raise_copula
from .labels import clearnlp_label
from .nominals import chain_conjuncts, name_both, raise_last_name, raise_month, raise_number
from .prepositions import (
    expand_in_order,
    raise_preposition,
    raise_preposition_of_clause,
    raise_second_of_fixed,
)
from .tree import Tree

NESTED = 20     # punctuation is moved out of at most so many nested phrases


def move_punctuation_up(tree: Tree, mark: int) -> None:
    """Punctuation at the edge of a phrase hangs on the head of the phrase.

    The second of two commas around an apposition or a relative clause stays: my uncle, a pilot*,*
    slept.
    """
    if tree.relation(mark) != "punct" or tree.is_root(mark):
        return
    for _ in range(NESTED):
        phrase = tree.heads[mark]
        if tree.is_root(phrase) or not _is_at_the_edge(tree, mark, phrase):
            return
        tree.lift(mark)


def _is_at_the_edge(tree: Tree, mark: int, phrase: int) -> bool:
    marks = tree.children(phrase, "punct")
    words = {phrase, *tree.children(phrase)}.difference(marks)
    is_second = any(phrase < other < mark for other in marks)
    return mark < min(words) or (mark > max(words) and not is_second)


RULES: tuple[Callable[[Tree, int], None], ...] = (
    # These come before prepositions and copulas stand between a word and its head in UD.
    put_speech_verbs_on_top,
    chain_conjuncts,
    name_both,
    # Copulas are raised first, for the preposition of a predicate hangs on its copula.
    raise_copula,
    raise_free_relative,
    raise_last_name,
    raise_number,
    raise_month,
    raise_preposition,
    expand_in_order,
    raise_preposition_of_clause,
    # Subjects, objects and clauses get their labels now that their heads are known.
    name_expletives,
    name_infinitives_of_adjectives,
    name_only_objects,
    make_small_clauses,
    raise_second_of_fixed,
    # Punctuation is the last, for the edges of phrases are known only now.
    move_punctuation_up,
)


def convert(tree: Tree) -> None:
    """Rewrite heads and labels of a UD tree in place."""
    for rule in RULES:
        for word in range(len(tree.words)):
            rule(tree, word)
    tree.labels = [clearnlp_label(tree, word) for word in range(len(tree.words))]

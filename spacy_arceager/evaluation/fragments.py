"""Words that are left without a head at the end of the input, and what becomes of them.

The statistics of Nivre and Fernández-González (2014, section 4 and table 1). Their old system is
plain arc-eager, which stops at the end of the input; words left over are attached to the artificial
root. Their new one, the tree constraint, goes on from there with the same classifier. So a
derivation under the tree constraint tells both: the old parse is what it has at the first end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from ..gold import MISSING
from ..machine.system import Configuration, TransitionSystem
from ..search.derivation import ScoredStep
from .beside_gold import DerivedSentence


@dataclass(frozen=True)
class Fragments:
    """Counts over sentences; they can be added up.

    One word of each tree has no head, or gets the artificial root when nothing else is left. A
    sentence is fragmented where several have none at the first end of the input; only these are
    counted, all of them. A sentence with one such word is a tree already. The paper counts that
    word too, since its artificial root lies on the stack.

    Attributes:
        sentences: how many there are.
        fragmented: of these, how many are fragmented.
        stack_token: Stack-Token, words left without a head in them, whose gold head is known.
        stack_head: Stack-Head, of these, how many have their gold head on the stack, with or
            without a head of its own; the artificial root is always there.
        stack_root: of these, how many are gold roots.
        correct_old: Correct, words of `stack_token` that are right if all are roots.
        correct_new: Correct, words of `stack_token` that are right in the final parse.
        correct_root: of these, gold roots.
        words: words with a gold head.
        right_old: of these, how many have it in the old parse.
        right_new: of these, how many have it in the final one.
    """

    sentences: int = 0
    fragmented: int = 0
    stack_token: int = 0
    stack_head: int = 0
    stack_root: int = 0
    correct_old: int = 0
    correct_new: int = 0
    correct_root: int = 0
    words: int = 0
    right_old: int = 0
    right_new: int = 0

    def __add__(self, other: "Fragments") -> "Fragments":
        return Fragments(*(a + b for a, b in zip(astuple(self), astuple(other))))


def count_fragments(
    system: TransitionSystem, sentences: Iterable[DerivedSentence]
) -> Fragments:
    """The fragments of a model's derivations.

    Raises:
        ValueError: For a system without tree constraint, or with BREAK.
    """
    check_constrained(system)
    total = Fragments()
    for sentence in sentences:
        total += count_in_sentence(system, sentence)
    return total


def check_constrained(system: TransitionSystem) -> None:
    """Raise ValueError where a derivation does not tell both parses."""
    if not system.parameters.tree_constraint or system.parameters.segment:
        raise ValueError(
            f"Fragments are counted in derivations of a system with tree_constraint=true and "
            f"segment=false; '{system.parameters.name}' is none"
        )


def count_in_sentence(system: TransitionSystem, sentence: DerivedSentence) -> Fragments:
    """The fragments of one derivation."""
    gold = sentence.heads
    end, last = run(system, sentence.steps, len(gold))
    old, new = end.tree(), last.tree()
    known = [word for word, head in enumerate(gold) if head != MISSING]
    headless = left_over(end)
    counted = [word for word in headless if gold[word] != MISSING]
    stack = {*end.stack}
    roots = [word for word in counted if gold[word] == word]
    right = [word for word in counted if new[word] == gold[word]]
    return Fragments(
        sentences=1,
        fragmented=int(bool(headless)),
        stack_token=len(counted),
        stack_head=sum(gold[word] in stack for word in counted),
        stack_root=len(roots),
        correct_old=len(roots),
        correct_new=len(right),
        correct_root=sum(word in right for word in roots),
        words=len(known),
        right_old=sum(old[word] == gold[word] for word in known),
        right_new=sum(new[word] == gold[word] for word in known),
    )


def run(
    system: TransitionSystem, steps: Sequence[ScoredStep], n_words: int
) -> tuple[Configuration, Configuration]:
    """The configurations at the first end of the input, and at the end of the derivation."""
    configuration = system.initial(n_words)
    end = None
    for step in steps:
        if end is None and configuration.ended:
            end = configuration.copy()
        configuration.apply(step.transition, step.label)
    return end or configuration, configuration


def left_over(end: Configuration) -> list[int]:
    """The words without a head at the end of the input, none where there is only one."""
    headless = [word for word in end.stack if word is not None and end.heads[word] is None]
    return headless if len(headless) > 1 else []

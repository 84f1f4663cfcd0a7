"""Words that are left without a head at the end of the input, and what becomes of them.

These are the statistics of Nivre and Fernández-González (2014, section 4 and table 1). Their old
system is plain arc-eager: it stops at the end of the input and attaches the words left over to the
artificial root. Their new system, arc-eager under the tree constraint, goes on from there with the
same classifier. One derivation of the new system therefore tells both parses: the old one is what
has been built when the end of the input is reached for the first time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from ..gold import MISSING
from ..machine.system import Configuration, TransitionSystem
from ..search.derivation import ScoredStep
from .beside_gold import DerivedSentence


@dataclass(frozen=True)
class Fragments:
    """Counts over sentences, which can be added up.

    A sentence is fragmented where several words have no head when the end of the input is reached
    for the first time. These words are the ones left over. A sentence with only one word without a
    head is a tree already, and that word is not counted here; the paper counts it, since its
    artificial root lies on the stack.

    Attributes:
        sentences: number of sentences.
        fragmented: number of fragmented sentences.
        stack_token: the paper's Stack-Token, the words left over whose gold head is known.
        stack_head: the paper's Stack-Head, the words of `stack_token` whose gold head is on the
            stack, with or without a head of its own; the artificial root is always there.
        stack_root: the words of `stack_token` that are gold roots.
        correct_old: the paper's Correct of the old system, the words of `stack_token` that are
            right if all of them become roots.
        correct_new: Correct of the new system, the words of `stack_token` that are right in the
            final parse.
        correct_root: the words of `correct_new` that are gold roots.
        words: all words with a gold head.
        right_old: the words that have their gold head in the old parse.
        right_new: the words that have their gold head in the final parse. An arc that was lifted
            stands where it was lifted to.
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
    """Count the fragments in a model's derivations.

    Raises:
        ValueError: For a system without tree constraint, or with BREAK.
    """
    check_constrained(system)
    return sum((count_in_sentence(system, sentence) for sentence in sentences), Fragments())


def check_constrained(system: TransitionSystem) -> None:
    """Raise ValueError for a system whose derivations do not tell both parses."""
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
    """The configurations when the input first ends, and when the derivation is complete."""
    configuration = system.initial(n_words)
    end = None
    for step in steps:
        if end is None and configuration.ended:
            end = configuration.copy()
        configuration.apply(step.transition, step.label)
    return end or configuration, configuration


def left_over(end: Configuration) -> list[int]:
    """The words without a head at the end of the input; a single one is no fragment."""
    headless = [word for word in end.stack if word is not None and end.heads[word] is None]
    return headless if len(headless) > 1 else []

"""How often non-monotonic transitions repair, and how often they should have.

The statistics of Honnibal, Goldberg and Johnson (2013, section 8 and table 2). A word leaves the
stack by LEFT or by REDUCE. LEFT is a repair where the word has a head already, and replaces it;
REDUCE is one where it has none, and attaches it to the word below. So what a repair would do is
given by whether the word has a head, and the other of the two moves is the monotonic one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..machine.system import Configuration, TransitionSystem
from ..systems.control_parameters import ATTACH, LEFT, REDUCE
from .beside_gold import DerivedSentence
from .ud import universal

LEFT_ARC = "LEFT-ARC"
PUNCTUATION = "punct"


class Pop(NamedTuple):
    """A word that leaves the stack, and the repair that is possible there.

    Attributes:
        repair: LEFT_ARC or REDUCE, which of the two would be one.
        is_repair: it was taken.
        is_right: it gives the gold head.
        loses: it replaces the gold head, or the gold head is still in the buffer, or the word is
            the gold root.
        gold_label: "" where missing.
        old_label: of the head that the word had, None without one.
        new_label: of the head that it leaves with.
    """

    repair: str
    is_repair: bool
    is_right: bool
    loses: bool
    gold_label: str
    old_label: str | None
    new_label: str | None


@dataclass(frozen=True)
class Repairs:
    """Counts of one transition, punctuation left out.

    Attributes:
        true_positive: repairs that gave a gold head.
        false_positive: other repairs.
        harmful: of these, those that lost a gold head which was there or could still be had. By
            the caption of its table 2 these are the paper's FP.
        true_negative: monotonic moves where a repair would not have given a gold head.
        false_negative: monotonic moves where it would have.
    """

    true_positive: int
    false_positive: int
    harmful: int
    true_negative: int
    false_negative: int


def find_pops(system: TransitionSystem, sentence: DerivedSentence) -> Iterator[Pop]:
    """The words that leave the stack where there was a choice.

    Raises:
        ValueError: For a system that is not arc-eager with distance 1.
    """
    check_arc_eager(system)
    configuration = system.initial(len(sentence.heads))
    for step in sentence.steps:
        before = configuration.copy()
        configuration.apply(step.transition, step.label)
        if step.options and step.transition.move in (LEFT, REDUCE, ATTACH):
            yield describe_pop(before, configuration, step.transition.move, sentence)


def check_arc_eager(system: TransitionSystem) -> None:
    """Raise ValueError where words do not leave the stack as in arc-eager."""
    if not system.parameters.is_arc_eager or system.parameters.distance > 1:
        raise ValueError(
            f"Repairs are counted in arc-eager derivations; '{system.parameters.name}' is another "
            "system"
        )


def describe_pop(
    before: Configuration, after: Configuration, move: str, sentence: DerivedSentence
) -> Pop:
    """What happened to the top of the stack between two configurations."""
    word = before.stack[-1]
    assert word is not None
    head = sentence.heads[word]
    is_root = head == word
    gold = before.n_words if is_root else head    # where the artificial root is
    buffer = before.buffer
    old = before.heads[word]
    offered: Sequence[int | None]
    if old is None:
        offered = before.stack[-2:-1]
        loses = is_root or gold in buffer
    else:
        offered = buffer[:1]
        loses = old == gold
    return Pop(
        repair=REDUCE if old is None else LEFT_ARC,
        is_repair=(old is None) != (move == LEFT),
        is_right=[gold] == offered,
        loses=loses,
        gold_label=sentence.labels[word],
        old_label=before.labels[word],
        new_label=after.labels[word],
    )


def without_punctuation(pops: Iterable[Pop]) -> list[Pop]:
    """Those of words whose gold label is another than `punct`."""
    return [pop for pop in pops if universal(pop.gold_label) != PUNCTUATION]


def count_repairs(pops: Iterable[Pop]) -> dict[str, Repairs]:
    """The counts of LEFT_ARC and REDUCE, punctuation left out."""
    counted = without_punctuation(pops)
    return {
        name: _count([pop for pop in counted if pop.repair == name]) for name in (LEFT_ARC, REDUCE)
    }


def _count(pops: Sequence[Pop]) -> Repairs:
    found = Counter((pop.is_repair, pop.is_right) for pop in pops)
    return Repairs(
        true_positive=found[True, True],
        false_positive=found[True, False],
        harmful=sum(pop.is_repair and not pop.is_right and pop.loses for pop in pops),
        true_negative=found[False, False],
        false_negative=found[False, True],
    )


def count_labels(pops: Iterable[Pop]) -> Counter[tuple[str, str, str]]:
    """How often a right repair brought in which label, punctuation left out.

    Returns:
        Counts of (LEFT_ARC or REDUCE, the old label, the new one); "" is none.
    """
    return Counter(
        (pop.repair, pop.old_label or "", pop.new_label or "")
        for pop in without_punctuation(pops) if pop.is_repair and pop.is_right
    )


def as_record(pops: Sequence[Pop]) -> dict[str, Any]:
    """The counts of both as plain values: "counts" by name, "labels" from the most frequent."""
    labels = count_labels(pops).most_common()
    return {
        "counts": {name: asdict(counts) for name, counts in count_repairs(pops).items()},
        "labels": [[*names, n] for names, n in labels],
    }

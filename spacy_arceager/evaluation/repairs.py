"""How often non-monotonic transitions repair, and how often they should have.

These are the statistics of Honnibal, Goldberg and Johnson (2013, section 8 and table 2). A word
leaves the stack by LEFT or by REDUCE. If the word has a head, LEFT is a repair that replaces this
head, and REDUCE is the monotonic move. If the word has no head, REDUCE is a repair that attaches
the word to the one below it, and LEFT is the monotonic move.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..machine.system import Configuration, TransitionSystem
from ..systems.control_parameters import ATTACH, LEFT, REDUCE
from ..systems.ud_rules import universal
from .beside_gold import DerivedSentence

LEFT_ARC = "LEFT-ARC"
PUNCTUATION = "punct"


class Pop(NamedTuple):
    """A word that leaves the stack, and the repair that is possible there.

    Attributes:
        repair: the move that is a repair here, LEFT_ARC or REDUCE.
        is_repair: whether the repair was taken.
        is_right: whether the repair gives the word its gold head.
        loses: whether the repair loses the gold head: it replaces it, or the gold head is still in
            the buffer, or the word is the gold root.
        gold_label: the gold label of the word, "" where it is missing.
        old_label: the label that the word had before, None without one.
        new_label: the label with which the word leaves the stack.
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
    """How often one kind of repair was made or missed, punctuation left out.

    Attributes:
        true_positive: repairs that gave a word its gold head.
        false_positive: other repairs.
        harmful: the false positives that lost a gold head which the word had or could still get.
            By the caption of its table 2 these are the paper's FP.
        true_negative: monotonic moves where a repair would not have given the gold head.
        false_negative: monotonic moves where a repair would have given the gold head.
    """

    true_positive: int
    false_positive: int
    harmful: int
    true_negative: int
    false_negative: int


def find_pops(system: TransitionSystem, sentence: DerivedSentence) -> Iterator[Pop]:
    """The words that leave the stack at a step where the model had a choice.

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
    """The pops of words that are not punctuation by their gold label."""
    return [pop for pop in pops if universal(pop.gold_label) != PUNCTUATION]


def count_repairs(pops: Iterable[Pop]) -> dict[str, Repairs]:
    """The counts of LEFT_ARC and REDUCE, punctuation left out."""
    counted = without_punctuation(pops)
    return {
        name: _count([pop for pop in counted if pop.repair == name]) for name in (LEFT_ARC, REDUCE)
    }


def _count(pops: Sequence[Pop]) -> Repairs:
    counts = Counter((pop.is_repair, pop.is_right) for pop in pops)
    return Repairs(
        true_positive=counts[True, True],
        false_positive=counts[True, False],
        harmful=sum(pop.is_repair and not pop.is_right and pop.loses for pop in pops),
        true_negative=counts[False, False],
        false_negative=counts[False, True],
    )


def count_labels(pops: Iterable[Pop]) -> Counter[tuple[str, str, str]]:
    """Count the labels that right repairs replaced and brought in, punctuation left out.

    Returns:
        Counts of (LEFT_ARC or REDUCE, old label, new label), with "" for a missing label.
    """
    return Counter(
        (pop.repair, pop.old_label or "", pop.new_label or "")
        for pop in without_punctuation(pops) if pop.is_repair and pop.is_right
    )


def as_record(pops: Sequence[Pop]) -> dict[str, Any]:
    """The repairs ("counts") and their labels ("labels", the most frequent first), for JSON."""
    labels = count_labels(pops).most_common()
    return {
        "counts": {name: asdict(counts) for name, counts in count_repairs(pops).items()},
        "labels": [[*names, n] for names, n in labels],
    }

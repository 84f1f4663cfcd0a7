"""Random derivations with their gold trees, and arc-eager once more in a few lines of Python."""

import random
from collections.abc import Sequence

from spacy_arceager.evaluation.beside_gold import DerivedSentence
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.search.derivation import Option, ScoredStep
from spacy_arceager.systems import SystemParameters

LABELS = ("det", "nsubj", "obj", "punct:x")


def step(system: TransitionSystem, move: str, label: str | None, n_legal: int = 2) -> ScoredStep:
    """A step that only says which transition was taken, and whether there was a choice."""
    transition = system.transitions[system.find(move)]
    option = Option(transition, label, 0.0, 1.0, 1.0)
    options = [option] * n_legal if n_legal > 1 else []
    return ScoredStep(transition, label, options, option if options else None)


def derived(
    parameters: SystemParameters, moves: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> tuple[TransitionSystem, DerivedSentence]:
    """A sentence that was derived by moves such as "LEFT-ARC nsubj"."""
    pairs = [move.split() for move in moves]
    used = {label for _, *rest in pairs for label in rest}
    system = TransitionSystem(parameters, sorted({*labels, *used}))
    steps = [step(system, name, label[0] if label else None) for name, *label in pairs]
    return system, DerivedSentence(steps, list(heads), list(labels))


def random_derivation(
    system: TransitionSystem, heads: Sequence[int], seed: int
) -> DerivedSentence:
    """A sentence that was derived at random; a tenth of the gold heads are missing."""
    generator = random.Random(seed)
    configuration = system.initial(len(heads))
    steps = []
    while not configuration.is_terminal:
        legal = configuration.legal()
        transition = generator.choice(legal)
        has_label = transition.is_arc or transition.move == "SHIFT"
        label = generator.choice(LABELS) if has_label else None
        steps.append(step(system, str(transition), label, len(legal)))
        configuration.apply(transition, label)
    gold = [-1 if generator.random() < 0.1 else head for head in heads]
    return DerivedSentence(steps, gold, [generator.choice(LABELS) for _ in heads])


class SlowArcEager:
    """Stack, buffer and heads of arc-eager; nothing checks whether a transition is legal.

    Args:
        has_root: the buffer ends in an artificial root.
    """

    def __init__(self, n_words: int, has_root: bool) -> None:
        self.stack: list[int] = []
        self.buffer = [*range(n_words + has_root)]
        self.heads: dict[int, int] = {}
        self.labels: dict[int, str | None] = {}

    def take(self, move: str, label: str | None) -> None:
        """Take a transition by its name."""
        if move == "SHIFT":
            self.labels[self.buffer[0]] = label
            self.stack.append(self.buffer.pop(0))
        elif move == "RIGHT-ARC":
            self.attach(self.buffer[0], self.stack[-1], label)
            self.stack.append(self.buffer.pop(0))
        elif move == "LEFT-ARC":
            self.attach(self.stack.pop(), self.buffer[0], label)
        elif move == "REDUCE":
            word = self.stack.pop()
            if word not in self.heads:
                self.attach(word, self.stack[-1], self.labels[word])
        else:
            assert move == "UNSHIFT"
            self.buffer.insert(0, self.stack.pop())

    def attach(self, word: int, head: int, label: str | None) -> None:
        """Give a word its head, in place of the one that it had."""
        self.heads[word], self.labels[word] = head, label

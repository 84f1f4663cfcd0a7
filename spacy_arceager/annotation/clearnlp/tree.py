"""The tree that the rules rewrite."""

from collections.abc import Sequence
from typing import NamedTuple

from ...systems.ud_rules import universal


class Word(NamedTuple):
    """What the rules look at in a word.

    Attributes:
        lower: the text in lower case.
        pos: the universal part of speech, such as NOUN.
        tag: the English tag, such as VBG.
        lemma: the lemma in lower case; it may be empty.
    """

    lower: str
    pos: str = ""
    tag: str = ""
    lemma: str = ""


class Tree:
    """The words of a sentence with heads and labels, which three operations change.

    In whatever order `take_place`, `lift` and `move` are called, the arcs remain one tree.

    Attributes:
        words: from left to right.
        heads: the head of each word, counted from 0; a root is its own head.
        labels: the label of each word.
    """

    def __init__(self, words: Sequence[Word], heads: Sequence[int], labels: Sequence[str]):
        self.words = words
        self.heads = [*heads]
        self.labels = [*labels]
        self._children: list[set[int]] = [set() for _ in words]
        for word, head in enumerate(self.heads):
            if word != head:
                self._children[head].add(word)

    def children(self, word: int, *labels: str) -> list[int]:
        """The children of a word from left to right, all or only with these labels.

        Subtypes of labels do not count.
        """
        children = sorted(self._children[word])
        if not labels or not children:
            return children
        return [child for child in children if self.relation(child) in labels]

    def relation(self, word: int) -> str:
        """The label without its subtype: nsubj of nsubj:pass."""
        return universal(self.labels[word])

    def is_root(self, word: int) -> bool:
        """Whether the word has no head."""
        return self.heads[word] == word

    def take_place(self, word: int, label: str) -> None:
        """Let a word and its head change places.

        The word gets the head and the label of its head, which becomes its child with the given
        label. All other children remain where they are.
        """
        below = self.heads[word]
        above = self.heads[below]
        self.labels[word], self.labels[below] = self.labels[below], label
        self._hang(word, word if above == below else above)
        self._hang(below, word)

    def lift(self, word: int) -> None:
        """Hang a word on the head of its head, which must not be a root."""
        self._hang(word, self.heads[self.heads[word]])

    def move(self, word: int, head: int) -> None:
        """Hang a word on another head, unless it is a root or that head lies below it."""
        if self.is_root(word):
            return
        ancestor = head
        while ancestor != word:
            if self.is_root(ancestor):
                self._hang(word, head)
                return
            ancestor = self.heads[ancestor]

    def _hang(self, word: int, head: int) -> None:
        self._children[self.heads[word]].discard(word)
        self.heads[word] = head
        if word != head:
            self._children[head].add(word)

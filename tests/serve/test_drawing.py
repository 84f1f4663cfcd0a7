"""A drawing has all arcs and words of a tree, and each arc ends at its word."""

import re

import pytest

from spacy_arceager.serve.drawing import draw_tree

INDICES = [2, 3, 5, 6]      # token 4 is white space
WORDS = ["She", "reads", "good", "books"]
HEADS = [3, 3, 6, 3]
LABELS = ["nsubj", "ROOT", "amod", "obj"]


@pytest.mark.parametrize("down", [True, False])
def test_words_and_arcs(down: bool) -> None:
    drawing = draw_tree(INDICES, WORDS, HEADS, LABELS, down=down)
    assert [(word.index, word.text) for word in drawing.words] == list(zip(INDICES, WORDS))
    assert [(arc.word, arc.head, arc.label) for arc in drawing.arcs] == [
        (2, 3, "nsubj"), (5, 6, "amod"), (6, 3, "obj")
    ]
    place = {word.index: word.y if down else word.x for word in drawing.words}
    for arc in drawing.arcs:
        tip = [float(part) for part in re.findall(r"[\d.]+", arc.tip)[:2]]
        assert abs(tip[down] - place[arc.word]) < 1
        line = [float(part) for part in re.findall(r"[\d.]+", arc.line)[:2]]
        assert abs(line[down] - place[arc.head]) < 6
    assert all(0 <= word.x <= drawing.width and 0 <= word.y <= drawing.height
               for word in drawing.words)


def test_long_and_odd_words_can_be_drawn() -> None:
    drawing = draw_tree([0, 1], ["a" * 500, "\x00<b>"], [1, 1], ["x", "ROOT"], down=False)
    assert [word.text for word in drawing.words] == ["a" * 23 + "…", "'\\x00<b>'"]


def test_a_single_word() -> None:
    drawing = draw_tree([7], ["Yes"], [7], ["ROOT"], down=True)
    assert drawing.arcs == [] and drawing.words[0].index == 7

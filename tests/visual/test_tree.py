import re
from textwrap import dedent

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from spacy_arceager.visual import render_tree

VOCAB = spacy.blank("xx").vocab
COLUMN_WIDTH = 3

# A tree as (trees at the left of its root, trees at the right of its root).
Tree = tuple[list["Tree"], list["Tree"]]


def make_doc(
    text: str,
    heads: list[int],
    deps: list[str] | None = None,
    pos: list[str] | None = None,
) -> Doc:
    words = text.split(" ")
    deps = deps or ["dep"] * len(words)
    return Doc(VOCAB, words=words, heads=heads, deps=deps, pos=pos)


def drawing(text: str) -> str:
    return dedent(text).strip("\n")


def test_projective_tree():
    doc = make_doc(
        "She read the book he wrote",
        heads=[1, 1, 3, 1, 5, 3],
        pos=["PRON", "VERB", "DET", "NOUN", "PRON", "VERB"],
        deps=["nsubj", "ROOT", "det", "obj", "nsubj", "acl"],
    )
    assert render_tree(doc) == drawing(
        """
        ┌───────► 1  She    PRON  nsubj
        ├──────── 2  read   VERB  ROOT
        │  ┌────► 3  the    DET   det
        └─►├───── 4  book   NOUN  obj
           │  ┌─► 5  he     PRON  nsubj
           └─►└── 6  wrote  VERB  acl
        """
    )


def test_crossing_arcs():
    doc = make_doc("A hearing is set on it today", heads=[1, 3, 3, 3, 1, 4, 3])
    assert render_tree(doc) == drawing(
        """
           ┌────► 1  A        dep
        ┌─►├───── 2  hearing  dep
        ├──┼────► 3  is       dep
        ├──┼───── 4  set      dep
        │  └─►┌── 5  on       dep
        │     └─► 6  it       dep
        └───────► 7  today    dep
        """
    )


def test_ascii():
    doc = make_doc("A hearing is set on it today", heads=[1, 3, 3, 3, 1, 4, 3])
    assert render_tree(doc, ascii=True) == drawing(
        """
           .----> 1  A        dep
        .->+----- 2  hearing  dep
        +--|----> 3  is       dep
        +--|----- 4  set      dep
        |  '->.-- 5  on       dep
        |     '-> 6  it       dep
        '-------> 7  today    dep
        """
    )


def test_one_word():
    assert render_tree(make_doc("Yes", heads=[0], deps=["ROOT"])) == "1  Yes  ROOT"


def test_empty_doc():
    assert render_tree(Doc(VOCAB)) == ""


def test_unparsed_doc():
    assert render_tree(Doc(VOCAB, words=["No", "parse"])) == "1  No\n2  parse"


def test_one_block_a_sentence():
    doc = make_doc("I left . Why ?", heads=[1, 1, 1, 3, 3])
    assert render_tree(doc) == drawing(
        """
        ┌─► 1  I     dep
        ├── 2  left  dep
        └─► 3  .     dep

        ┌── 1  Why  dep
        └─► 2  ?    dep
        """
    )


def test_span_leaves_out_arcs_to_other_tokens():
    doc = make_doc("A hearing is set on it today", heads=[1, 3, 3, 3, 1, 4, 3])
    assert render_tree(doc[3:6]) == drawing(
        """
            1  set  dep
        ┌── 2  on   dep
        └─► 3  it   dep
        """
    )


@pytest.mark.parametrize(
    "word, shown",
    [("\n", r"'\n'"), (" ", "' '"), ("2\u00a0000", r"'2\xa0000'"), ("\x1b", r"'\x1b'")],
)
def test_white_space_and_control_characters_are_escaped(word: str, shown: str):
    doc = Doc(VOCAB, words=["a", word], heads=[0, 0], deps=["ROOT", "dep"])
    second_line = render_tree(doc).splitlines()[1]
    assert second_line == f"└─► 2  {shown}  dep"


def test_wide_and_combining_characters_line_up():
    doc = make_doc("日本 cafe\u0301 abc", heads=[1, 1, 1])
    assert render_tree(doc) == drawing(
        """
        ┌─► 1  日本  dep
        ├── 2  cafe\u0301  dep
        └─► 3  abc   dep
        """
    )


def test_long_sentence():
    heads = [min(i + 1, 99) if i % 2 else 99 for i in range(100)]
    lines = render_tree(make_doc(" ".join(["word"] * 100), heads)).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert read_heads(lines) == [
        None if i == head else head for i, head in enumerate(heads)
    ]


@st.composite
def random_heads(draw: st.DrawFn) -> list[int]:
    """The heads of any tree, projective or not; the root is its own head."""
    length = draw(st.integers(1, 30))
    parents = [0] + [draw(st.integers(0, i - 1)) for i in range(1, length)]
    position = draw(st.permutations(range(length)))
    heads = [0] * length
    for node, parent in enumerate(parents):
        heads[position[node]] = position[parent]
    return heads


@given(random_heads(), st.data())
def test_drawing_can_be_read_back(heads: list[int], data: st.DataObject):
    forms = st.sampled_from(["a", "word", "日本", "►", "─"])
    words = [data.draw(forms) for _ in heads]
    lines = render_tree(make_doc(" ".join(words), heads)).splitlines()

    assert read_words(lines) == words
    assert read_heads(lines) == [
        None if i == head else head for i, head in enumerate(heads)
    ]
    heads_with_dependents = {head for i, head in enumerate(heads) if i != head}
    assert count_columns(lines) <= len(heads_with_dependents)


trees: st.SearchStrategy[Tree] = st.recursive(
    st.just(([], [])),
    lambda inner: st.tuples(st.lists(inner, max_size=3), st.lists(inner, max_size=3)),
)


@given(trees)
def test_projective_trees_take_no_crossings_and_one_column_a_level(tree: Tree):
    heads: list[int] = []
    add_heads(tree, heads)
    lines = render_tree(make_doc(" ".join(["w"] * len(heads)), heads)).splitlines()

    assert "┼" not in "".join(lines)
    assert count_columns(lines) == measure_height(tree)


def add_heads(tree: Tree, heads: list[int]) -> int:
    """Append the heads of a tree's tokens in text order; return its root's position."""
    left, right = tree
    dependents = [add_heads(subtree, heads) for subtree in left]
    root = len(heads)
    heads.append(root)
    dependents += [add_heads(subtree, heads) for subtree in right]
    for dependent in dependents:
        heads[dependent] = root
    return root


def measure_height(tree: Tree) -> int:
    left, right = tree
    return max((1 + measure_height(subtree) for subtree in left + right), default=0)


def split_line(line: str) -> tuple[str, str]:
    """The arcs of a line, and the form of its word."""
    match = re.fullmatch(r"([ │─┌├└┼►]*) \d+  (\S+) *dep|1  (\S+)  dep", line)
    assert match
    arcs, word, only_word = match.groups()
    return arcs or "", word or only_word


def read_words(lines: list[str]) -> list[str]:
    return [split_line(line)[1] for line in lines]


def count_columns(lines: list[str]) -> int:
    widths = {len(split_line(line)[0].rstrip()) for line in lines}
    assert len(widths) == 1
    return widths.pop() // COLUMN_WIDTH


def read_heads(lines: list[str]) -> list[int | None]:
    """Follow the arcs of a drawing, as a person would."""
    grid = [split_line(line)[0] for line in lines]
    return [read_head(grid, row) for row in range(len(grid))]


def read_head(grid: list[str], row: int) -> int | None:
    arrows = grid[row].count("►")
    if arrows == 0:
        return None
    assert arrows == 1
    line = grid[row][: grid[row].index("►")]
    rail = max(line.rfind(joint) for joint in "┌├└")
    top = bottom = row
    while grid[top][rail] != "┌":
        top -= 1
    while grid[bottom][rail] != "└":
        bottom += 1
    joined = [r for r in range(top, bottom + 1) if grid[r][rail] in "┌├└"]
    (head,) = [r for r in joined if grid[r].find("►") < rail]
    return head

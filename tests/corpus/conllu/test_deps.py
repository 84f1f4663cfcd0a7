"""Enhanced graphs in the column DEPS."""

from itertools import permutations, product
from pathlib import Path

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc, DocBin

from spacy_arceager.annotation.graphs import Graph, get_graph, is_root
from spacy_arceager.corpus.conllu import (
    USER_DATA_KEY,
    ConlluError,
    ConlluSentence,
    ConlluWord,
    doc_to_conllu,
    read_file,
    sentences_to_doc,
    without_annotation,
)
from spacy_arceager.corpus.conllu.deps import sentence_graph
from spacy_arceager.corpus.corpus import ConlluCorpus
from tests.conftest import DATA
from tests.corpus.sentences import NLP, read_doc

ENHANCED = DATA / "de_enhanced.conllu"


def conllu(deps: list[str], empty_nodes: dict[str, str] | None = None) -> str:
    """CoNLL-U of one sentence; in the tree all words hang on the first.

    deps: the column DEPS of each word.
    empty_nodes: their DEPS, by ID.
    """
    rows = [["# text = a sentence"], *_empty_rows(empty_nodes, 0)]
    for i, column in enumerate(deps, 1):
        tree = ["0", "root"] if i == 1 else ["1", "dep"]
        rows += [[str(i), f"w{i}", *"____", *tree, column, "_"]]
        rows += _empty_rows(empty_nodes, i)
    return "\n".join([*map("\t".join, rows), "", ""])


def _empty_rows(empty_nodes: dict[str, str] | None, after: int) -> list[list[str]]:
    nodes = (empty_nodes or {}).items()
    return [
        [i, "e", *"______", deps, "_"] for i, deps in nodes if i.startswith(f"{after}.")
    ]


def read_graph(deps: list[str], empty_nodes: dict[str, str] | None = None) -> Graph:
    graph = get_graph(read_doc(conllu(deps, empty_nodes)))
    assert graph is not None
    return graph


def deps_of(doc: Doc) -> list[str]:
    """The column DEPS as it is written."""
    lines = doc_to_conllu(doc).splitlines()
    return [line.split("\t")[8] for line in lines if line and line[0] != "#"]


# Reading
def test_words_have_all_their_heads_sorted() -> None:
    graph = read_graph(
        ["0:root", "4:obj|1:obj|1:amod", "_", "1:conj:and|10:x", *"______"]
    )
    assert graph[0] == [[0, "root"]]
    assert graph[1] == [[0, "amod"], [0, "obj"], [3, "obj"]]
    assert graph[2] == []
    assert graph[3] == [[0, "conj:and"], [9, "x"]]


def test_heads_count_from_the_start_of_the_doc() -> None:
    doc = read_doc(conllu(["0:root", "1:a"]) + conllu(["2:b", "0:root"]))
    assert get_graph(doc) == [[[0, "root"]], [[0, "a"]], [[3, "b"]], [[3, "root"]]]


def test_the_treebank_has_the_graphs_that_were_drawn() -> None:
    docs = [example.reference for example in ConlluCorpus(ENHANCED)(NLP)]
    relative, control, _, gapping, _ = [get_graph(doc) or [] for doc in docs]
    # "eine Frau, die ... gearbeitet hat": a cycle of two words.
    assert relative[4] == [[5, "obj"], [11, "nsubj"]]
    assert relative[7] == [[4, "ref"]]
    assert relative[11] == [[4, "acl:relcl"]]
    assert control[1] == [[2, "nsubj"], [8, "nsubj:xsubj"]]
    # "und Anna Tee": the second "trinkt" is an empty node.
    assert gapping[3:6] == [[[1, "conj>cc"]], [[1, "conj>nsubj"]], [[1, "conj>obj"]]]


def test_graph_is_none_without_deps_and_empty_in_a_sentence_without_deps() -> None:
    without, with_deps = conllu(["_", "_"]), conllu(["0:root"])
    assert read_doc(without + without)._.arceager_graph is None
    assert get_graph(read_doc(without + with_deps)) == [[], [], [[2, "root"]]]


def test_reader_gives_the_graph_to_references_only(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(conllu(["0:root", "1:a"]), encoding="utf-8")
    (example,) = ConlluCorpus(path)(NLP)
    assert example.reference._.arceager_graph == [[[0, "root"]], [[0, "a"]]]
    assert example.predicted._.arceager_graph is None
    assert without_annotation(example.reference)._.arceager_graph is None


# Empty nodes
def test_paths_through_empty_nodes_become_arcs() -> None:
    graph = read_graph(["0:root", "1.1:nsubj", "1.1:obj"], {"1.1": "1:conj:and"})
    assert graph[1:] == [[[0, "conj:and>nsubj"]], [[0, "conj:and>obj"]]]


def test_an_empty_node_may_have_several_heads_and_be_the_root() -> None:
    graph = read_graph(["0.1:a|2:b", "0.1:c"], {"0.1": "0:root|2:d"})
    assert graph[0] == [[0, "root>a"], [1, "b"], [1, "d>a"]]
    assert is_root(0, *graph[0][0])
    # 2 -d-> 0.1 -c-> 2 leads back to the word, but does not make it a root.
    assert graph[1] == [[1, "d>c"], [1, "root>c"]]
    assert [is_root(1, *arc) for arc in graph[1]] == [False, True]


def test_chains_of_empty_nodes_become_arcs() -> None:
    graph = read_graph(["0:root", "2.2:c"], {"2.1": "1:a", "2.2": "2.1:b"})
    assert graph[1] == [[0, "a>b>c"]]


def test_cycles_of_empty_nodes_end() -> None:
    nodes = {"2.1": "1:a|2.2:b", "2.2": "2.1:c"}
    graph = read_graph(["0:root", "2.1:x|2.2:y"], nodes)
    assert graph[1] == [[0, "a>c>y"], [0, "a>x"]]


def test_paths_of_the_same_labels_are_one_arc() -> None:
    nodes = {"1.1": "1:conj", "1.2": "1:conj"}
    assert read_graph(["0:root", "1.1:obj|1.2:obj"], nodes)[1] == [[0, "conj>obj"]]


def test_arcs_from_an_empty_node_without_head_are_lost() -> None:
    graph = read_graph(["0:root", "1.1:a|1:b", "1.1:a"], {"1.1": "_"})
    assert graph[1:] == [[[0, "b"]], []]


LABELS = ["a", "b:c"]


@st.composite
def columns(draw: st.DrawFn, node: str, heads: list[str]) -> str:
    arcs = [f"{head}:{label}" for head in heads if head != node for label in LABELS]
    chosen = draw(st.lists(st.sampled_from([*arcs, "0:root"]), max_size=3, unique=True))
    return "|".join(chosen) or "_"


@st.composite
def enhanced(draw: st.DrawFn) -> tuple[list[str], dict[str, str]]:
    """DEPS of up to four words and three empty nodes, in any kind of graph."""
    words = [str(i) for i in range(1, draw(st.integers(1, 4)) + 1)]
    counts = [draw(st.integers(0, 1)) for _ in range(3)]
    empty = [f"{i}.1" for i, n in enumerate(counts[: len(words) + 1]) if n]
    heads = words + empty
    return (
        [draw(columns(word, heads)) for word in words],
        {node: draw(columns(node, heads)) for node in empty},
    )


def all_paths(deps: list[str], empty_nodes: dict[str, str]) -> Graph:
    """The collapsed graph by trying every order of every choice of empty nodes."""
    incoming = {str(i): column for i, column in enumerate(deps, 1)} | empty_nodes
    arcs = {
        node: [arc.split(":", 1) for arc in column.split("|") if arc != "_"]
        for node, column in incoming.items()
    }
    graph: list[set[tuple[int, str]]] = [set() for _ in deps]
    for i, word in enumerate(map(str, range(1, len(deps) + 1))):
        for size in range(len(empty_nodes) + 1):
            for passed in permutations(empty_nodes, size):
                for steps in product(*(arcs[node] for node in [*passed, word])):
                    heads = [head for head, _ in steps]
                    if heads[1:] == list(passed) and "." not in heads[0]:
                        head = int(heads[0]) - 1 if heads[0] != "0" else i
                        graph[i].add((head, ">".join(label for _, label in steps)))
    return [[list(arc) for arc in sorted(arcs)] for arcs in graph]


@settings(deadline=None)
@given(enhanced())
def test_collapsed_graph_has_all_paths_and_no_others(
    sentence: tuple[list[str], dict[str, str]],
) -> None:
    deps, empty_nodes = sentence
    rows = [[node, *"_______", column, "_"] for node, column in empty_nodes.items()]
    assert sentence_graph(deps, rows) == all_paths(deps, empty_nodes)


# Errors
@pytest.mark.parametrize(
    "column, fault",
    [
        ("x", "DEPS 'x' has 'x', which is not head:label"),
        ("2", "not head:label"),
        ("1:a|", "has '', which is not"),
        ("1:a||2:b", "has '', which is not"),
        (":a", "not head:label"),
        ("1:", "not head:label"),
        ("-1:a", "not head:label"),
        ("1.0:a", "not head:label"),
        ("1-2:a", "not head:label"),
        ("²:a", "not head:label"),
        ("1:a>", "not head:label"),
        ("1:>a", "not head:label"),
        ("1:a|3:b", "outside the sentence"),
        ("1.2:b", "outside the sentence"),
        ("0:obj", "head 0 without the label root"),
        ("0:rooted", "head 0 without the label root"),
        ("2:x", "its own head"),
        ("2:root>x", "its own head"),
    ],
)
def test_malformed_deps_are_named_with_file_and_line(
    column: str, fault: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.conllu"
    text = conllu(["0:root"]) + conllu(["0:root", column], {"1.1": "1:a"})
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConlluError) as error:
        list(ConlluCorpus(path)(NLP))
    assert str(error.value).startswith(f"{path}, line 7: DEPS '{column}' ")
    assert fault in str(error.value)


def test_malformed_deps_of_an_empty_node_are_named_with_the_line() -> None:
    with pytest.raises(ConlluError, match="line 3: DEPS '1.1:x' makes the word its own"):
        read_graph(["0:root", "1:a"], {"1.1": "1.1:x"})


def test_malformed_deps_that_no_file_has_are_an_error_too() -> None:
    word = ConlluWord("a", "_", "_", "_", "_", 0, "root", "2:x", "_")
    with pytest.raises(ConlluError, match="DEPS '2:x' has a head outside"):
        sentences_to_doc(NLP.vocab, [ConlluSentence([], [word], [], [])])


# Writing
@settings(deadline=None)
@given(st.lists(enhanced(), min_size=1, max_size=3))
def test_reading_and_writing_changes_nothing(
    sentences: list[tuple[list[str], dict[str, str]]],
) -> None:
    text = "".join(conllu(*sentence) for sentence in sentences)
    assert doc_to_conllu(read_doc(text)) == text


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(enhanced(), min_size=1, max_size=3))
def test_a_collapsed_graph_is_written_and_read_again(
    sentences: list[tuple[list[str], dict[str, str]]],
) -> None:
    doc = read_doc("".join(conllu(*sentence) for sentence in sentences))
    predicted = without_annotation(doc)
    for token, original in zip(predicted, doc):
        token.is_sent_start = original.is_sent_start
    predicted._.arceager_graph = doc._.arceager_graph
    again = read_doc(doc_to_conllu(predicted))
    assert len(deps_of(predicted)) == len(doc)
    # Where paths are lost, a graph may have no arc left.
    assert any(get_graph(doc) or []) == (get_graph(again) is not None)
    assert get_graph(again) in (None, get_graph(doc))


def test_treebank_is_written_as_it_was() -> None:
    text = ENHANCED.read_text(encoding="utf-8")
    assert doc_to_conllu(read_doc(text)) == text


def test_another_graph_takes_the_place_of_deps_and_empty_nodes() -> None:
    kept = conllu(["0:root", "1.1:a"], {"1.1": "1:b"})
    doc = read_doc(kept + conllu(["0:root", "1.1:a"], {"1.1": "1:b"}))
    doc._.arceager_graph[3] = [[2, "obj"], [2, "b>a"]]
    written = doc_to_conllu(doc)
    assert written.startswith(kept)
    assert deps_of(doc)[3:] == ["0:root", "1:b>a|1:obj"]


def test_stored_deps_are_written_when_there_is_no_graph() -> None:
    text = conllu(["0:root", "1.1:a"], {"1.1": "1:b"})
    doc = read_doc(text)
    doc._.arceager_graph = None
    assert doc_to_conllu(doc) == text


def test_graph_of_a_doc_that_was_never_conllu_is_written() -> None:
    doc = Doc(NLP.vocab, words=["\n", *"abcdefghijk"], spaces=[False] * 12)
    graph: Graph = [[] for _ in doc]
    graph[1] = [[1, "root"], [3, "x"], [11, "z"]]
    graph[2] = [[1, "y"], [11, "a"], [2, "p>q"]]
    doc._.arceager_graph = graph
    # Arcs are sorted by number. The root has the number 0, and a self-loop is no root.
    assert deps_of(doc)[:3] == ["0:root|3:x|11:z", "1:y|2:p>q|11:a", "_"]


@pytest.mark.parametrize("head", [0, 3])
def test_head_that_is_no_word_of_the_sentence_is_an_error(head: int) -> None:
    starts: list[bool | int | None] = [True, False, False, True]
    doc = Doc(NLP.vocab, words=["\n", "a", "b", "c"], sent_starts=starts)
    doc._.arceager_graph = [[], [], [[head, "x"]], []]
    with pytest.raises(ValueError, match=f"token 2 has the head {head}"):
        doc_to_conllu(doc)


def test_graph_of_a_doc_that_was_retokenised_since_is_not_written() -> None:
    doc = read_doc(conllu(["0:root", "1:a", "1:b"]))
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[0:2])
    assert get_graph(doc) is None
    assert deps_of(doc) == ["_", "_"]


def test_graph_survives_bytes_and_docbin() -> None:
    doc = read_doc(conllu(["0:root", "1.1:a|1:b"], {"1.1": "1:b"}))
    text, graph = doc_to_conllu(doc), get_graph(doc)
    from_bytes = Doc(spacy.blank("xx").vocab).from_bytes(doc.to_bytes())
    assert from_bytes._.arceager_graph == graph
    data = DocBin(docs=[doc], store_user_data=True).to_bytes()
    (from_bin,) = DocBin().from_bytes(data).get_docs(spacy.blank("xx").vocab)
    assert get_graph(from_bin) == graph
    del from_bin.user_data[USER_DATA_KEY]
    assert deps_of(from_bin) == ["0:root", "1:b|1:b>a"]
    assert doc_to_conllu(from_bytes) == text


@pytest.mark.parametrize("size", [9, 12, 40])
def test_paths_through_empty_nodes_are_bounded(size: int, tmp_path: Path) -> None:
    names = [f"1.{i}" for i in range(1, size + 1)]
    rows = ["1\tw\t_\t_\t_\t_\t0\troot\t1.1:x\t_"]
    for name in names:
        deps = "|".join(f"{other}:x" for other in names if other != name)
        rows.append(f"{name}\te\t_\t_\t_\t_\t_\t_\t1:x|{deps}\t_")
    path = tmp_path / "a.conllu"
    path.write_text("\n".join([*rows, ""]))
    with pytest.raises(ConlluError, match="line 1: word 1 .* too many paths"):
        list(read_file(path))


def test_a_long_chain_of_empty_nodes_is_one_path() -> None:
    n = 100
    chain = {f"1.{i}": f"1.{i + 1}:x" for i in range(1, n)} | {f"1.{n}": "0:root"}
    assert read_graph(["1.1:y"], chain) == [[[0, "root>" + "x>" * (n - 1) + "y"]]]


def test_the_work_of_all_words_together_is_bounded() -> None:
    n = 100
    chain = {f"1.{i}": f"1.{i + 1}:x" for i in range(1, n)} | {f"1.{n}": "0:root"}
    assert len(read_graph(["1.1:y"] * 40, chain)) == 40
    with pytest.raises(ConlluError, match="word 8[0-9] and those before it have too many paths"):
        read_graph(["1.1:y"] * 100, chain)

"""Seconds of CPU against the size of one sentence, for each reader, check and count.

python -m benchmarks.readers [--sizes 1000,10000,100000]

Trees: chain, each word's head the next one; random, whose arcs cross all over. Twice the size
should take little more than twice the time, but for `lift` (see there).
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Annotated

import numpy
import spacy
import typer
from numpy.typing import NDArray
from wasabi import Printer

from spacy_arceager.corpus.conllu import (
    doc_to_conllu,
    read_sentences,
    read_texts,
    sentence_to_doc,
)
from spacy_arceager.corpus.files import Line
from spacy_arceager.evaluation.treebank import describe
from spacy_arceager.formats.inputs.jsonl import parse_line
from spacy_arceager.trees import algorithms as trees

VOCAB = spacy.blank("xx").vocab


def chain(n: int) -> NDArray[numpy.int32]:
    """Heads from 0; each is the next word, the last is the root."""
    return numpy.minimum(numpy.arange(1, n + 1), n - 1).astype("i")


def random_tree(n: int) -> NDArray[numpy.int32]:
    """Heads from 0, of a random tree over words in random order."""
    generator = numpy.random.default_rng(0)
    order = generator.permutation(n)
    heads = numpy.empty(n, dtype="i")
    heads[order[0]] = order[0]
    heads[order[1:]] = order[generator.integers(0, numpy.arange(1, n))]
    return heads


def to_conllu(heads: NDArray[numpy.int32], empty_nodes: bool = False) -> list[str]:
    """Lines of CoNLL-U, with an empty node after each word if wanted."""
    lines = []
    for i, head in enumerate(heads.tolist(), 1):
        head_id = 0 if head == i - 1 else head + 1
        lines.append(f"{i}\tw\t_\t_\t_\t_\t{head_id}\tx\t{i}.1:x\t_" if empty_nodes
                     else f"{i}\tw\t_\t_\t_\t_\t{head_id}\tx\t_\t_")
        if empty_nodes:
            lines.append(f"{i}.1\te\t_\t_\t_\t_\t_\t_\t0:root\t_")
    return lines


def tasks(n: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is timed, on sentences of n words."""
    for name, heads in (("chain", chain(n)), ("random", random_tree(n))):
        lines = to_conllu(heads)
        (sentence,) = read_sentences(lines)
        doc = sentence_to_doc(VOCAB, sentence)
        yield f"read CoNLL-U, {name}", lambda lines=lines: list(read_sentences(lines))
        yield f"to Doc, {name}", lambda sentence=sentence: sentence_to_doc(VOCAB, sentence)
        yield f"write CoNLL-U, {name}", lambda doc=doc: doc_to_conllu(doc)
        yield f"describe (inspect), {name}", lambda sentence=sentence: describe([sentence])
        for function in (
            trees.is_tree, trees.non_projective_arcs, trees.count_blocks, trees.is_well_nested,
            trees.lift,
        ):
            yield f"{function.__name__}, {name}", lambda f=function, h=heads: f(h)
        ends = numpy.stack([heads, numpy.arange(n)], axis=1)
        yield f"crossing_arcs, {name}", lambda ends=ends: trees.crossing_arcs(ends)
    lines = to_conllu(chain(n), empty_nodes=True)
    yield "read CoNLL-U, empty nodes", lambda: list(read_sentences(lines))
    plain = [Line("x", i, text) for i, text in enumerate(to_conllu(chain(n)), 1)]
    yield "read CoNLL-U to parse anew", lambda: list(read_texts(plain))
    text = Line("x", 1, json.dumps({"text": "word " * n}))
    yield "read a line of JSON", lambda: parse_line(text)


def main(
    sizes: Annotated[str, typer.Option(help="Words, with commas.")] = "1000,10000,100000",
) -> None:
    """Print the table."""
    counts = [int(size) for size in sizes.split(",")]
    rows: dict[str, list[str]] = {}
    for n in counts:
        for name, run in tasks(n):
            start = time.process_time()
            run()
            rows.setdefault(name, []).append(f"{time.process_time() - start:.3f}")
    header = ("", *(f"{n:,} words" for n in counts))
    table = [(name, *cells) for name, cells in rows.items()]
    aligns = ("l", *("r" for _ in counts))
    print(Printer(no_print=True).table(table, header=header, divider=True, aligns=aligns))


if __name__ == "__main__":
    typer.run(main)

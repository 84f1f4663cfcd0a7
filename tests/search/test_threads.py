"""Several threads parse as one thread does, raise errors, and leave no thread running."""

import multiprocessing
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import numpy
import pytest

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.search import blocks
from spacy_arceager.search.beam import search
from spacy_arceager.search.blocks import Batch, SentenceBlock
from spacy_arceager.search.greedy import parse, parse_graphs
from spacy_arceager.search.settings import BeamSettings
from spacy_arceager.systems import SystemParameters, arc_eager, dag
from tests.conftest import random_scoring, random_vectors
from tests.search.systems import EVERY, SEGMENTING

LABELS = ("a", "b", "c")
LENGTHS = [0, 17, 1, 5, 0, 60, 3, 2, 9, 30, 1, 24, 8]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 20)
    monkeypatch.setattr(blocks, "MIN_BLOCK", 1)


def make_search(
    parameters: SystemParameters,
) -> tuple[TransitionSystem, Scorer, numpy.ndarray, list[int]]:
    system = TransitionSystem(parameters, LABELS)
    vectors = random_vectors(sum(LENGTHS), 8, 1)
    return system, random_scoring(system, 1).predict(None), vectors, LENGTHS


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [*EVERY.values(), *SEGMENTING.values()])
def test_threads_parse_as_one_thread_does(parameters: SystemParameters) -> None:
    arguments = make_search(parameters)
    expected = parse(*arguments)
    for threads in (2, 3, 40):
        for ours, theirs in zip(parse(*arguments, threads=threads), expected):
            assert numpy.array_equal(ours, theirs)


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_graphs_of_one_thread(threads: int) -> None:
    arguments = make_search(dag())
    assert numpy.array_equal(parse_graphs(*arguments, threads=threads), parse_graphs(*arguments))


@pytest.mark.parametrize("parameters", list(SEGMENTING.values())[:6])
def test_threads_find_the_beam_of_one_thread(parameters: SystemParameters) -> None:
    arguments = make_search(parameters)
    expected = search(*arguments, BeamSettings(3))
    results = search(*arguments, BeamSettings(3), threads=2)
    assert len(results) == len(expected)
    for ours, theirs in zip(results, expected):
        assert [tree[0] for tree in ours] == [tree[0] for tree in theirs]
        for our_tree, their_tree in zip(ours, theirs):
            assert all(map(numpy.array_equal, our_tree[1:4], their_tree[1:4]))


def make_batch() -> Batch:
    _, scorer, vectors, lengths = make_search(arc_eager())
    return Batch(scorer, vectors, lengths, None)


def test_each_sentence_is_parsed_once_by_as_many_threads_as_wanted() -> None:
    together = threading.Barrier(3, timeout=60)    # breaks if there are fewer threads

    def parse_blocks(blocks: Iterator[SentenceBlock]) -> Iterator[SentenceBlock]:
        together.wait()
        yield from blocks

    results = make_batch().parse(parse_blocks, 3)
    sentences = sorted(i for block in results for i in block.sentences)
    assert sentences == [i for i, length in enumerate(LENGTHS) if length]
    words = numpy.concatenate([block.words for block in results])
    assert sorted(words.tolist()) == [*range(sum(LENGTHS))]


@pytest.mark.parametrize("error", [MemoryError, KeyboardInterrupt, ValueError])
def test_an_error_in_one_thread_is_raised_and_ends_the_others(error: type) -> None:
    batch, parsed, first = make_batch(), [], threading.Lock()
    failed = threading.Event()

    def parse_blocks(blocks: Iterator[SentenceBlock]) -> Iterator[int]:
        fails = first.acquire(blocking=False)
        for block in blocks:
            if fails:
                failed.set()
                raise error("no more")
            assert failed.wait(60)
            parsed.append(block)
            yield 1

    with pytest.raises(error, match="no more"):
        batch.parse(parse_blocks, 2)
    assert len(parsed) < len(LENGTHS) - 2
    assert batch.parse(len_of_blocks, 2)      # the threads can be used again


def len_of_blocks(blocks: Iterator[SentenceBlock]) -> Iterator[int]:
    return (len(block.sentences) for block in blocks)


def test_a_forked_process_has_threads_of_its_own() -> None:
    assert sum(make_batch().parse(len_of_blocks, 2)) > 0
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        assert pool.submit(parse_in_threads).result() > 0


def parse_in_threads() -> int:
    return sum(make_batch().parse(len_of_blocks, 2))


def test_few_words_are_left_to_the_calling_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MIN_BLOCK", sum(LENGTHS))
    names = make_batch().parse(
        lambda blocks: (threading.current_thread().name for _ in blocks), 4
    )
    assert set(names) == {threading.current_thread().name}

"""The vectors of pieces: the same bits in every batch, and those of a slow twin in NumPy."""


import numpy
import pytest

from spacy_arceager.pretrained.encoder_files import EncoderFiles, EncoderMeta
from spacy_arceager.pretrained.runner import Runner

from . import numpy_encoder
from .tiny import PIECES, draw_pieces, make_source, make_weights

LAYERS = [0, 1, 2, 3]
N_POSITIONS = 64


@pytest.fixture(scope="module")
def runner(encoder: EncoderFiles) -> Runner:
    return Runner(encoder)


@pytest.fixture(scope="module")
def int8_runner() -> Runner:
    return Runner(make_source().to_int8(draw_pieces(50, seed=9)))


def test_equals_the_slow_twin(runner: Runner) -> None:
    weights = make_weights()
    for pieces in draw_pieces(20):
        (vectors,) = runner.encode([pieces], LAYERS)
        expected = numpy_encoder.run(weights, pieces).swapaxes(0, 1)
        numpy.testing.assert_allclose(vectors, expected, atol=2e-5)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("precision", ["runner", "int8_runner"])
def test_same_bits_in_every_batch(
    precision: str, seed: int, request: pytest.FixtureRequest
) -> None:
    runner: Runner = request.getfixturevalue(precision)
    longest = int(numpy.random.default_rng(seed).integers(3, 65))
    sequences = draw_pieces(100, longest, seed)
    together = runner.encode(sequences, LAYERS)
    for pieces, vectors in zip(sequences, together):
        (alone,) = runner.encode([pieces], LAYERS)
        assert alone.tobytes() == vectors.tobytes()
    some = list(range(0, 100, 3))
    for number, vectors in zip(some, runner.encode([sequences[i] for i in some], LAYERS)):
        assert vectors.tobytes() == together[number].tobytes()


def test_same_bits_whatever_layers_are_asked_for(runner: Runner) -> None:
    sequences = draw_pieces(20)
    every = runner.encode(sequences, LAYERS)
    few = runner.encode(sequences, [2, 0])
    mean = runner.encode(sequences, [1, 3], mean=True)
    for whole, part, average in zip(every, few, mean):
        assert part.tobytes() == whole[:, [2, 0]].tobytes()
        numpy.testing.assert_allclose(average, whole[:, [1, 3]].mean(axis=1), atol=1e-6)


def test_lists_and_other_integers_are_taken(runner: Runner) -> None:
    (expected,) = runner.encode([numpy.array([0, 5, 2], dtype="i4")], [1])
    for pieces in ([0, 5, 2], numpy.array([0, 5, 2], dtype="i8")):
        (vectors,) = runner.encode([pieces], [1])
        assert vectors.tobytes() == expected.tobytes()


def test_no_sequences(runner: Runner) -> None:
    assert runner.encode([], [1]) == []


@pytest.mark.parametrize("piece", [-1, len(PIECES)])
def test_unknown_pieces_are_refused(runner: Runner, piece: int) -> None:
    with pytest.raises(ValueError, match="pieces 0 to"):
        runner.encode([numpy.array([0, piece, 2])], [1])


def test_a_graph_that_does_not_run_is_refused(encoder: EncoderFiles) -> None:
    meta = EncoderMeta(**{**vars(encoder.meta), "name": "broken"})
    with pytest.raises(ValueError, match="ONNX Runtime cannot run broken"):
        Runner(EncoderFiles(b"no graph", encoder.tokenizer, meta))

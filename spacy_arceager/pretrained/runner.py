"""Runs the graph of an encoder on sequences of pieces."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy
import onnxruntime

from ..token_vectors.layers import Array, Ints
from .encoder_files import EncoderFiles

# One run gets so many pieces at most, so that what a layer hands to the next stays in the cache.
PIECES_A_RUN = 256


class Runner:
    """An encoder that is ready to run.

    A sequence has the same vectors, bit for bit, whatever else is encoded with it. To hold this,
    only sequences of the same length share a run, so that nothing is padded.

    Raises:
        ValueError: If ONNX Runtime cannot run the graph.
    """

    def __init__(self, files: EncoderFiles) -> None:
        self.files = files
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.use_deterministic_compute = True
        # The graph runs as it was made. Further fusions would only put the slow
        # SkipLayerNormalization into the place of a sum and a LayerNormalization.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        try:
            self._session = onnxruntime.InferenceSession(
                files.graph, options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # ONNX Runtime's errors have no common class of their own
            raise ValueError(f"ONNX Runtime cannot run {files.meta.name}: {error}") from error
        self._run_options = onnxruntime.RunOptions()
        self._run_options.only_execute_path_to_fetches = True

    def encode(
        self, pieces: Sequence[Ints], layers: Sequence[int], mean: bool = False
    ) -> list[Array]:
        """Compute the vectors of the pieces of some sequences.

        Args:
            pieces: for each sequence the ids of its pieces, at most `max_pieces`, the first and the
                last one (`bos` and `eos`) included.
            layers: whose outputs are wanted. 0 stands for the embeddings, and k for the k-th block.
            mean: whether the mean over the layers is wanted, instead of each of them.

        Returns:
            For each sequence an array (pieces, layers, width), or (pieces, width) for the mean.

        Raises:
            ValueError: For ids that no piece has.
        """
        vectors: list[Array] = [numpy.empty(0, dtype="f")] * len(pieces)
        for numbers in _group_by_length(pieces):
            batch = numpy.array([pieces[number] for number in numbers], dtype="i4")
            self._check_ids(batch)
            outputs = self._run(batch, layers)
            joined = sum(outputs[1:], outputs[0]) / numpy.float32(len(outputs)) if mean else (
                numpy.stack(outputs, axis=2)
            )
            for number, array in zip(numbers, joined):
                vectors[number] = array
        return vectors

    def _run(self, batch: Ints, layers: Sequence[int]) -> list[Array]:
        names = [f"layer_{layer}" for layer in layers]
        return self._session.run(names, {"pieces": batch}, self._run_options)

    def _check_ids(self, batch: Ints) -> None:
        meta = self.files.meta
        if batch.min() < 0 or batch.max() >= meta.n_pieces:
            raise ValueError(f"{meta.name} has the pieces 0 to {meta.n_pieces - 1}, but a sequence "
                             f"has the pieces {batch.min()} to {batch.max()}")


def _group_by_length(pieces: Sequence[Ints]) -> Iterator[list[int]]:
    """The numbers of the sequences for each run."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, sequence in enumerate(pieces):
        by_length[len(sequence)].append(number)
    for length, numbers in by_length.items():
        size = max(1, PIECES_A_RUN // length)
        for start in range(0, len(numbers), size):
            yield numbers[start : start + size]

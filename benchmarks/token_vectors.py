"""Token vectors by thinc's layers and by ours, with the same BLAS and thread.

python -m benchmarks.token_vectors DEV_CONLLU [--rounded | --subwords] [--output FILE]

spaCy's HashEmbedCNN in the size of our configs, not trained, beside itself after `speed_up`; with
--rounded beside the same weights in our WindowEncoder, which rounds what it multiplies; with
--subwords beside our SubwordEmbed and WindowEncoder, which read more of a word. Both sides
alternate; given are medians, and the median of the ratios. "New types" computes every word type
once, as in the first pass over a text; "known types" finds them all.
"""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated

import numpy
import spacy
import typer
from spacy.ml.models.tok2vec import build_hash_embed_cnn_tok2vec, build_Tok2Vec_model
from spacy.tokens import Doc
from spacy.util import minibatch
from thinc.api import Model, NumpyOps, Ops, set_current_ops
from wasabi import msg

from spacy_arceager.token_vectors.speed_up import speed_up_model
from spacy_arceager.token_vectors.subword_embed import build_subword_embed
from spacy_arceager.token_vectors.window_encoder import (
    build_window_encoder,
    convert_window_encoder,
)

from .common import read_docs, report, seconds

WIDTH, DEPTH, WINDOW, PIECES = 96, 4, 1, 3
BATCH, UPDATE_BATCH = 256, 64    # Docs


def build_theirs() -> Model:
    return build_hash_embed_cnn_tok2vec(
        width=WIDTH, depth=DEPTH, embed_size=5000, window_size=WINDOW, maxout_pieces=PIECES,
        subword_features=True, pretrained_vectors=False,
    )


def build_rounded(theirs: Model) -> Model:
    """The same weights as `init-config --token-vectors words --encoder windows` reads them."""
    model = theirs.copy()
    model.replace_node(model.layers[1], convert_window_encoder(model.layers[1], True))
    return speed_up_model(model)


def build_with_subwords() -> Model:
    return build_Tok2Vec_model(
        build_subword_embed(WIDTH, ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
                            [5000, 2500, 2500, 2500]),
        build_window_encoder(WIDTH, WINDOW, PIECES, DEPTH),
    )


def build_sides(docs: list[Doc], subwords: bool, rounded: bool) -> tuple[Model, Model]:
    """Our token vectors and thinc's, with the same weights but for `subwords`."""
    theirs = build_theirs()
    theirs.initialize(X=docs)
    if not subwords:
        return build_rounded(theirs) if rounded else speed_up_model(theirs.copy()), theirs
    ours = build_with_subwords()
    ours.initialize(X=docs)
    return ours, theirs


def predict(model: Model, docs: list[Doc], batch: int = BATCH) -> None:
    for part in minibatch(docs, batch):
        model.predict(part)


def update(model: Model, docs: list[Doc]) -> None:
    for part in minibatch(docs, UPDATE_BATCH):
        vectors, backprop = model.begin_update(part)
        backprop(vectors)


def rates(model: Model, docs: list[Doc]) -> dict[str, float]:
    """Words/s of each measure. A copy has neither gradients nor known types."""
    model = model.copy()
    n_words = sum(map(len, docs))
    few = docs[:300]
    n_few = sum(map(len, few))
    vectors = [model.layers[0].predict(part) for part in minibatch(docs, BATCH)]
    fresh = model.copy()
    return {
        "encoder": n_words / seconds(lambda: [model.layers[1].predict(X) for X in vectors]),
        "token vectors, new types": n_words / seconds(lambda: predict(fresh, docs)),
        "token vectors, known types": n_words / seconds(lambda: predict(model, docs)),
        "one sentence a call": n_few / seconds(lambda: predict(model, few, 1)),
        "update": n_few / seconds(lambda: update(model.copy(), few)),
    }


def print_speeds() -> None:
    """The speed of each BLAS in a product as the encoder has it."""
    n_inputs = WIDTH * (2 * WINDOW + 1)
    inputs = numpy.ones((1000, n_inputs), dtype="f")
    weights = numpy.ones((WIDTH * PIECES, n_inputs), dtype="f")

    def speed(ops: Ops) -> float:
        times = [seconds(lambda: ops.gemm(inputs, weights, trans2=True)) for _ in range(50)]
        return 2e-9 * inputs.size * len(weights) / median(times)

    for name, ops in (("NumPy", NumpyOps(use_blis=False)), ("BLIS", NumpyOps())):
        print(f"{name}: {speed(ops):.0f} GFLOP/s")


def processor_share(action: Callable[[], object]) -> float:
    """Processor time / wall time."""
    start = process_time()
    wall = seconds(action)
    return (process_time() - start) / wall


def main(
    dev: Path,
    subwords: Annotated[bool, typer.Option()] = False,
    rounded: Annotated[bool, typer.Option()] = False,
    repetitions: Annotated[int, typer.Option()] = 5,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    print_speeds()
    set_current_ops(NumpyOps(use_blis=False))
    docs = read_docs(spacy.blank("xx"), dev)
    ours, theirs = build_sides(docs[:10], subwords, rounded)
    found: dict[str, dict[str, list[float]]] = {}
    for _ in range(repetitions):
        for side, model in (("ours", ours), ("thinc's", theirs)):
            for measure, rate in rates(model, docs).items():
                found.setdefault(measure, {}).setdefault(side, []).append(rate)
    report(found, output)
    share = processor_share(lambda: predict(ours, docs))
    msg.text(f"Processor time / wall time, ours: {share:.2f}")


if __name__ == "__main__":
    typer.run(main)

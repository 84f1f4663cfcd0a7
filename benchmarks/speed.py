"""Speed and memory of trained pipelines in prediction, on one core.

python -m benchmarks.speed parsing OURS PEER DEV_CONLLU     beside spaCy's parser
python -m benchmarks.speed pipelines OURS PEER DEV_CONLLU   raw text through all components
python -m benchmarks.speed beam MODEL DEV_CONLLU            beam search beside greedy parsing
python -m benchmarks.speed growth MODEL DEV_CONLLU          time a word, by words a sentence
python -m benchmarks.speed memory OURS PEER DEV_CONLLU      peak memory, beside it (Linux)
python -m benchmarks.speed stream DEV_CONLLU                memory along a corpus
python -m benchmarks.speed sentence MODEL DEV_CONLLU        memory of one long sentence (Linux)
python -m benchmarks.speed limit MODEL DEV_CONLLU           beside the time of its products alone
python -m benchmarks.speed shares MODEL DEV_CONLLU          which library takes the time

A pipeline's last component must be its parser, once what --exclude names is left out, but not for
`pipelines`. Where there are two sides, they alternate; given are medians, and the median of the
ratios.
"""

import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, cycle, islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Annotated, TypeVar

import numpy
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Model
from wasabi import msg

import spacy_arceager
from spacy_arceager.processes import parse
from spacy_arceager.search.settings import BeamSettings

from .common import (
    GuardOption,
    describe_machine,
    encode,
    gigaflops,
    guard,
    join,
    parse_alone,
    read_docs,
    read_encoded,
    read_examples,
    read_texts,
    report,
    save,
    seconds,
    use_default_ops,
)

app = typer.Typer(help=__doc__, rich_markup_mode=None)
T = TypeVar("T")
Output = Annotated[Path | None, typer.Option(help="JSON file for the figures")]

LENGTHS = (10, 100, 1000, 10000)    # of `growth`, words a sentence
GROWTH_WORDS = 20_000
LATENCY_TEXTS = 500
STREAM_LINES = 10
LETTERS = "abcdefghijklmnopqrstuvwxyz"


# Beside spaCy's parser


def component_rate(nlp: Language, path: Path) -> float:
    """Words/s of the parser alone, on Docs that have their token vectors."""
    docs = read_encoded(nlp, path)
    return rate(docs, seconds(lambda: parse_alone(nlp, docs)))


def pipeline_rate(nlp: Language, path: Path) -> float:
    """Words/s of token vectors and parser, on Docs."""
    docs = read_docs(nlp, path)
    return rate(docs, seconds(lambda: list(nlp.pipe(docs, batch_size=256))))


def text_rate(nlp: Language, path: Path) -> float:
    """Words/s from raw text, the tokenizer included."""
    texts = [doc.text for doc in read_docs(nlp, path)]
    docs: list[Doc] = []
    time = seconds(lambda: docs.extend(nlp.pipe(texts, batch_size=256)))
    return rate(docs, time)


def latency_rate(nlp: Language, path: Path) -> float:
    """Words/s with one call a sentence, from raw text."""
    texts = [doc.text for doc in read_docs(nlp, path)][:LATENCY_TEXTS]
    docs: list[Doc] = []
    time = seconds(lambda: docs.extend(nlp(text) for text in texts))
    return rate(docs, time)


def rate(docs: list[Doc], time: float) -> float:
    return sum(map(len, docs)) / time


MEASURES = {
    "parser alone": component_rate,
    "token vectors and parser": pipeline_rate,
    "from raw text": text_rate,
    "one sentence a call": latency_rate,
}


@app.command()
def parsing(
    ours: str,
    peer: str,
    dev: Path,
    repetitions: int = 5,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Component to leave out, on both sides")
    ] = None,
    same_blas: Annotated[bool, typer.Option(help="NumPy's BLAS for the peer too")] = False,
    guarded: GuardOption = False,
    output: Output = None,
) -> None:
    """Parsing speed beside spaCy's parser."""
    use_default_ops(same_blas)
    pipelines = {
        "peer": spacy_arceager.load(peer, exclude=exclude or []),
        "ours": spacy_arceager.load(ours, exclude=exclude or []),
    }
    rates = {
        measure: alternate(pipelines, find, dev, repetitions)
        for measure, find in MEASURES.items()
    }
    report(rates, output)
    if guarded:
        guard(rates, same_blas)


def alternate(
    sides: Mapping[str, Language], find: Callable[[Language, T], float], given: T,
    repetitions: int,
) -> dict[str, list[float]]:
    """What `find` finds of each side and what is given, in turn."""
    found: dict[str, list[float]] = {"ours": [], "peer": []}
    for _ in range(repetitions):
        for side, nlp in sides.items():
            found[side].append(find(nlp, given))
    return found


@app.command()
def pipelines(
    ours: str,
    peer: str,
    dev: Path,
    repetitions: int = 5,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Component of the peer to leave out")
    ] = None,
    output: Output = None,
) -> None:
    """Raw text through all components beside another pipeline, by processor time."""
    use_default_ops(False)
    sides = {
        "peer": spacy_arceager.load(peer, exclude=exclude or []),
        "ours": spacy_arceager.load(ours),
    }
    docs = read_docs(sides["ours"], dev)

    def busy_rate(nlp: Language, texts: list[str]) -> float:
        start = process_time()
        list(nlp.pipe(texts, batch_size=256))
        return rate(docs, process_time() - start)

    rates = {}
    for size in (1, 10):
        texts = join([doc.text for doc in docs], size)
        rates[f"sentences a text: {size}"] = alternate(sides, busy_rate, texts, repetitions)
    report(rates, output)


# Beams and long sentences


@app.command()
def beam(
    model: str,
    dev: Path,
    widths: Annotated[str, typer.Option(help="Of the beams, with commas")] = "2,4,8",
    density: Annotated[float, typer.Option(help="Of the beams")] = 0.0,
    repetitions: int = 5,
    exclude: Annotated[list[str] | None, typer.Option(help="Component to leave out")] = None,
    output: Output = None,
) -> None:
    """What beams cost and bring: the parser alone, greedily and with beams."""
    nlp = spacy_arceager.load(model, exclude=exclude or [])
    parser = nlp.pipeline[-1][1]
    examples = read_examples(nlp, dev)
    docs = encode(nlp, [example.predicted for example in examples])
    gold = [example.reference for example in examples]
    searches = {"greedy": None} | {
        f"beam of {width}": BeamSettings(int(width), density) for width in widths.split(",")
    }
    times: dict[str, list[float]] = {name: [] for name in searches}
    las = {}
    for _ in range(repetitions):
        for name, parser.beam in searches.items():
            times[name].append(1e6 / rate(docs, seconds(lambda: parse_alone(nlp, docs))))
            if name not in las:
                las[name] = parser.score([*map(Example, docs, gold)])["dep_las"]
    rows = []
    for name, values in times.items():
        ratio = median(value / first for value, first in zip(values, times["greedy"]))
        rows.append((name, f"{median(values):.1f}", f"{ratio:.2f}", f"{100 * las[name]:.2f}"))
    header = ("search", "microseconds a word", "times greedy", "LAS")
    msg.table(rows, header=header, divider=True, aligns=("l", "r", "r", "r"))
    save({"machine": describe_machine(), "microseconds a word": times, "LAS": las}, output)


@app.command()
def growth(model: str, dev: Path, repetitions: int = 5, output: Output = None) -> None:
    """How the parser's time a word grows with the length of a sentence.

    Sentences of the treebank are joined to longer ones; of each length as many are parsed as have
    20,000 words together.
    """
    nlp = spacy_arceager.load(model)
    words = [token.text for doc in read_docs(nlp, dev) for token in doc]
    words = [*islice(cycle(words), GROWTH_WORDS)]
    times = {
        length: [microseconds_a_word(nlp, words, length) for _ in range(repetitions)]
        for length in LENGTHS
    }
    msg.table(
        [(f"{length:,}", f"{median(values):.1f}") for length, values in times.items()],
        header=("words a sentence", "microseconds a word"), divider=True,
    )
    save(times, output)


def microseconds_a_word(nlp: Language, words: list[str], length: int) -> float:
    """Time of the parser alone, over sentences of `length` words."""
    source = iter(words)
    parts = iter(lambda: list(islice(source, length)), [])
    docs = encode(nlp, [one_sentence(nlp, part) for part in parts])
    return 1e6 * seconds(lambda: parse_alone(nlp, docs)) / len(words)


def one_sentence(nlp: Language, words: list[str]) -> Doc:
    """A Doc with its boundaries, which a `senter` keeps."""
    return Doc(nlp.vocab, words, sent_starts=[i == 0 for i in range(len(words))])


# Memory


@app.command()
def memory(
    ours: str, peer: str, dev: Path, words: int = 1_000_000, output: Output = None
) -> None:
    """Peak memory of parsing raw text through nlp.pipe, beside spaCy's parser (Linux).

    Each pipeline runs in a process of its own. Given is the most memory that it ever held, what
    Python and the libraries take included.
    """
    sizes = {}
    for name, model in (("ours", ours), ("peer", peer)):
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            sizes[name] = process.submit(peak_memory, model, dev, words).result()
    msg.table(
        [(name, f"{size:,.0f}") for name, size in sizes.items()], header=("side", "peak, MB"),
        divider=True,
    )
    save(sizes, output)


def peak_memory(model: str, dev: Path, words: int) -> float:
    """Parse in this process; the most memory that it ever held, in MB."""
    nlp = spacy_arceager.load(model)
    for _ in nlp.pipe(read_texts(nlp, dev, words), batch_size=256):
        pass
    return resident(field="VmHWM")


@app.command()
def stream(
    dev: Path,
    words: int = 1_000_000,
    new: Annotated[float, typer.Option(help="Share of the words that were never seen")] = 0.02,
    n_process: int = 1,
    plain: Annotated[bool, typer.Option(help="nlp.pipe, not our processes")] = False,
) -> None:
    """Memory along a corpus in which a share of the words is new all the way."""
    nlp = spacy_arceager.load("en")
    texts = texts_with_new_words(read_texts(nlp, dev, 20_000), new)
    parses = nlp.pipe(texts) if plain else parse(texts, n_process=n_process)
    done = 0
    for item in parses:
        before = done
        done += len(item) if plain else item.value.count("\t") // 9
        if done * STREAM_LINES // words > before * STREAM_LINES // words:
            print(f"{done:12,} words {resident():6.0f} MB {workers_resident():6.0f} MB in workers",
                  flush=True)
        if done >= words:
            return


def texts_with_new_words(texts: list[str], share: float) -> Iterator[str]:
    """The texts again and again, a share of their words replaced by ones that never were."""
    rng = random.Random(0)
    for text in cycle(texts):
        yield " ".join(
            "".join(rng.choices(LETTERS, k=12)) if rng.random() < share else word
            for word in text.split()
        )


@app.command()
def sentence(model: str, dev: Path, words: int = 50_000, output: Output = None) -> None:
    """Peak memory while each component reads one sentence of many words, in kB a word.

    It is counted from the state in which the pipeline has read a short text and the Doc is made, so
    that it includes what earlier components left in the Doc.
    """
    nlp = spacy_arceager.load(model)
    forms = [word for text in read_texts(nlp, dev, words) for word in text.split()]
    nlp("A short text.")
    doc = one_sentence(nlp, list(islice(cycle(forms), words)))
    before, peaks = resident(), {}
    for name, pipe in nlp.pipeline:
        Path("/proc/self/clear_refs").write_text("5")       # forgets the peak
        doc = pipe(doc)
        peaks[name] = (resident(field="VmHWM") - before) * 1024 / words
    msg.table([(name, f"{peak:.2f}") for name, peak in peaks.items()],
              header=("component", "peak, kB a word"), divider=True)
    save(peaks, output)


def resident(pid: str = "self", field: str = "VmRSS") -> float:
    """Resident memory of a process, in MB; VmHWM is the most that it had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split(f"{field}:")[1].split()[0]) / 1024


def workers_resident() -> float:
    """Resident memory of the children of this process, in MB."""
    thread = next(Path("/proc/self/task").iterdir())
    return sum(map(resident, thread.joinpath("children").read_text().split()))


# Where the time goes


@app.command()
def limit(
    model: str,
    dev: Path,
    repetitions: int = 5,
    exclude: Annotated[list[str] | None, typer.Option(help="Component to leave out")] = None,
    output: Output = None,
) -> None:
    """How far the time is from that of the multiplications alone (a roofline).

    Counted are the products of the component `tok2vec` and of the parser: the weights of each layer
    once a word, those of the upper layer once a transition. Tables of embeddings, and what is
    computed once for a word type, are not counted. The limit is their time at the rate of a large
    square product by NumPy, in floats; half floats are up to twice as fast on processors that
    multiply them.
    """
    nlp = spacy_arceager.load(model, exclude=exclude or [])
    parser = nlp.pipeline[-1][1]
    derivations = chain.from_iterable(parser.derivations(read_encoded(nlp, dev)[:LATENCY_TEXTS]))
    lengths = [(len(one.steps), len(one.words)) for one in derivations]
    steps = sum(n for n, _ in lengths) / sum(n for _, n in lengths)
    # The first layer is the embedding, whose values are kept for word types.
    encoder = nlp.get_pipe("tok2vec").model.layers[1:] if nlp.has_pipe("tok2vec") else []
    counts = {
        "token vectors": sum(map(count_products, encoder)),
        "parser": count_products(parser.model, steps),
    }
    square = numpy.ones((1000, 1000), dtype="f")
    peak = gigaflops(2 * 1000 ** 3, lambda: square @ square)
    time = median(1e6 / pipeline_rate(nlp, dev) for _ in range(repetitions))
    rows = [
        (name, f"{count / 1e6:.2f}", f"{count / peak / 1e3:.1f}")
        for name, count in [*counts.items(), ("both", sum(counts.values()))]
    ]
    msg.table(rows, header=("products", "MFLOP a word", "microseconds at the peak"), divider=True,
              aligns=("l", "r", "r"))
    print(f"Measured: {time:.1f} microseconds a word; peak {peak:.0f} GFLOP/s; "
          f"{steps:.2f} transitions a word.")
    save({"FLOP a word": counts, "peak, GFLOP/s": peak, "microseconds": time}, output)


def count_products(model: Model, steps: float = 1.0) -> float:
    """Floating-point operations of a model's products for a word. steps: transitions a word."""
    sizes = [
        (steps if name == "upper_W" else 1) * node.get_param(name).size
        for node in model.walk() for name in node.param_names
        if name.endswith("W") and node.has_param(name)
    ]
    return 2 * sum(sizes)


@app.command()
def shares(
    model: str,
    dev: Path,
    repetitions: int = 10,
    control: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    """The share of each library, and of the interpreter, in the time. Needs Linux's `perf`.

    Loading is left out. The interpreter's share is that of libpython, or of the program where
    Python is linked into it.
    """
    if control is not None:
        parse_while_perf_looks(model, dev, repetitions, control)
        return
    found = re.findall(
        r"^\s+([\d.]+)%\s+(\S+)", perf_report(model, dev, repetitions), re.MULTILINE
    )
    msg.table(
        [(library, share) for share, library in found if float(share) >= 0.5],
        header=("library", "share, %"), divider=True, aligns=("l", "r"),
    )
    interpreter = sum(
        float(share) for share, name in found if name.startswith(("libpython", "python"))
    )
    print(f"interpreter: {interpreter:.1f} %")


def perf_report(model: str, dev: Path, repetitions: int) -> str:
    """Run this program once more, under perf; the report by library."""
    with TemporaryDirectory() as folder:
        control, data = Path(folder) / "control", Path(folder) / "data"
        os.mkfifo(control)
        program = [sys.executable, "-m", "benchmarks.speed", "shares", model, str(dev),
                   "--repetitions", str(repetitions), "--control", str(control)]
        subprocess.run(
            ["perf", "record", "-D", "-1", "--control", f"fifo:{control}", "-o", str(data), "--",
             *program],
            check=True, capture_output=True,
        )
        return subprocess.run(
            ["perf", "report", "-i", str(data), "--no-children", "--sort", "dso", "--stdio"],
            check=True, capture_output=True, text=True,
        ).stdout


def parse_while_perf_looks(model: str, dev: Path, repetitions: int, control: Path) -> None:
    nlp = spacy_arceager.load(model)
    list(nlp.pipe(read_docs(nlp, dev), batch_size=256))
    batches = [read_docs(nlp, dev) for _ in range(repetitions)]
    with control.open("w") as channel:
        channel.write("enable\n")
    for docs in batches:
        for _ in nlp.pipe(docs, batch_size=256):
            pass
    with control.open("w") as channel:
        channel.write("disable\n")


if __name__ == "__main__":
    app()

"""What a second core brings: threads, workers of ours, processes of spaCy, and Spark.

python -m benchmarks.processes cores DEV_CONLLU     two threads, workers and processes beside one
python -m benchmarks.processes spark DEV_CONLLU     Spark on this machine, and what starting costs

The sentences of the treebank are repeated until there are --words words. A text is one of them, or
ten.
"""

import os
import resource
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from multiprocessing import Barrier, Process, SimpleQueue
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer
from spacy.language import Language
from spacy.tokens import Doc

import spacy_arceager
from spacy_arceager.formats.document import Document
from spacy_arceager.formats.registry import TREES
from spacy_arceager.formats.writing import TreeWriting
from spacy_arceager.processes.batches import parse_stream
from spacy_arceager.processes.job import Job
from spacy_arceager.processes.pipeline import Source
from spacy_arceager.processes.workers import Workers

from .common import encode, join, read_docs, read_texts, report

if TYPE_CHECKING:
    from multiprocessing.synchronize import Barrier as BarrierType

app = typer.Typer(help=__doc__, rich_markup_mode=None)

SENTENCES = (1, 10)    # a text
TOGETHER = 256         # sentences
Rates = tuple[float, float]     # words/s, and words a second of processor time


def processor_time() -> float:
    """Of this process and of all that have ended."""
    own, ended = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + ended.ru_utime + ended.ru_stime


def running_time() -> float:
    """Processor time of the children of this process that run, in seconds."""
    pid = os.getpid()
    total = 0.0
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def rates_of(results: Iterable[object], words: int) -> Rates:
    """Rates of going through results, for which so many words are parsed."""
    start, before = time.perf_counter(), processor_time() + running_time()
    for _ in results:
        pass
    wall = time.perf_counter() - start
    return words / wall, words / (processor_time() + running_time() - before)


def with_workers(model: str, texts: list[str], words: int, n: int) -> Rates:
    documents = [Document(text, {}) for text in texts]
    form = TreeWriting(TREES["conllu"])
    if n == 1:
        # As a worker does, whose vocabulary knows the words of no text beforehand.
        nlp = Source(model).load()
        rates_of(parse_stream(nlp, documents, form(nlp)), words)
        return rates_of(parse_stream(nlp, documents, form(nlp)), words)
    with Workers(Job(Source(model), form), n) as workers:
        rates_of(workers.parse(documents), words)   # until all have loaded the pipeline
        return rates_of(workers.parse(documents), words)


def parse_apart(model: str, texts: list[str], ready: "BarrierType", done: SimpleQueue) -> None:
    """A process of `with_processes_apart`: tells when it began and ended, and processor time."""
    nlp = Source(model).load_for_worker()
    documents = [Document(text, {}) for text in texts]
    write = TreeWriting(TREES["conllu"])(nlp)
    for _ in parse_stream(nlp, documents, write):   # as the others, which are warm too
        pass
    ready.wait()
    start, before = time.perf_counter(), time.process_time()
    for _ in parse_stream(nlp, documents, write):
        pass
    done.put((start, time.perf_counter(), time.process_time() - before))


def with_processes_apart(model: str, texts: list[str], words: int, n: int) -> Rates:
    ready, done = Barrier(n), SimpleQueue()
    processes = [
        Process(target=parse_apart, args=(model, texts[i::n], ready, done)) for i in range(n)
    ]
    for process in processes:
        process.start()
    starts, ends, busy = zip(*(done.get() for _ in processes))
    for process in processes:
        process.join()
    return words / (max(ends) - min(starts)), words / sum(busy)


def with_spacy(nlp: Language, texts: list[str], words: int, size: int, n: int) -> Rates:
    docs = nlp.pipe(texts, n_process=n, batch_size=max(1, TOGETHER // size))
    return rates_of(docs, words)


def with_threads(nlp: Language, docs: list[Doc], threads: int) -> Rates:
    """The parser alone, on Docs that have their token vectors."""
    parser = nlp.get_pipe("arceager_parser")
    parser.threads = threads
    return rates_of(parser.pipe(docs, batch_size=TOGETHER), sum(map(len, docs)))


@app.command()
def cores(
    dev: Path,
    model: str = "en",
    peer: Annotated[
        Path | None, typer.Option(help="Another pipeline for spaCy's processes to run")
    ] = None,
    words: int = 100_000,
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option(help="JSON file for the figures")] = None,
) -> None:
    """Two threads, workers and processes beside one.

    Workers and processes take raw text; workers have loaded the pipeline before. "apart" is what
    the machine itself allows: processes that know nothing of each other, each of which parses its
    share of the texts to CoNLL-U and keeps it.

    Beside words/s there are words a second of processor time, of all processes together: on two
    cores that have nothing else to do, twice their ratio is the most that the ratio of words/s can
    be, and they hardly change where others use the cores.
    """
    nlp = spacy_arceager.load(model)
    sentences = read_texts(nlp, dev, words)
    docs = encode(nlp, read_docs(nlp, dev))
    actions: dict[str, Callable[[int], Rates]] = {
        "parser alone, threads": partial(with_threads, nlp, docs)
    }
    pipelines = {"": nlp} | ({", peer": spacy_arceager.load(str(peer))} if peer else {})
    total = sum(map(len, nlp.tokenizer.pipe(sentences)))
    for size in SENTENCES:
        texts = join(sentences, size)
        name = f"sentences a text: {size}"
        actions[f"apart, {name}"] = partial(with_processes_apart, model, texts, total)
        actions[f"workers, {name}"] = partial(with_workers, model, texts, total)
        for which, pipeline in pipelines.items():
            actions[f"nlp.pipe{which}, {name}"] = partial(
                with_spacy, pipeline, texts, total, size
            )
    wall, own = ({key: {"two": [], "one": []} for key in actions} for _ in range(2))
    for _ in range(repetitions):
        for key, action in actions.items():
            for n, side in ((2, "two"), (1, "one")):
                found = action(n)
                wall[key][side].append(found[0])
                own[key][side].append(found[1])
    report(wall, output)
    report(own, output and output.with_suffix(".cpu.json"), "words a second of processor time")


@app.command()
def spark(
    dev: Path,
    model: str = "en",
    words: int = 100_000,
    cores: Annotated[int, typer.Option(help="Each number of cores needs a run of its own")] = 2,
    repetitions: int = 5,
) -> None:
    """Words/s of Spark on this machine, and what starting costs. Needs pyspark and Java.

    Documents come from Parquet in four parts, and are parsed to rows that are not written. The
    first job of a session, in which Python workers start and load the pipeline, is a line of its
    own.
    """
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    from spacy_arceager.spark import parse

    nlp = spacy_arceager.load(model)
    sentences = read_texts(nlp, dev, words)
    n_words = sum(map(len, nlp.tokenizer.pipe(sentences)))
    start = time.perf_counter()
    builder = SparkSession.builder.master(f"local[{cores},4]")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    print(f"Spark starts: {time.perf_counter() - start:.1f} s")
    with TemporaryDirectory() as folder:
        tables = {}
        for size in SENTENCES:
            path = f"{folder}/{size}"
            rows = list(enumerate(join(sentences, size)))
            table = session.createDataFrame(rows, "id long, text string")
            table.repartition(4).write.parquet(path)
            tables[size] = session.read.parquet(path).repartition(4)

        def run(size: int, limit: int | None = None) -> float:
            table = tables[size] if limit is None else tables[size].where(f"id < {limit}")
            start = time.perf_counter()
            parse(table, model=model).write.format("noop").mode("overwrite").save()
            return time.perf_counter() - start

        print(f"first job, a few documents: {run(1, 40):.1f} s, again: {run(1, 40):.1f} s")
        for size in SENTENCES:
            seconds = median(run(size) for _ in range(repetitions))
            print(f"sentences a text: {size}: {n_words / seconds:,.0f} words/s, {cores} cores")
    session.stop()


if __name__ == "__main__":
    app()

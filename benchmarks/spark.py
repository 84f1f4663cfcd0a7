"""Spark on this machine: words/s with one and two cores, and what starting costs.

python -m benchmarks.spark DEV_CONLLU [--words 100000] [--cores 2] [--repetitions 5]

Documents of one and of ten sentences, from Parquet in four parts, parsed to rows that are not
written. The first job of a session, in which Python workers start and load the pipeline, is a line
of its own. One core is another session, so a run for each number of cores is needed:

for cores in 1 2; do python -m benchmarks.spark dev.conllu --cores $cores; done
"""

import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import typer

import spacy_arceager
from spacy_arceager.spark import parse

from .common import read_texts
from .processes import SENTENCES, join


def main(
    dev: Path, model: str = "en", words: int = 100_000, cores: int = 2, repetitions: int = 5
) -> None:
    nlp = spacy_arceager.load(model)
    sentences = read_texts(nlp, dev, words)
    n_words = sum(map(len, nlp.tokenizer.pipe(sentences)))
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    start = time.perf_counter()
    builder = SparkSession.builder.master(f"local[{cores},4]")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    print(f"Spark starts: {time.perf_counter() - start:.1f} s")
    with tempfile.TemporaryDirectory() as folder:
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
    typer.run(main)

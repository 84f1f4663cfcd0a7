"""Parsing speed beside spaCy's parser, on one core.

python benchmarks/parsing.py OURS PEER DEV_CONLLU [--exclude COMPONENT ...] [--output FILE]

OURS and PEER are trained pipelines (`arceager init-config` and benchmarks/peer.cfg) whose last
component is the parser, once what --exclude names is left out. Both sides alternate; given are
medians, and the median of the ratios.
"""

from common import (  # isort: skip  (sets the thread counts)
    parse_alone, read_docs, read_encoded, report, seconds, use_default_ops,
)

from pathlib import Path
from typing import Annotated

import spacy
import typer
from spacy.language import Language


def component_rate(nlp: Language, path: Path) -> float:
    """Words/s of the parser alone, on Docs that have their token vectors."""
    docs = read_encoded(nlp, path)
    return rate(docs, seconds(lambda: parse_alone(nlp, docs)))


def pipeline_rate(nlp: Language, path: Path) -> float:
    """Words/s of token vectors and parser, Docs given."""
    docs = read_docs(nlp, path)
    return rate(docs, seconds(lambda: list(nlp.pipe(docs, batch_size=256))))


def text_rate(nlp: Language, path: Path) -> float:
    """Words/s from raw text, tokenizer included."""
    texts = [doc.text for doc in read_docs(nlp, path)]
    docs: list = []
    time = seconds(lambda: docs.extend(nlp.pipe(texts, batch_size=256)))
    return rate(docs, time)


def latency_rate(nlp: Language, path: Path) -> float:
    """Words/s with one call a sentence, from raw text."""
    texts = [doc.text for doc in read_docs(nlp, path)][:500]
    docs: list = []
    time = seconds(lambda: docs.extend(nlp(text) for text in texts))
    return rate(docs, time)


def rate(docs: list, time: float) -> float:
    return sum(len(doc) for doc in docs) / time


MEASURES = {
    "parser alone": component_rate,
    "token vectors and parser": pipeline_rate,
    "from raw text": text_rate,
    "one sentence a call": latency_rate,
}


def main(
    ours: str,
    peer: str,
    dev: Path,
    repetitions: int = 5,
    exclude: Annotated[
        list[str] | None, typer.Option(help="Component to leave out, on both sides")
    ] = None,
    same_blas: Annotated[bool, typer.Option(help="NumPy's BLAS for the peer too")] = False,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    use_default_ops(same_blas)
    pipelines = {
        "peer": spacy.load(peer, exclude=exclude or []),
        "ours": spacy.load(ours, exclude=exclude or []),
    }
    rates: dict[str, dict[str, list[float]]] = {}
    for measure, function in MEASURES.items():
        sides = rates.setdefault(measure, {"ours": [], "peer": []})
        for _ in range(repetitions):
            for side, nlp in pipelines.items():
                sides[side].append(function(nlp, dev))
    report(rates, output)


if __name__ == "__main__":
    typer.run(main)

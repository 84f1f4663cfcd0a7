"""The answers to `models` and `process`."""

from collections.abc import Iterator, Mapping
from typing import Any

from spacy.language import Language

from ..errors import refused
from ..limits import check_text, check_words
from ..pipeline import ServedPipeline
from .parameters import Parameters, read_parameters
from .reading import READERS, Part, read_lines, read_text
from .writing import WRITERS, rows_of


def models(pipeline: ServedPipeline) -> dict[str, Any]:
    """The answer to `models`."""
    return {
        "models": {pipeline.name: ["tokenizer", "tagger", "parser"]},
        "default_model": pipeline.name,
    }


def process(pipeline: ServedPipeline, fields: Mapping[str, str]) -> dict[str, Any]:
    """The answer to `process`.

    Raises:
        ServeError: If a parameter is not supported, the data cannot be read or written, or it is
            too long.
    """
    asked = read_parameters(fields, pipeline)
    nlp = pipeline.nlp
    if asked.tokenizer is not None:
        check_text(asked.data, pipeline.limits.words)
    with nlp.memory_zone():
        with refused():
            parts = list(read(nlp, asked))
        check_words(sum(len(part.doc) for part in parts), pipeline.limits.words)
        pipeline.parser.confidence = False      # UDPipe's columns have none
        list(nlp.pipe([part.doc for part in parts]))
        with refused():
            rows = rows_of(
                parts, tag=asked.tag, parse=asked.parse,
                ranges_in=asked.data if "ranges" in (asked.tokenizer or ()) else None,
            )
            result = WRITERS[asked.output](pipeline, rows)
    meta = nlp.meta
    sources = [source["name"] for source in meta.get("sources") or [] if source.get("name")]
    return {
        "model": pipeline.name,
        "acknowledgements": list(filter(None, [meta["url"], *sources])),
        "result": result,
    }


def read(nlp: Language, asked: Parameters) -> Iterator[Part]:
    """The parts of the data."""
    if asked.tokenizer is None:
        return READERS[asked.input](nlp, asked.data)
    if "presegmented" in asked.tokenizer:
        return read_lines(nlp, asked.data)
    return read_text(nlp, asked.data)

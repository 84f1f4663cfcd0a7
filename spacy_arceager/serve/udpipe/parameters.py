"""The parameters of `process`, and what of them is supported."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...errors import did_you_mean
from ..errors import ServeError
from ..pipeline import ServedPipeline
from .reading import READERS
from .writing import WRITERS

PARAMETERS = ("data", "model", "tokenizer", "input", "tagger", "parser", "output")
TOKENIZER_OPTIONS = ("presegmented", "ranges")


@dataclass(frozen=True)
class Parameters:
    """The parameters of a request, checked.

    Attributes:
        tokenizer: the options of the tokenizer; None where the data has words already.
        input: how the data is read where it has words already.
        tag: whether tags and lemmas are asked for.
        parse: whether trees are asked for.
    """

    data: str
    tokenizer: frozenset[str] | None
    input: str
    tag: bool
    parse: bool
    output: str


def read_parameters(fields: Mapping[str, str], pipeline: ServedPipeline) -> Parameters:
    """The parameters of a request. Raises ServeError for what is missing or not supported."""
    for name in fields:
        check_name("parameter", name, PARAMETERS)
    if "data" not in fields:
        raise ServeError(400, "The parameter 'data' is missing: the text to parse.")
    check_model(fields.get("model", ""), pipeline)
    for name in ("tagger", "parser"):
        if fields.get(name):
            raise ServeError(400, f"The {name} has no options. Send {name}= without a value.")
    options = read_options(fields["tokenizer"]) if "tokenizer" in fields else None
    # UDPipe names the version of CoNLL-U that it reads and writes by default.
    read_as = fields.get("input", "conllu").removesuffix("=v2")
    if options is None:
        check_name("input", read_as, READERS)
    written_as = fields.get("output", "conllu").removesuffix("=v2")
    check_name("output", written_as, WRITERS)
    # Clients that send forms in parts write each end of a line as two characters.
    data = fields["data"].replace("\r\n", "\n").removeprefix("\ufeff")
    return Parameters(data, options, read_as, "tagger" in fields, "parser" in fields, written_as)


def read_options(text: str) -> frozenset[str]:
    """The options of the tokenizer. Raises ServeError for one that is not supported."""
    options = frozenset(filter(None, text.split(";")))
    for option in options:
        check_name("option of the tokenizer", option, TOKENIZER_OPTIONS)
    return options


def check_name(what: str, name: str, known: Iterable[str]) -> None:
    """Raise ServeError for a name that is not known."""
    known = list(known)
    if name not in known:
        raise ServeError(
            400,
            f"The {what} '{name:.100}' is not supported; use one of {', '.join(known)}"
            f"{did_you_mean(name[:100], known) or '.'}",
        )


def check_model(name: str, pipeline: ServedPipeline) -> None:
    """Raise ServeError for the name of a model of another language.

    UDPipe's names begin with the language, as in `english-ewt-ud-2.15-241121`, and may be cut at
    each hyphen. So the pipeline answers to all names that begin with its own language.
    """
    languages = {pipeline.nlp.lang, type(pipeline.nlp).__name__.lower()}
    if name not in ("", pipeline.name) and re.split("[-_]", name.lower())[0] not in languages:
        raise ServeError(
            400, f"There is no model '{name:.100}'. The only model here is '{pipeline.name}'."
        )

"""The requests `models` and `process` of UDPipe's REST service, so that its clients work here.

The service is documented at https://lindat.mff.cuni.cz/services/udpipe/api-reference.php, and its
options at https://ufal.mff.cuni.cz/udpipe/1/users-manual.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spacy.language import Language
from spacy.tokens import Doc

import spacy_arceager

from ..annotation.confidence import forget_confidences
from ..corpus.conllu import ConlluSentence, read_texts, sentences_of_doc
from ..corpus.conllu.read import read_numbered
from ..corpus.errors import InputError
from ..corpus.files import Line
from ..errors import did_you_mean
from ..formats.document import Document, make_doc
from .errors import ServeError
from .limits import check_text, check_words
from .pipeline import ServedPipeline

PARAMETERS = ("data", "model", "tokenizer", "input", "tagger", "parser", "output")
TOKENIZER_OPTIONS = ("presegmented", "ranges")
UNKNOWN = "_"
# Columns of CoNLL-U that the tagger fills, and those that the parser fills.
TAGS = slice(2, 6)
TREE = slice(6, 9)


class Part(NamedTuple):
    """A part of the data that is parsed as one Doc.

    Attributes:
        comments: the comments before its first sentence.
        given: the sentence of CoNLL-U that it comes from, whose columns stay where nothing is to
            replace them; None for other inputs.
    """

    doc: Doc
    comments: list[str]
    given: ConlluSentence | None = None


@dataclass(frozen=True)
class Request:
    """The parameters of `process`, checked.

    Attributes:
        tokenizer: the options of the tokenizer; None where the data has words already.
        tag: whether tags and lemmas are asked for.
        parse: whether trees are asked for.
    """

    data: str
    tokenizer: frozenset[str] | None
    input: str
    tag: bool
    parse: bool
    output: str

    @classmethod
    def of(cls, parameters: Mapping[str, str], names: "ModelNames") -> "Request":
        """The request with some parameters. Raises ServeError for what is not supported."""
        for name in parameters:
            _check_name("parameter", name, PARAMETERS)
        if "data" not in parameters:
            raise ServeError(400, "The parameter 'data' is missing: the text to parse.")
        names.check(parameters.get("model"))
        for name in ("tagger", "parser"):
            if parameters.get(name):
                raise ServeError(400, f"The {name} has no options. Send {name}= without a value.")
        options = None
        if "tokenizer" in parameters:
            options = frozenset(filter(None, parameters["tokenizer"].split(";")))
            for option in options:
                _check_name("option of the tokenizer", option, TOKENIZER_OPTIONS)
        form = parameters.get("input", "conllu").removesuffix("=v2")
        if options is None:
            _check_name("input", form, READERS)
        output = parameters.get("output", "conllu").removesuffix("=v2")
        _check_name("output", output, WRITERS)
        # Clients that send forms in parts write each end of a line as two characters.
        data = parameters["data"].replace("\r\n", "\n")
        return cls(
            data, options, form, "tagger" in parameters, "parser" in parameters,
            output,
        )


def _check_name(what: str, name: str, known: Iterable[str]) -> None:
    known = list(known)
    if name not in known:
        raise ServeError(
            400,
            f"The {what} '{name:.100}' is not supported; use one of {', '.join(known)}"
            f"{did_you_mean(name[:100], known) or '.'}",
        )


class ModelNames:
    """The names by which clients may ask for the pipeline.

    UDPipe's names begin with the language, as in `english-ewt-ud-2.15-241121`, and may be cut at
    each hyphen. The pipeline answers to all names that begin with its own language.
    """

    def __init__(self, pipeline: ServedPipeline) -> None:
        self.name = pipeline.name
        nlp = pipeline.nlp
        self.languages = {nlp.lang, type(nlp).__name__.lower()}

    def check(self, name: str | None) -> None:
        """Raise ServeError for a name that is of another pipeline."""
        if name in (None, "", self.name):
            return
        assert name is not None
        if re.split("[-_]", name.lower())[0] not in self.languages:
            raise ServeError(
                400, f"There is no model '{name:.100}'. The only model here is '{self.name}'."
            )


def models(pipeline: ServedPipeline) -> dict[str, Any]:
    """The answer to `models`."""
    return {
        "models": {pipeline.name: ["tokenizer", "tagger", "parser"]},
        "default_model": pipeline.name,
    }


def process(pipeline: ServedPipeline, parameters: Mapping[str, str]) -> dict[str, Any]:
    """The answer to `process`.

    Raises:
        ServeError: If a parameter is not supported, the data cannot be read or written, or it is
            too long.
    """
    request = Request.of(parameters, ModelNames(pipeline))
    nlp = pipeline.nlp
    if request.tokenizer is not None:
        check_text(request.data, pipeline.limits.words)
    with nlp.memory_zone():
        parts = list(read(nlp, request))
        check_words(sum(len(part.doc) for part in parts), pipeline.limits.words)
        for doc in nlp.pipe([part.doc for part in parts]):
            forget_confidences(doc)     # UDPipe's columns have none
        try:
            result = WRITERS[request.output](pipeline, rows_of(parts, request))
        except ValueError as error:
            raise ServeError(422, str(error)) from None
    meta = nlp.meta
    sources = [source["name"] for source in meta.get("sources") or [] if source.get("name")]
    return {
        "model": pipeline.name,
        "acknowledgements": list(filter(None, [meta["url"], *sources])),
        "result": result,
    }


# How data is read


def read(nlp: Language, request: Request) -> Iterator[Part]:
    """The parts of the data as Docs that are not parsed yet."""
    if request.tokenizer is None:
        yield from READERS[request.input](nlp, request.data)
    elif "presegmented" in request.tokenizer:
        lines = [line for line in request.data.splitlines() if line.strip()]
        for number, line in enumerate(lines):
            yield Part(as_one_sentence(nlp.make_doc(line)), first_comments(number))
    else:
        paragraphs = re.split(r"\n[^\S\n]*\n\s*", request.data)
        for number, text in enumerate(filter(str.strip, paragraphs)):
            yield Part(nlp.make_doc(text), [*first_comments(number), "# newpar"])


def first_comments(number: int) -> list[str]:
    """The comment that opens the first sentence of a document."""
    return [] if number else ["# newdoc"]


def as_one_sentence(doc: Doc) -> Doc:
    """The Doc, in which no second sentence may begin."""
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def read_conllu(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each sentence of CoNLL-U. Its words stay, and so do columns that it may keep."""
    texts = data.split("\n") if data.strip() else []
    lines = [Line("data", number, line) for number, line in enumerate(texts, 1)]
    strict = read_numbered(texts, "data")
    for item in read_texts(lines):
        if isinstance(item, InputError):
            raise ServeError(400, f"The CoNLL-U cannot be read: {item}")
        given = next(strict, None)
        yield Part(
            make_doc(nlp, Document(item, {})), [],
            given if isinstance(given, ConlluSentence) else None,
        )


def read_horizontal(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each line, whose words have spaces between them."""
    for line in filter(str.strip, data.splitlines()):
        yield of_words(nlp, line.split())


def read_vertical(nlp: Language, data: str) -> Iterator[Part]:
    """A part for each block of lines. A word is all of its line before the first tab."""
    for block in re.split(r"\n\s*\n", data):
        words = [line.partition("\t")[0].strip() for line in block.splitlines()]
        if any(words):
            yield of_words(nlp, [word for word in words if word])


def of_words(nlp: Language, words: Sequence[str]) -> Part:
    """A sentence of given words."""
    return Part(as_one_sentence(Doc(nlp.vocab, words=list(words))), [])


READERS: dict[str, Callable[[Language, str], Iterator[Part]]] = {
    "conllu": read_conllu, "horizontal": read_horizontal, "vertical": read_vertical
}


# How the result is written


class Rows(NamedTuple):
    """A sentence of CoNLL-U: its comments, and the columns of its lines."""

    comments: list[str]
    rows: list[list[str]]

    @property
    def text(self) -> str:
        """The sentence as text."""
        return "".join(line[9:] for line in self.comments if line.startswith("# text = "))

    @property
    def words(self) -> list[str]:
        """The forms of the words. A form with spaces has no-break spaces there, as UDPipe does."""
        return [re.sub(r"\s", "\u00a0", row[1]) for row in self.rows if row[0].isdecimal()]


def rows_of(parts: Iterable[Part], request: Request) -> Iterator[Rows]:
    """The sentences of parsed parts, with the columns that were asked for."""
    number, cursor = 1, 0
    for part in parts:
        comments = part.comments
        for _, text in sentences_of_doc(part.doc, "", number):
            lines = text.rstrip("\n").split("\n")
            own = [line for line in lines if line.startswith("#")]
            rows = [line.split("\t") for line in lines[len(own):]]
            keep_asked(rows, part.given, request)
            if request.tokenizer and "ranges" in request.tokenizer:
                cursor = add_ranges(rows, request.data, cursor)
            yield Rows([*comments, *own], rows)
            comments = []
            number += 1


def keep_asked(rows: list[list[str]], given: ConlluSentence | None, request: Request) -> None:
    """Undo what was not asked for: the columns of tags, or those of the tree."""
    words = [row for row in rows if row[0].isdecimal()]
    for i, row in enumerate(words):
        word = given.words[i] if given else None
        if not request.tag:
            row[TAGS] = [word.lemma, word.upos, word.xpos, word.feats] if word else [UNKNOWN] * 4
        if not request.parse:
            head = UNKNOWN if word is None or word.head is None else str(word.head)
            row[TREE] = [head, word.deprel if word else UNKNOWN, UNKNOWN]


def add_ranges(rows: Sequence[list[str]], data: str, cursor: int) -> int:
    """Add TokenRange to MISC: where each token stands in the data. Returns where to go on."""
    last = 0
    for row in rows:
        first, _, end = row[0].partition("-")
        if int(first) <= last:
            continue    # a word of a multi-word token
        last = int(end or first)
        start = data.find(row[1], cursor)
        if start >= 0:
            cursor = start + len(row[1])
            misc = [] if row[9] == UNKNOWN else [row[9]]
            row[9] = "|".join([*misc, f"TokenRange={start}:{cursor}"])
    return cursor


def write_conllu(pipeline: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """CoNLL-U, headed by what has made it."""
    head = (
        f"# generator = spacy_arceager {spacy_arceager.__version__}\n"
        f"# udpipe_model = {pipeline.name}\n"
        f"# udpipe_model_licence = {pipeline.nlp.meta['license']}\n"
    )
    return head + "".join(
        "\n".join([*sentence.comments, *map("\t".join, sentence.rows), "", ""])
        for sentence in sentences
    )


def write_horizontal(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line for each sentence, with spaces between words."""
    return "".join(" ".join(sentence.words) + "\n" for sentence in sentences)


def write_vertical(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line for each word, and an empty one behind each sentence."""
    return "".join("\n".join([*sentence.words, "", ""]) for sentence in sentences)


def write_plaintext(_: ServedPipeline, sentences: Iterable[Rows]) -> str:
    """A line with the text of each sentence."""
    return "".join(f"{sentence.text}\n" for sentence in sentences)


WRITERS: dict[str, Callable[[ServedPipeline, Iterable[Rows]], str]] = {
    "conllu": write_conllu, "horizontal": write_horizontal, "vertical": write_vertical,
    "plaintext=normalized_spaces": write_plaintext,
}

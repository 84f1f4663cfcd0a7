"""The command `vectors`: make static word vectors out of a pretrained encoder."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from .inputs import InputFormatOption
from .languages import check_language
from .messages import fail, need_package, report, warn
from .outputs import refuse_same_file
from .texts import read_words

if TYPE_CHECKING:
    from spacy.vectors import Vectors

PACKAGES = ("onnxruntime", "tokenizers", "scipy")


def vectors(
    encoder_path: Annotated[
        Path,
        typer.Argument(metavar="ENCODER", help="A folder that `arceager encoder` made."),
    ],
    output_path: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder for the vectors, as spaCy reads them.")
    ],
    texts: Annotated[
        list[Path],
        typer.Option(
            "--texts", "-t",
            help="File, folder or pattern of texts in your language, as `parse` reads them. The "
            "more text like that to be parsed, the better. Can be given several times.",
        ),
    ],
    input_format: InputFormatOption = None,
    lang: Annotated[
        str,
        typer.Option("--lang", "-l", help="Language code of spaCy, that of the config."),
    ] = "xx",
    width: Annotated[int, typer.Option(min=1, help="Numbers of a vector, at most.")] = 64,
    rows: Annotated[
        int, typer.Option(min=1, help="Rows of the table: the more, the nearer to the encoder.")
    ] = 23000,
) -> None:
    """Make static word vectors, which cost a parser no time, out of a pretrained encoder.

    A word's vector is the mean of those that the encoder has for it wherever it stands in the
    texts, reduced to its principal components. They are saved as floret vectors, those of
    character n-grams, and so give one to every word.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager vectors e5 my_vectors --lang en --texts tests/data/en_small-train.conllu
    """
    for package in PACKAGES:
        need_package(package, "encoder", "arceager vectors")
    refuse_same_file(encoder_path, output_path, "The vectors would replace the encoder.")
    import spacy

    try:
        for note in check_language(lang):
            warn(*note)
        nlp = spacy.blank(lang)
    except (ValueError, ImportError) as error:
        raise typer.BadParameter(str(error)) from None
    made = make_vectors(encoder_path, read_words(texts, input_format), rows, width)
    nlp.vocab.vectors = made
    try:
        nlp.to_disk(output_path)
    except OSError as error:
        fail("Cannot write the vectors.", f"{output_path}: {error}")
    n_rows, width = made.shape
    report(
        f"Saved {n_rows:,} rows of {width} numbers to {output_path}: "
        f"{made.data.nbytes / 1e6:.1f} MB.",
        f"To train with them:\narceager init-config config.cfg --lang {lang} --optimize accuracy "
        f"--vectors {quote(str(output_path))}",
    )


def make_vectors(
    encoder_path: Path, sentences: list[list[str]], n_rows: int, width: int
) -> "Vectors":
    """Make vectors from the words in some sentences."""
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from ..pretrained.doc_encoder import DocEncoder
    from ..pretrained.encoder_files import EncoderFiles
    from ..pretrained.reading import Reading
    from ..pretrained.word_vectors import make_word_vectors

    try:
        encoder = DocEncoder(EncoderFiles.load(encoder_path), Reading())
    except (OSError, ValueError) as error:
        fail("Cannot read the encoder.", str(error))
    vocab = Vocab()     # not that of the vectors: floret vectors need no list of words
    docs = [Doc(vocab, words=sentence) for sentence in sentences]
    try:
        return make_word_vectors(encoder, docs, n_rows, width)
    except ValueError as error:
        fail("Cannot make the vectors.", f"{error}.")

"""The command `vectors`: make static word vectors out of a pretrained encoder."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from .inputs import InputFormatOption
from .languages import check_language
from .messages import fail, need_package, report, warn
from .texts import read_words

if TYPE_CHECKING:
    from spacy.vocab import Vocab

    from ..token_vectors.layers import Array

PACKAGES = ("onnxruntime", "tokenizers")


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
    width: Annotated[int, typer.Option(min=1, help="Numbers of a vector, at most.")] = 128,
    words: Annotated[
        int, typer.Option(min=2, help="How many words get a vector: the most frequent ones.")
    ] = 20000,
) -> None:
    """Make static word vectors, which cost a parser no time, out of a pretrained encoder.

    A word's vector is the mean of those that the encoder has for it wherever it stands in the
    texts, reduced to its principal components.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager vectors e5 my_vectors --lang en --texts tests/data/en_small-train.conllu
    """
    for package in PACKAGES:
        need_package(package, "encoder", "arceager vectors")
    import spacy

    try:
        for note in check_language(lang):
            warn(*note)
        nlp = spacy.blank(lang)
    except (ValueError, ImportError) as error:
        raise typer.BadParameter(str(error)) from None
    table = make_vectors(nlp.vocab, encoder_path, read_words(texts, input_format), width, words)
    try:
        nlp.to_disk(output_path)
    except OSError as error:
        fail("Cannot write the vectors.", f"{output_path}: {error}")
    n_words, width = table.shape
    report(
        f"Saved {n_words:,} vectors of {width} numbers to {output_path}: "
        f"{table.nbytes / 1e6:.1f} MB.",
        f"To train with them:\narceager init-config config.cfg --lang {lang} --optimize accuracy "
        f"--vectors {quote(str(output_path))}",
    )


def make_vectors(
    vocab: "Vocab", encoder_path: Path, sentences: list[list[str]], width: int, most: int
) -> "Array":
    """Give a vocabulary the vectors of the most frequent words; returns them."""
    from spacy.tokens import Doc
    from spacy.vectors import Vectors

    from ..pretrained.doc_encoder import DocEncoder
    from ..pretrained.encoder_files import EncoderFiles
    from ..pretrained.reading import Reading
    from ..pretrained.word_vectors import average_vectors, principal_components

    try:
        encoder = DocEncoder(EncoderFiles.load(encoder_path), Reading())
    except (OSError, ValueError) as error:
        fail("Cannot read the encoder.", str(error))
    docs = [Doc(vocab, words=sentence) for sentence in sentences]
    words, means = average_vectors(encoder, docs, most)
    if len(words) < 2:
        fail("Cannot make the vectors.", "The texts have fewer than two words.")
    table = principal_components(means, width)
    vocab.vectors = Vectors(strings=vocab.strings, data=table, keys=words)
    return table

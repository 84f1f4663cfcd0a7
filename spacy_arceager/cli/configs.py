"""Configs for `spacy train`: what `init-config` and `convert-config` write."""

import re
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from ..evaluation.scores import tree_scores, unweighed_scores
from ..pretrained.encoder_files import GRAPH
from ..systems.catalogue import CATALOGUE, find_system
from ..systems.parameters import ParameterError
from .files import is_file
from .messages import fail, report
from .outputs import Output, stdout_by_dash

TEMPLATE = Path(__file__).parent / "config.cfg.jinja"
PROJECTION = 128    # the width to which wide token vectors are brought

ConfigArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="OUT", help="File to write. By default, stdout.", callback=stdout_by_dash
    ),
]
SystemOption = Annotated[
    str,
    typer.Option(
        "--system", "-s", metavar="NAME", help="Transition system. `arceager info` lists them."
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", "-F", help="Overwrite the file if it exists.")
]


def training_command(
    config: Path, is_for_gpu: bool = False, needs_encoder: bool = False
) -> str:
    """The command that trains from a config that reads CoNLL-U.

    Args:
        needs_encoder: whether the config lacks the folder of its pretrained encoder.
    """
    return (
        f"spacy train {quote(str(config))} --paths.train train.conllu --paths.dev dev.conllu "
        "-o training" + " --gpu-id 0" * is_for_gpu + " --paths.encoder FOLDER" * needs_encoder
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
    pretrained: str | None = None,
    vectors: str | None = None,
    valid: str | None = None,
) -> str:
    """A config for `spacy train`.

    The arguments are options of `init-config`, which has the same defaults in the place of None.

    Raises:
        ValueError: If the system is unknown, or if options contradict each other.
    """
    from jinja2 import Environment, StrictUndefined

    parameters = find_system(system, segment=segment)
    entry = CATALOGUE[system]
    transformer = optimize == "transformer"
    gpu = gpu and not transformer       # whose other layers are those for a CPU
    token_vectors = token_vectors or ("words" if gpu else "subwords")
    subwords = token_vectors == "subwords"      # noqa: S105 (no password)
    encoder = encoder or ("windows" if gpu else "recurrent")
    recurrent = encoder == "recurrent"
    check_gpu(gpu, bool(subwords or supertags or recurrent), optimize, pretrained)
    check_encoder(optimize, pretrained)
    if valid is not None:
        check_valid(system, parameters.graph, has_tags=pipeline == "full" or subwords)
    check_paths(vectors, pretrained)
    arguments = (
        f"--system {system} --lang {lang} --pipeline {pipeline} --optimize {optimize} "
        f"--token-vectors {token_vectors} --encoder {encoder}"
        + ("" if pretrained is None else f" --pretrained {quote(pretrained)}")
        + ("" if vectors is None else f" --vectors {quote(vectors)}")
        + ("" if supertags is None else " --supertags" if supertags else " --no-supertags")
        + " --gpu" * gpu + (" --segment" if segment else " --no-segment")
        + ("" if valid is None else f" --valid {valid}")
    )
    environment = Environment(  # noqa: S701 (it writes a config, no HTML)
        undefined=StrictUndefined, keep_trailing_newline=True
    )
    template = environment.from_string(TEMPLATE.read_text(encoding="utf8"))
    return template.render(
        title=f"{system} ({entry.source}): {entry.trees}.",
        tree_scores=tree_scores(),
        unweighed_scores=unweighed_scores(),
        arguments=arguments,
        system=system,
        lang=lang,
        pipeline=pipeline,
        optimize=optimize,
        pretrained=pretrained,
        vectors=vectors,
        valid=valid,
        gpu=gpu or transformer,
        subwords=subwords,
        recurrent=recurrent,
        supertags=not gpu if supertags is None else supertags,
        segment=segment,
        graph=parameters.graph,
        projection=PROJECTION,
        sentences_per_doc=10 if segment else 5 if pipeline == "full" else 1,
    )


def check_gpu(gpu: bool, has_layers_for_cpu: bool, optimize: str, pretrained: str | None) -> None:
    """Raise ValueError for options of a config for a GPU that are for a CPU."""
    if gpu and has_layers_for_cpu:
        raise ValueError(
            "subwords, supertags and the recurrent encoder are for a CPU: leave out --gpu, or "
            "these options"
        )
    if gpu and (optimize == "encoder" or pretrained is not None):
        raise ValueError(
            "a pretrained encoder on a GPU needs --optimize transformer; the others are for a CPU: "
            "leave out --gpu"
        )


def check_encoder(optimize: str, pretrained: str | None) -> None:
    """Raise ValueError for a folder of a frozen encoder where a transformer is to learn."""
    if optimize != "transformer" or pretrained is None:
        return
    if is_file(Path(pretrained) / GRAPH):
        raise ValueError(
            f"{pretrained} is for --optimize encoder; a transformer that learns needs a folder of "
            "Hugging Face, or a name on its hub"
        )


def check_valid(system: str, graph: bool, has_tags: bool) -> None:
    """Raise ValueError where trees cannot be kept valid for Universal Dependencies."""
    if graph:
        raise ValueError(f"--valid is for trees, and system '{system}' builds graphs")
    if not has_tags:
        raise ValueError(
            "--valid needs UPOS tags: use --pipeline full, or --token-vectors subwords"
        )


def check_paths(*paths: str | None) -> None:
    """Raise ValueError for a path that a config would read as something else."""
    for path in paths:
        if "\n" in (path or ""):
            raise ValueError(f"a config cannot name {path!r}, because of the line break")
        if re.search(r"\$(?!\{)", path or ""):     # ${paths.train} is meant as one
            raise ValueError(f"a config cannot name '{path}', because $ has a meaning of its own")


def can_segment(system: str) -> bool:
    """Whether a named system can find sentence boundaries."""
    try:
        find_system(system, segment=True)
    except ParameterError:
        return False
    return True


def write_config(path: Path | None, text: str, force: bool, next_command: str) -> None:
    """Write a config to a file, or to stdout where there is no path.

    Args:
        force: overwrite a file; without it, a file that is there ends the command.
        next_command: the command that trains from the file, which the user is told.
    """
    if path is not None and is_file(path) and not force:
        fail("There is such a file already.", f"{path}: use --force to overwrite it.")
    with Output(path) as output:    # in UTF-8, whatever stdout has
        output.write(text)
    if path is not None:
        report(f"Saved the config to {path}. To train:", next_command)

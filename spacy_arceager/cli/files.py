"""Which inputs are parsed to which outputs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import typer

from ..corpus.files import COMPRESSED, find_matches
from ..formats.registry import find_input_format
from ..formats.rows import OutputFormat
from .messages import fail, warn
from .outputs import clear_drafts, refuse_same_file


class Files(NamedTuple):
    """The inputs of a command and its outputs: one for each input, or one for all.

    Attributes:
        inputs: None stands for stdin.
        outputs: None stands for stdout.
        folder: the folder of the outputs, if there is one output for each input.
    """

    inputs: list[Path | None]
    outputs: list[Path | None]
    folder: Path | None = None


def plan_files(
    inputs: Sequence[Path],
    output: Path | None,
    output_format: OutputFormat,
    resume: bool,
    all_files: bool = False,
) -> Files:
    """Find the inputs and name the outputs.

    Args:
        inputs: files, folders for the files in them, or patterns.
        output: one file for all inputs. If there are several inputs, or the input is a folder, it
            is a folder that gets a file for each input.
        resume: leave out inputs whose outputs exist already, and delete what killed commands left
            half written in the folder.
        all_files: take all files of a folder, not only those with the ending of a format.

    Raises:
        typer.BadParameter: If an output would replace an input, or be the output of two inputs.
    """
    files = [file for path in inputs for file in find_inputs(path, all_files)]
    several = len(files) > 1 or any(map(is_folder, inputs))
    if output is None or not (several or is_folder(output)):
        if resume:
            raise typer.BadParameter("--resume needs a folder as --output.")
        for path in files:
            refuse_same_file(path, output, "--input and --output are the same file.")
        return Files([*files] or [None], [output])
    if not files:
        raise typer.BadParameter("--output is a folder, so an --input is needed.")
    for path in inputs:
        refuse_same_file(
            path, output, "--input and --output are the same folder, in which outputs would become "
            "inputs. Give another --output, or a pattern such as 'FOLDER/*.txt'.",
        )
    if resume:
        clear_drafts(output)
    outputs = [output / name_output(path, output_format) for path in files]
    refuse_clashes(files, outputs)
    pairs = [pair for pair in zip(files, outputs) if not (resume and pair[1].exists())]
    return Files([path for path, _ in pairs], [path for _, path in pairs], output)


def find_inputs(path: Path, all_files: bool = False) -> list[Path]:
    """What a path stands for: a file, the files of a folder without hidden ones, or those of a
    pattern; several in the order of their names.

    Args:
        all_files: also take files whose ending no format has. By default they are left out, and a
            warning says so.
    """
    if not is_folder(path):
        return ([] if os.path.exists(path) else find_matches(path)) or [path]   # noqa: PTH110
    try:
        files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    except OSError as error:
        fail("Cannot read the input.", f"{path}: {error}")
    others = [] if all_files else [file for file in files if find_input_format(file) is None]
    if others:
        warn(
            f"{len(others)} of {len(files)} files are left out: no format has their ending.",
            f"{path}, such as {others[0].name}. To read all of them, give their --input-format.",
        )
        files = sorted({*files}.difference(others))
    if not files:
        fail("Cannot read the input.", f"{path}: there is no file in this folder")
    return files


def is_folder(path: str | Path) -> bool:
    """Whether this is a folder. In contrast to Path.is_dir, no name or folder raises an error."""
    return os.path.isdir(path)      # noqa: PTH112


def is_file(path: str | Path) -> bool:
    """Whether this is a file. In contrast to Path.is_file, no name or folder raises an error."""
    return os.path.isfile(path)     # noqa: PTH113


def name_output(path: Path, output_format: OutputFormat) -> str:
    """The input's name with the ending of the output's format, and the input's compression."""
    compression = path.suffix if path.suffix.lower() in COMPRESSED else ""
    return Path(path.name.removesuffix(compression)).stem + output_format.ending + compression


def refuse_clashes(inputs: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Raise typer.BadParameter if two inputs have the same output, or an output is an input."""
    source_of: dict[str, Path] = {}
    resolved = {os.path.realpath(path) for path in inputs}
    for path, output in zip(inputs, outputs):
        # Existing outputs may be links to each other.
        target = os.path.realpath(output)
        if target in source_of:
            raise typer.BadParameter(
                f"The output of {source_of[target]} and {path} would be the same file, {output}."
            )
        if target in resolved:
            raise typer.BadParameter(f"The output of {path} would be an input, {output}.")
        source_of[target] = path

"""Which inputs are parsed to which outputs."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import typer

from ..corpus.files import COMPRESSED
from ..formats.registry import find_input_format
from ..formats.rows import OutputFormat
from .messages import fail, report_note
from .outputs import clear_drafts, refuse_same_file


class Files(NamedTuple):
    """Inputs, None for stdin, and an output for each, or one for all; None is stdout.

    Attributes:
        folder: of the outputs, where there is one for each.
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
        inputs: files, or folders for the files in them.
        output: a file for all of them; a folder, where there are several or the input is a folder,
            for one each.
        resume: leave out inputs whose outputs are there, and delete what killed commands left half
            written in the folder.
        all_files: of folders; else those with the ending of a format.

    Raises:
        typer.BadParameter: Where an output would be an input, or that of two inputs.
    """
    found = [file for path in inputs for file in find_inputs(path, all_files)]
    several = len(found) > 1 or any(path.is_dir() for path in inputs)
    if output is None or not (several or output.is_dir()):
        if resume:
            raise typer.BadParameter("--resume needs a folder as --output.")
        for path in found:
            refuse_same_file(path, output, "--input and --output are the same file.")
        return Files([*found] or [None], [output])
    if not found:
        raise typer.BadParameter("A folder as --output needs an --input.")
    if resume:
        clear_drafts(output)
    outputs = [output / name_output(path, output_format) for path in found]
    refuse_clashes(found, outputs)
    pairs = [pair for pair in zip(found, outputs) if not (resume and pair[1].exists())]
    return Files([path for path, _ in pairs], [path for _, path in pairs], output)


def find_inputs(path: Path, all_files: bool = False) -> list[Path]:
    """A file, or the files of a folder, hidden ones left out, in the order of their names.

    all_files: of a folder, also those of which no format has the ending; else these are named on
        stderr and left out.
    """
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    others = [] if all_files else [file for file in files if find_input_format(file) is None]
    if others:
        report_note(
            f"{len(others)} of {len(files)} files in {path} are left out, such as "
            f"{others[0].name}: no format has their ending. --input-format says how to read all."
        )
        files = [file for file in files if file not in others]
    if not files:
        fail("Cannot read the input.", f"{path}: there is no file in this folder")
    return files


def name_output(path: Path, output_format: OutputFormat) -> str:
    """The name of an output: that of the input with another ending, compressed as it is."""
    compression = path.suffix if path.suffix.lower() in COMPRESSED else ""
    return Path(path.name.removesuffix(compression)).stem + output_format.ending + compression


def refuse_clashes(inputs: Sequence[Path], outputs: Sequence[Path]) -> None:
    """Raise typer.BadParameter where an output is that of two inputs, or one of the inputs."""
    source_of: dict[str, Path] = {}
    resolved = {os.path.realpath(path) for path in inputs}
    for path, output in zip(inputs, outputs):
        # Outputs that are there may be links to each other.
        target = os.path.realpath(output)
        if target in source_of:
            raise typer.BadParameter(
                f"The output of {source_of[target]} and {path} would be the same file, {output}."
            )
        if target in resolved:
            raise typer.BadParameter(f"The output of {path} would be an input, {output}.")
        source_of[target] = path

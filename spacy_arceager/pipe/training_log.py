"""The log of a training: spaCy's table without the columns that make it too wide."""

import sys
from collections.abc import Callable, Container
from types import SimpleNamespace
from typing import IO, Any

from spacy.language import Language
from spacy.training.loggers import console_logger_v3

Log = Callable[[dict[str, Any] | None], None]
SetUp = Callable[..., tuple[Log, Callable[[], None]]]

PREFIX = "arceager_"


def create_console_logger(progress_bar: str | None = "eval") -> SetUp:
    """A logger for `training.logger` that shows the parser's loss and the scores with a weight.

    spaCy's own logger has a column for the loss of each component, with the first ten characters of
    its name. In a pipeline with tags and lemmas, such lines are wider than most terminals, and two
    components of this package have the same heading. The scores show how the other components do.

    Args:
        progress_bar: "eval" for a bar of the updates until the next scores, "train" for one of all
            updates, None for no bar. There is a bar on terminals only.
    """
    set_up = console_logger_v3(progress_bar=progress_bar)

    def set_up_log(
        nlp: Language, stdout: IO = sys.stdout, stderr: IO = sys.stderr
    ) -> tuple[Log, Callable[[], None]]:
        names = {
            name: shorten(name, nlp.pipe_names) for name in nlp.pipe_names
            if nlp.get_pipe_meta(name).factory == "arceager_parser"
        }
        shown = SimpleNamespace(
            pipeline=[(short, nlp.get_pipe(name)) for name, short in names.items()],
            config=nlp.config,
        )
        log, finish = set_up(shown, stdout, stderr)

        def log_step(info: dict[str, Any] | None) -> None:
            if info is not None:
                losses = {short: info["losses"][name] for name, short in names.items()}
                info = {**info, "losses": losses}
            log(info)

        return log_step, finish

    return set_up_log


def shorten(name: str, others: Container[str]) -> str:
    """The name of a component without our prefix, unless another one has that name."""
    short = name.removeprefix(PREFIX)
    return name if short in others else short

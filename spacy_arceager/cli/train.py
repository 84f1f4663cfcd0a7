"""The command `train`, which only says that `spacy train` trains pipelines."""

from pathlib import Path

from .configs import training_command
from .messages import fail

OPTIONS = {
    "hidden": True,
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
}


def train() -> None:
    """Say how to train with spaCy, and end with exit code 1."""
    fail(
        "There is no such command: pipelines are trained by `spacy train`.",
        "arceager init-config config.cfg --lang en\n"
        + training_command(Path("config.cfg")),
    )

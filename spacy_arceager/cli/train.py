"""The command `train`, which is not there: spaCy trains."""

from .messages import fail

OPTIONS = {
    "hidden": True,
    "context_settings": {"ignore_unknown_options": True, "allow_extra_args": True},
}


def train() -> None:
    """Say that spaCy trains, and how. Exit code: 1."""
    fail(
        "There is no such command: pipelines are trained by `spacy train`.",
        "arceager init-config config.cfg --lang en\n"
        "spacy train config.cfg --paths.train train.conllu --paths.dev dev.conllu -o training",
    )

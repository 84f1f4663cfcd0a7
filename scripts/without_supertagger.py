"""Save a trained pipeline without its supertagger, which only training needs.

python scripts/without_supertagger.py MODEL TARGET

The parses are the same, and the labels of the supertagger are gone from the model card.
"""

from pathlib import Path

import spacy
import typer

SUPERTAGGER = "arceager_supertagger"


def save_without_supertagger(model: Path, target: Path) -> None:
    """Load a pipeline without the components that the supertagger's factory makes, and save it."""
    config = spacy.util.load_config(model / "config.cfg")
    names = [
        name for name, block in config["components"].items()
        if block.get("factory") == SUPERTAGGER
    ]
    nlp = spacy.load(model, exclude=names)
    for name in names:
        nlp.meta["performance"].pop(f"{name}_loss", None)
    nlp.to_disk(target)


if __name__ == "__main__":
    typer.run(save_without_supertagger)

"""A tokenizer block for configs that fits any language."""

from collections.abc import Callable
from typing import Any

from spacy import registry
from spacy.language import Language

MakeTokenizer = Callable[[Language], Any]


def create_language_tokenizer() -> MakeTokenizer:
    """Make the tokenizer that spaCy has for the language of a pipeline.

    A config without any tokenizer would have the same effect, but `spacy debug config` calls such a
    config incomplete. A config that names the tokenizer of one language would keep it when
    `--nlp.lang zh` changes the language.
    """
    return make_language_tokenizer


def make_language_tokenizer(nlp: Language) -> Any:
    """Make the tokenizer of the language's default config.

    Raises:
        ImportError: If the tokenizer needs a package that is not installed.
    """
    block = {"tokenizer": type(nlp).default_config["nlp"]["tokenizer"]}
    make: MakeTokenizer = registry.resolve(block)["tokenizer"]
    return make(nlp)

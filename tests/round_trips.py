"""Ways to save a pipeline and to load it again."""

import copy
import pickle
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.util import load_model_from_config


def through_bytes(nlp: Language, path: Path) -> Language:
    return load_model_from_config(nlp.config).from_bytes(nlp.to_bytes())


def through_disk(nlp: Language, path: Path) -> Language:
    nlp.to_disk(path)
    return spacy.load(path)


def through_pickle(nlp: Language, path: Path) -> Language:
    return pickle.loads(pickle.dumps(nlp))


def through_deepcopy(nlp: Language, path: Path) -> Language:
    return copy.deepcopy(nlp)

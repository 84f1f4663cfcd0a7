import spacy
from spacy_arceager.oracles.oracle import Oracle

@spacy.registry.misc("tried.eisner.v1")
def make():
    return Oracle("eisner")

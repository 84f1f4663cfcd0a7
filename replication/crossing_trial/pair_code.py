import spacy
from spacy_arceager.oracles.oracle import Oracle

@spacy.registry.misc("tried.pair.v1")
def make(explore_swaps: bool = True):
    return Oracle("pair", explore_swaps=explore_swaps)

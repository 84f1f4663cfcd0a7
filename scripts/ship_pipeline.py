"""Put a trained pipeline, with its model card, into the package.

python scripts/ship_pipeline.py MODEL DEV_CONLLU TARGET

MODEL is the folder that `spacy train` wrote; it is evaluated and calibrated on DEV_CONLLU, and
saved to TARGET with its scores, sources and licence in meta.json. See `ship` in project.yml.
"""

import shutil
from pathlib import Path
from typing import Any

import spacy
import typer
from spacy.language import Language

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.evaluation.calibration import calibration_error
from spacy_arceager.pipe.calibration import calibrate

CARD: dict[str, Any] = {
    "name": "ewt_arceager",
    "version": "0.1.0",
    "description": (
        "English: sentence boundaries, XPOS, UPOS, features, lemmas, and one dependency tree a "
        "sentence (arc-eager, tree-constrained), for a CPU."
    ),
    "author": "the spacy_arceager authors",
    "license": "CC BY-SA 4.0",
    "url": "",
    "sources": [
        {
            "name": "Universal Dependencies English Web Treebank (UD_English-EWT, 2025-05)",
            "url": "https://github.com/UniversalDependencies/UD_English-EWT",
            "license": "CC BY-SA 4.0",
            "author": "Natalia Silveira, Timothy Dozat, Christopher Manning, Sebastian "
            "Schuster, Ethan Chi, John Bauer, Miriam Connor, Marie-Catherine de Marneffe, "
            "Nathan Schneider, Sam Bowman, Hanzhi Zhu, Daniel Galbraith and others",
        }
    ],
}
PARSER = "arceager_parser"
SCORES = (
    "dep_uas", "dep_las", "dep_uas_ud", "dep_las_ud", "dep_las_full", "dep_exact",
    "dep_multiple_roots", "sents_f", "tag_acc", "pos_acc", "morph_acc", "lemma_acc",
)


def load_without_words(model: str) -> Language:
    """A trained pipeline without the words of its treebank, and what it needs in training alone."""
    strings = spacy.load(model).vocab.strings
    nlp = spacy.load(model, exclude=["vocab", "supertagger"])
    for _, pipe in nlp.pipeline:
        for label in getattr(pipe, "labels", ()):
            nlp.vocab.strings.add(str(label))
        # What an edit tree takes out and puts in. They do not stop an iteration.
        trees = getattr(pipe, "trees", ())
        for tree in (trees[i] for i in range(len(trees))):
            for part in ("orig", "subst"):
                nlp.vocab.strings.add(strings[tree.get(part, 0)])
    return nlp


def find_temperature(nlp: Language, dev: str) -> tuple[float, float]:
    """The temperature of the lowest log loss on a treebank, and the calibration error with it."""
    found = calibrate(nlp, list(ConlluCorpus(dev)(nlp)))
    temperature = nlp.get_pipe_config(PARSER)["temperature"]
    return temperature, calibration_error(*found[temperature])


def ship(model: str, dev: str, target: Path) -> None:
    """Evaluate and calibrate a trained pipeline, write its model card and save it to `target`."""
    nlp = load_without_words(model)
    scores = nlp.evaluate(ConlluCorpus(dev, sentences_per_doc=10)(nlp))
    temperature, error = find_temperature(nlp, dev)
    card = {
        "data": "UD_English-EWT dev, gold tokens, documents of ten sentences, predicted "
        "sentence boundaries; the temperature with a sentence a document",
        **{key: scores[key] for key in SCORES},
        "temperature": temperature,
        "calibration_error": error,
    }
    shutil.rmtree(target, ignore_errors=True)
    clean = load_without_words(model)      # evaluation has added the words of the dev file
    clean.get_pipe_config(PARSER)["temperature"] = temperature
    clean.meta.update(CARD, performance=card, spacy_version=">=3.8.0,<3.9.0")
    for name in clean.config["paths"]:
        clean.config["paths"][name] = None
    clean.to_disk(target)
    print(card)


if __name__ == "__main__":
    typer.run(ship)

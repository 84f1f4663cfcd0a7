"""From a training to the pipeline that is released.

It has no words of its treebank, nothing that only training needs, half floats for weights, the
tokenizer that the treebank teaches, and honest confidences. The tokenizer is learnt here, so that
better rules need no new training.

python -m release.building MODEL TARGET only leaves out what training needs, words included.
"""

from pathlib import Path

import spacy
import typer
from spacy.language import Language

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.evaluation.calibration import calibration_error
from spacy_arceager.pipe.calibration import calibrate
from spacy_arceager.pipe.half_floats import round_weights
from spacy_arceager.pipe.tokenizer import create_language_tokenizer

TOKENIZER = {"@tokenizers": "arceager.LanguageTokenizer.v1", "learn": True}
# The factories of what only training needs.
TRAINING_ONLY = {"arceager_supertagger", "arceager_vector_predictor"}
PARSER = "arceager_parser"


def build(model: Path, train: Path, dev: Path, target: Path) -> None:
    """Save a trained pipeline as it is released, with the temperature that suits the dev file."""
    tokenizer = learn_tokenizer(spacy.util.load_config(model / "config.cfg")["nlp"]["lang"], train)
    temperature, error = find_temperature(load_lean(model, tokenizer), dev)
    nlp = load_lean(model, tokenizer)      # calibration has added the words of the dev file
    nlp.get_pipe_config(PARSER)["temperature"] = temperature
    nlp.meta["performance"] = {"calibration": {"temperature": temperature, "error": error}}
    for name in nlp.config["paths"]:
        nlp.config["paths"][name] = None
    nlp.to_disk(target)


def learn_tokenizer(lang: str, train: Path) -> bytes:
    """A tokenizer with what a treebank teaches it, without the words of the treebank."""
    nlp = spacy.blank(lang, config={"nlp": {"tokenizer": TOKENIZER}})
    nlp.tokenizer.learn([example.reference for example in ConlluCorpus(train)(nlp)])
    return nlp.tokenizer.to_bytes(exclude=["vocab"])


def load_lean(model: Path, tokenizer: bytes) -> Language:
    """Load a trained pipeline without the words of its treebank, with rounded weights."""
    strings = spacy.load(model).vocab.strings
    nlp = spacy.load(model, exclude=["vocab", *training_only(model)])
    for _, pipe in nlp.pipeline:
        for label in getattr(pipe, "labels", ()):
            nlp.vocab.strings.add(str(label))
        # A morphologizer's labels have the UPOS; Docs have the features without it.
        for features in (getattr(pipe, "cfg", None) or {}).get("labels_morph", {}).values():
            nlp.vocab.strings.add(features)
        # What an edit tree takes out and puts in. They do not stop an iteration.
        trees = getattr(pipe, "trees", ())
        for tree in (trees[i] for i in range(len(trees))):
            for part in ("orig", "subst"):
                nlp.vocab.strings.add(strings[tree.get(part, 0)])
    nlp.tokenizer = create_language_tokenizer(learn=True)(nlp)
    nlp.tokenizer.from_bytes(tokenizer, exclude=["vocab"])
    nlp.config["nlp"]["tokenizer"] = TOKENIZER
    round_weights(nlp)
    return nlp


def training_only(model: Path) -> list[str]:
    """The names of the components of a trained pipeline that do nothing in parsing."""
    components = spacy.util.load_config(model / "config.cfg")["components"]
    return [name for name, block in components.items() if block.get("factory") in TRAINING_ONLY]


def find_temperature(nlp: Language, dev: Path) -> tuple[float, float]:
    """The temperature of the lowest log loss on a treebank, and the calibration error with it."""
    found = calibrate(nlp, list(ConlluCorpus(dev)(nlp)))
    temperature = nlp.get_pipe_config(PARSER)["temperature"]
    return temperature, calibration_error(*found[temperature])


def leave_out(model: Path, target: Path) -> None:
    """Save a pipeline without what only its training needs; its parses are the same."""
    names = training_only(model)
    nlp = spacy.load(model, exclude=names)
    # spaCy writes 0 for a score that no component has.
    nlp.meta["performance"] = {
        name: value for name, value in nlp.meta["performance"].items()
        if value and name.removesuffix("_loss") not in names
    }
    nlp.to_disk(target)


if __name__ == "__main__":
    typer.run(leave_out)

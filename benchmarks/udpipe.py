"""UDPipe 1 as its authors train it: tagger, vectors of the treebank's words, parser; words/s.

pip install ufal.udpipe gensim      (in an environment of its own)
python -m benchmarks.udpipe LANGUAGE TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU

The settings are those of the models of UD 2.0 (ufal/udpipe, training/models-ud-2.0) for the
languages below. The tagger and lemmatizer are trained too, and the parser sees what they predict.
DEV_CONLLU is also the held-out data by which UDPipe chooses among its iterations. PARSED_CONLLU is
for the official evaluation: udeval DEV_CONLLU PARSED_CONLLU.
"""

import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from gensim.models import Word2Vec
from ufal.udpipe import (
    InputFormat,
    Model,
    Pipeline,
    ProcessingError,
    Sentence,
    Sentences,
    Trainer,
)


class Settings(NamedTuple):
    """What differs between the languages.

    Attributes:
        suffixes, dictionary: how many suffix rules and dictionary entries the tagger's guesser
            and the lemmatizer's take.
        tag_by_lemma: whether the tagger's dictionary knows lemmas.
        prune: whether rare features of the tagger, and of the lemmatizer, are left out.
    """

    system: str
    oracle: str
    rate: float
    l2: float
    structured_interval: int
    suffixes: tuple[int, int]
    dictionary: tuple[int, int]
    tag_by_lemma: int
    prune: tuple[int, int]


SETTINGS = {
    "en": Settings("projective", "dynamic", 0.01, 0.5, 8, (12, 6), (6, 6), 1, (0, 0)),
    "eu": Settings("link2", "static", 0.01, 0.5, 8, (8, 8), (6, 6), 0, (0, 1)),
    "cu": Settings("link2", "static", 0.02, 0.3, 10, (8, 8), (6, 5), 1, (0, 0)),
    "el": Settings("link2", "static", 0.02, 0.3, 8, (8, 8), (6, 4), 0, (0, 0)),
    "grc": Settings("swap", "static_lazy", 0.01, 0.5, 8, (8, 8), (6, 6), 0, (1, 1)),
    "fr_sequoia": Settings("swap", "static_lazy", 0.02, 0.3, 10, (8, 8), (5, 6), 1, (0, 1)),
    "tr": Settings("projective", "dynamic", 0.01, 0.3, 8, (12, 8), (6, 4), 1, (0, 0)),
    "ga": Settings("projective", "dynamic", 0.02, 0.5, 8, (12, 8), (6, 6), 0, (1, 0)),
}


def tagger_options(chosen: Settings) -> str:
    """Two models: one tags, the other finds lemmas."""
    tag, lemma = ({
        f"guesser_suffix_rules_{model}": chosen.suffixes[model - 1],
        f"guesser_enrich_dictionary_{model}": chosen.dictionary[model - 1],
        f"prune_features_{model}": chosen.prune[model - 1],
    } for model in (1, 2))
    return joined({
        "models": 2, **tag, **lemma,
        "templates_1": "tagger", "guesser_prefixes_max_1": 0, "use_lemma_1": chosen.tag_by_lemma,
        "use_xpostag_1": 1, "use_feats_1": 1, "provide_lemma_1": 0, "provide_xpostag_1": 1,
        "provide_feats_1": 1,
        "templates_2": "lemmatizer", "guesser_prefixes_max_2": 4, "use_lemma_2": 1,
        "use_xpostag_2": 0, "use_feats_2": 0, "provide_lemma_2": 1, "provide_xpostag_2": 0,
        "provide_feats_2": 0,
    })


def parser_options(chosen: Settings, vectors: str) -> str:
    """Thirty iterations of the parser."""
    return joined({
        "iterations": 30, "embedding_upostag": 20, "embedding_feats": 20, "embedding_xpostag": 0,
        "embedding_form": 50, "embedding_form_file": vectors, "embedding_lemma": 0,
        "embedding_deprel": 20, "learning_rate": chosen.rate, "learning_rate_final": 0.001,
        "l2": chosen.l2, "hidden_layer": 200, "batch_size": 10,
        "transition_system": chosen.system, "transition_oracle": chosen.oracle,
        "structured_interval": chosen.structured_interval,
    })


def joined(options: dict[str, object]) -> str:
    """Options as UDPipe reads them."""
    return ";".join(f"{name}={value}" for name, value in options.items())


def read(path: str) -> Sentences:
    """The sentences of a CoNLL-U file."""
    reader = InputFormat.newConlluInputFormat()
    reader.setText(Path(path).read_text(encoding="utf8"))
    error = ProcessingError()
    sentences, sentence = Sentences(), Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise ValueError(error.message)
    return sentences


def write_vectors(sentences: Sentences, path: str) -> None:
    """Skip-gram vectors of the treebank's own words, with the settings of UDPipe's manual."""
    forms = [[word.form.replace(" ", "_") for word in list(one.words)[1:]] for one in sentences]
    Word2Vec(
        forms, sg=1, vector_size=50, window=10, negative=5, hs=0, sample=0.1, epochs=15,
        min_count=2, workers=1, seed=1,
    ).wv.save_word2vec_format(path, binary=False)


def train(language: str, train_path: str, dev: str) -> bytes:
    """Train tagger, lemmatizer and parser; no tokenizer."""
    chosen = SETTINGS[language]
    sentences = read(train_path)
    error = ProcessingError()
    with tempfile.NamedTemporaryFile(suffix=".vectors") as vectors:
        write_vectors(sentences, vectors.name)
        model = Trainer.train(
            "morphodita_parsito", sentences, read(dev), Trainer.NONE, tagger_options(chosen),
            parser_options(chosen, vectors.name), error,
        )
    if error.occurred():
        raise ValueError(error.message)
    return model


def main(language: str, train_path: str, dev: str, parsed: str) -> None:
    start = time.perf_counter()
    path = Path(parsed).with_suffix(".udpipe")
    path.write_bytes(train(language, train_path, dev))
    print(f"trained in {time.perf_counter() - start:.0f} seconds")
    model = Model.load(str(path))     # the pipeline does not keep it alive
    parser = Pipeline(model, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
    text = Path(dev).read_text(encoding="utf8")
    words = sum(line.split("\t")[0].isdigit() for line in text.splitlines())
    error = ProcessingError()
    start = time.perf_counter()
    output = parser.process(text, error)
    print(f"{words / (time.perf_counter() - start):,.0f} words/s, CoNLL-U to CoNLL-U")
    Path(parsed).write_text(output, encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""UDPipe 1 on the same treebank: trains it, parses the dev set, gives words/s.

pip install ufal.udpipe      (in an environment of its own; nothing else is needed)
python -m benchmarks.udpipe TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU
    [ITERATIONS [SYSTEM ORACLE [TAGS]]]

With TAGS "own" its tagger is trained too, and its parser sees predicted tags and features, as its
authors train it; with "none" the parser sees word forms only. PARSED is for the official
evaluation: udeval DEV_CONLLU PARSED_CONLLU.
"""

import sys
import time
from pathlib import Path

from ufal.udpipe import (
    InputFormat,
    Model,
    Pipeline,
    ProcessingError,
    Sentence,
    Sentences,
    Trainer,
)

OPTIONS = {
    "embedding_xpostag": 0,
    "embedding_lemma": 0,
    "embedding_form": 50,
    "embedding_deprel": 20,
    "learning_rate": 0.02,
    "learning_rate_final": 0.001,
    "l2": 0.5,
    "hidden_layer": 200,
    "batch_size": 10,
    "structured_interval": 0,
}
# What the parser sees of tags, and what trains the tagger.
TAGS = {
    "none": ({"embedding_upostag": 0, "embedding_feats": 0}, Trainer.NONE),
    "own": ({"embedding_upostag": 20, "embedding_feats": 20}, "models=1"),
}


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


def train(
    train_path: str, dev: str, iterations: int, system: str, oracle: str, tags: str
) -> bytes:
    """Train a parser without tokenizer, and perhaps a tagger."""
    sizes, tagger = TAGS[tags]
    options = {
        **OPTIONS, **sizes, "iterations": iterations, "transition_system": system,
        "transition_oracle": oracle,
    }
    error = ProcessingError()
    model = Trainer.train(
        "morphodita_parsito", read(train_path), read(dev), Trainer.NONE, tagger,
        ";".join(f"{name}={value}" for name, value in options.items()), error,
    )
    if error.occurred():
        raise ValueError(error.message)
    return model


def main(
    train_path: str,
    dev: str,
    parsed: str,
    iterations: str = "10",
    system: str = "projective",
    oracle: str = "dynamic",
    tags: str = "none",
) -> None:
    start = time.perf_counter()
    path = Path(parsed).with_suffix(".udpipe")
    path.write_bytes(train(train_path, dev, int(iterations), system, oracle, tags))
    print(f"trained in {time.perf_counter() - start:.0f} seconds")
    model = Model.load(str(path))     # the pipeline does not keep it alive
    tagger = Pipeline.NONE if tags == "none" else Pipeline.DEFAULT
    parser = Pipeline(model, "conllu", tagger, Pipeline.DEFAULT, "conllu")
    text = Path(dev).read_text(encoding="utf8")
    words = sum(line.split("\t")[0].isdigit() for line in text.splitlines())
    error = ProcessingError()
    start = time.perf_counter()
    output = parser.process(text, error)
    print(f"{words / (time.perf_counter() - start):,.0f} words/s, CoNLL-U to CoNLL-U")
    Path(parsed).write_text(output, encoding="utf8")


if __name__ == "__main__":
    main(*sys.argv[1:])

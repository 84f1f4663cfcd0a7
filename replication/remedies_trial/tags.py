"""Tags as input, for study.py: Docs to parse have as tag what stands in the column XPOS.

python -m replication.remedies_trial.tags FOLDER TARGET CONFIG writes a treebank whose XPOS is a
predicted UPOS; that of the training part comes from ten-fold jackknifing.
"""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import spacy
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import registry

from spacy_arceager.corpus.corpus import ConlluCorpus

FOLDS = 10
STEPS = 500


@registry.readers("arceager_tried.tagged_corpus.v1")
def tagged_corpus(
    path: str, sentences_per_doc: int = 1
) -> Callable[[Language], Iterator[Example]]:
    read = ConlluCorpus(path, sentences_per_doc=sentences_per_doc)

    def examples(nlp: Language) -> Iterator[Example]:
        for example in read(nlp):
            for token, gold in zip(example.predicted, example.reference, strict=True):
                token.tag_ = gold.tag_
            yield example

    return examples


def read_sentences(path: Path) -> list[str]:
    return path.read_text(encoding="utf8").strip().split("\n\n")


def write_sentences(path: Path, sentences: list[str]) -> None:
    path.write_text("".join(f"{one}\n\n" for one in sentences), encoding="utf8")


def tag(model: Path, sentences: list[str]) -> list[str]:
    """Sentences of CoNLL-U with predicted UPOS as XPOS."""
    nlp = spacy.load(model)
    rows = [[line.split("\t") for line in one.split("\n")] for one in sentences]
    docs = [Doc(nlp.vocab, [row[1] for row in one if row[0].isdigit()]) for one in rows]
    for one, doc in zip(rows, nlp.pipe(docs), strict=True):
        tokens = iter(doc)
        for row in one:
            if row[0].isdigit():
                row[4] = next(tokens).pos_
    return ["\n".join("\t".join(row) for row in one) for one in rows]


def learn(folder: Path, config: Path, train: list[str], dev: list[str]) -> Path:
    """Train a tagger."""
    folder.mkdir(parents=True, exist_ok=True)
    write_sentences(folder / "train.conllu", train)
    write_sentences(folder / "dev.conllu", dev)
    subprocess.run([
        sys.executable, "-m", "spacy", "train", str(config), "-o", str(folder),
        "--paths.train", str(folder / "train.conllu"), "--paths.dev", str(folder / "dev.conllu"),
        "--training.max_steps", str(STEPS), "--training.eval_frequency", str(STEPS),
        "--nlp.pipeline", '["tok2vec", "morphologizer"]',
    ], check=True)
    return folder / "model-last"


def main(folder: Path, target: Path, config: Path) -> None:
    train, dev = (read_sentences(folder / f"{part}.conllu") for part in ("train", "dev"))
    size = -(-len(train) // FOLDS)
    tagged = []
    for fold in range(FOLDS):
        first, last = fold * size, (fold + 1) * size
        model = learn(target / f"fold{fold}", config, train[:first] + train[last:], dev[:20])
        tagged += tag(model, train[first:last])
    write_sentences(target / "train.conllu", tagged)
    model = learn(target / "all", config, train, dev[:20])
    write_sentences(target / "dev.conllu", tag(model, dev))


if __name__ == "__main__":
    typer.run(main)

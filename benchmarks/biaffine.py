"""spacy-experimental's biaffine parser on the same treebank: trains it, parses the dev set,
gives words/s on one thread.

pip install torch==2.13.0                      (in an environment of its own)
pip install spacy-experimental==0.6.4 click    (takes spaCy 3.7, whose `click` is not declared)
python -m benchmarks.biaffine TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU [STEPS]

Its trees may have several roots, hence: udeval --no-enhanced --multiple-roots-okay DEV PARSED.
"""

import sys
import time
from pathlib import Path
from statistics import median

import spacy
from spacy.cli.convert import convert
from spacy.cli.train import train
from spacy.language import Language
from spacy.tokens import Doc, Token
from spacy.training import Corpus

CONFIG = Path(__file__).with_suffix(".cfg")


def convert_treebank(conllu: str, folder: Path) -> Path:
    """A treebank in spaCy's format, one sentence a Doc."""
    convert(conllu, folder, file_type="spacy", converter="conllu", n_sents=1)
    return folder / Path(conllu).with_suffix(".spacy").name


def train_parser(train_path: Path, dev: Path, folder: Path, steps: int) -> Language:
    """Train, print the time, and return the pipeline that was best on the dev set."""
    paths = {"paths.train": str(train_path), "paths.dev": str(dev)}
    wall, cpu = time.perf_counter(), time.process_time()
    train(CONFIG, folder, overrides={**paths, "training.max_steps": steps})
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"trained in {wall:.0f} seconds ({cpu:.0f} of CPU time)")
    return spacy.load(folder / "model-best")


def parse(nlp: Language, dev: Path) -> tuple[list[Doc], float]:
    """The dev set's sentences parsed from given tokens, and words/s."""
    docs = [example.predicted for example in Corpus(dev, gold_preproc=True)(nlp)]
    start = time.perf_counter()
    docs = list(nlp.pipe(docs))
    return docs, sum(len(doc) for doc in docs) / (time.perf_counter() - start)


def head_and_label(token: Token) -> tuple[str, str]:
    """HEAD and DEPREL of CoNLL-U; in spaCy a root is its own head."""
    head = 0 if token.head == token else token.head.i + 1
    return str(head), "root" if token.dep_ == "ROOT" else token.dep_


def write(docs: list[Doc], dev: str, parsed: str) -> None:
    """The dev file's own lines with our heads and labels."""
    tokens = (token for doc in docs for token in doc)
    lines = []
    for line in Path(dev).read_text(encoding="utf8").split("\n"):
        fields = line.split("\t")
        if fields[0].isdigit():
            fields[6:8] = head_and_label(next(tokens))
        lines.append("\t".join(fields))
    Path(parsed).write_text("\n".join(lines), encoding="utf8")


def main(train_path: str, dev: str, parsed: str, steps: str = "5000") -> None:
    folder = Path(parsed).with_suffix("")
    converted = convert_treebank(dev, folder)
    nlp = train_parser(convert_treebank(train_path, folder), converted, folder, int(steps))
    runs = [parse(nlp, converted) for _ in range(5)]
    print(f"{median(rate for _, rate in runs):,.0f} words/s, token vectors and parser")
    write(runs[0][0], dev, parsed)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""The tokens of treebanks, found in their raw text by the rules of the language and by learnt ones.

python -m benchmarks.tokens FOLDER...

Each folder has train.conllu and dev.conllu; its name begins with the language's code. Printed are
the F1 of tokens and of words on dev.conllu, as the CoNLL 2018 shared task counts them, before and
after learning from train.conllu, and the seconds that this takes.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.util import get_lang_class

from benchmarks.common import read_examples
from spacy_arceager.cli.languages import language_names
from spacy_arceager.corpus.conllu import (
    ConlluSentence,
    doc_to_conllu,
    read_file,
    read_sentences,
)
from spacy_arceager.evaluation.raw_alignment import paragraphs
from spacy_arceager.evaluation.raw_scores import RawParse


def main(folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...")]) -> None:
    """Print the scores of each treebank."""
    print("treebank,tokens,words,tokens learnt,words learnt,seconds")
    for folder in folders:
        nlp = make_pipeline(folder.name.partition("_")[0])
        gold = list(read_file(folder / "dev.conllu"))
        before = score(nlp, gold)
        examples = read_examples(nlp, folder / "train.conllu")
        start = time.perf_counter()
        nlp.tokenizer.initialize(lambda examples=examples: examples, nlp=nlp)
        seconds = time.perf_counter() - start
        scores = [*before, *score(nlp, gold)]
        print(folder.name, *(f"{100 * f1:.2f}" for f1 in scores), f"{seconds:.1f}", sep=",")


def make_pipeline(code: str) -> Language:
    """A pipeline with a tokenizer alone; "xx" for a language that spaCy does not have."""
    language = get_lang_class(code if code in language_names() else "xx")
    tokenizer = {"@tokenizers": "arceager.LanguageTokenizer.v1", "learn": True}
    return language.from_config({"nlp": {"tokenizer": tokenizer}}, auto_fill=True)


def score(nlp: Language, gold: Sequence[ConlluSentence]) -> tuple[float, float]:
    """The F1 of tokens and of words."""
    text = "".join(doc_to_conllu(with_flat_tree(nlp(text))) for text in paragraphs(gold))
    scores = RawParse(gold, read_sentences(text.split("\n"))).scores()
    return scores["Tokens"].f1, scores["Words"].f1


def with_flat_tree(doc: Doc) -> Doc:
    """The Doc as one sentence, since only its tokens count."""
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


if __name__ == "__main__":
    typer.run(main)

"""What valid="ud" brings and costs: errors that UD's validator finds, UAS and LAS, and speed.

python -m release.validity RELEASED TREEBANKS --languages en,fr --output FILE.json

Each small pipeline in RELEASED, the output of `python -m release`, parses the dev file of its
treebank without and with the rules: the raw text, and gold tokens and sentences.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import numpy
import spacy
import srsly
import typer
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from replication.trainings import describe_program, find_file
from spacy_arceager.annotation.layout import find_layout
from spacy_arceager.annotation.word_kinds import word_kinds
from spacy_arceager.cli.treebank import TreebankDocuments, parse_raw, written_sentences
from spacy_arceager.corpus.conllu import ConlluSentence
from spacy_arceager.evaluation.raw_scores import RawParse
from spacy_arceager.evaluation.ud import align_parses, score_ud
from spacy_arceager.machine.rules import TreeRules, WordRules
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.machine.valid import FinishedTree
from spacy_arceager.pipe.component import ArcEagerParser, find_parser

from .packages import find_packages
from .scoring import find_errors

SIDES = {"without": None, "with": "ud"}
Sides = dict[str, dict[str, Any]]


class Treebank:
    """A dev file as raw text, and as Docs with gold tokens and sentences, for a pipeline."""

    def __init__(self, nlp: Language, path: Path):
        documents = TreebankDocuments(path, gold_sentences=True)
        self.nlp = nlp
        self.parser: ArcEagerParser = find_parser(nlp)[0]
        self.sentences: list[ConlluSentence] = documents.read_sentences()
        self.examples: list[Example] = documents.read(nlp)

    def before_the_parser(self) -> list[Doc]:
        """The Docs with gold tokens, with all that the parser gets."""
        others = [name for name in self.nlp.pipe_names if name != self.parser.name]
        with self.nlp.select_pipes(enable=others):
            return [*self.nlp.pipe(example.predicted.copy() for example in self.examples)]


def compare(measure: Callable[[], Any], parser: ArcEagerParser) -> dict[str, Any]:
    """What is measured without and with the rules."""
    found = {}
    for side, valid in SIDES.items():
        parser.valid = valid
        found[side] = measure()
    return found


def score_raw(treebank: Treebank) -> dict[str, Any]:
    """Scores in percent and errors of syntax on raw text."""
    docs = parse_raw(treebank.nlp, treebank.sentences)
    scores = RawParse(treebank.sentences, written_sentences(docs)).scores()
    return {
        **{name: round(100 * scores[name].f1, 2) for name in ("UAS", "LAS")},
        "errors": count_syntax(docs),
    }


def score_gold_tokens(treebank: Treebank) -> dict[str, Any]:
    """Scores in percent and errors of syntax with gold tokens and sentences."""
    docs = [*treebank.nlp.pipe(example.predicted.copy() for example in treebank.examples)]
    parses = [
        align_parses(Example(doc, example.reference))
        for doc, example in zip(docs, treebank.examples)
    ]
    scores = score_ud(parses)
    return {
        **{name: round(100 * scores[f"dep_{name.lower()}_ud"], 2) for name in ("UAS", "LAS")},
        "errors": count_syntax(docs),
    }


def count_syntax(docs: Sequence[Doc]) -> dict[str, int]:
    """How many errors of syntax Docs have, by the validator's test."""
    syntax = [one.testid for one in find_errors(docs) if one.testclass.name == "SYNTAX"]
    return dict(Counter(syntax).most_common())


def measure_speeds(treebank: Treebank, repetitions: int) -> dict[str, Sides]:
    """Words a second of processor time, medians of runs that alternate.

    The whole pipeline begins with the raw text; the parser alone, with its own token vectors, gets
    gold tokens.
    """
    nlp, parser = treebank.nlp, treebank.parser
    tagged = treebank.before_the_parser()

    def whole() -> float:
        return rate(lambda: parse_raw(nlp, treebank.sentences))

    def alone() -> float:
        copies = [doc.copy() for doc in tagged]
        return rate(lambda: [*parser.pipe(copies, batch_size=nlp.batch_size)])

    return {
        name: medians([compare(run, parser) for _ in range(repetitions)])
        for name, run in {"pipeline": whole, "parser": alone}.items()
    }


def rate(parse: Callable[[], list[Doc]]) -> float:
    """Words a second of processor time."""
    start = time.process_time()
    words = sum(map(len, parse()))
    return words / (time.process_time() - start)


def medians(runs: Sequence[dict[str, float]]) -> dict[str, Any]:
    """The median rate of each side, and the median of the ratios of both in one run."""
    return {
        **{side: round(median(run[side] for run in runs)) for side in SIDES},
        "ratio": round(median(run["with"] / run["without"] for run in runs), 3),
    }


def count_refused(treebank: Treebank) -> dict[str, int]:
    """How many arcs of the gold trees break a rule, by the tags that the rules look at."""
    gold = [example.reference for example in treebank.examples]
    return {
        "gold tags": sum(len(broken(treebank.parser, doc, doc)) for doc in gold),
        "tags of the pipeline": sum(
            len(broken(treebank.parser, doc, tagged))
            for doc, tagged in zip(gold, treebank.before_the_parser(), strict=True)
        ),
    }


def broken(parser: ArcEagerParser, doc: Doc, tagged: Doc) -> list[int]:
    """The words of a sentence whose arcs break a rule, if their tags are those of another Doc."""
    labels = sorted({token.dep_ for token in doc})
    system = TransitionSystem(parser.parameters, labels)
    rules = WordRules(
        TreeRules(parser.parameters, labels), word_kinds([tagged], [find_layout(tagged)])
    )
    heads = numpy.asarray([token.head.i for token in doc])
    numbers = numpy.asarray([labels.index(token.dep_) for token in doc])
    return FinishedTree(system, rules, heads, numbers).broken()


def main(
    released: Path,
    treebanks: Path,
    languages: Annotated[str, typer.Option(help="Codes with commas; empty for all.")] = "",
    repetitions: int = 5,
    output: Annotated[Path | None, typer.Option(help="JSON file, written after each one.")] = None,
) -> None:
    """Measure each pipeline, and print what is found."""
    facts: dict[str, Any] = {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "commit": describe_program()["commit"],
        "command": "python -m release.validity RELEASED TREEBANKS "
        f"--languages {languages} --repetitions {repetitions}",
        "pipelines": {},
    }
    for package in find_packages(languages, "sm"):
        nlp = spacy.load(released / package.name / "pipeline")
        dev = find_file(treebanks / package.language.folder, "dev")
        treebank = Treebank(nlp, dev)
        facts["pipelines"][package.language.folder] = found = {
            "raw": compare(lambda treebank=treebank: score_raw(treebank), treebank.parser),
            "gold": compare(lambda treebank=treebank: score_gold_tokens(treebank), treebank.parser),
            "errors of the treebank": count_syntax([one.reference for one in treebank.examples]),
            "refused arcs of the treebank": count_refused(treebank),
            "words/s": measure_speeds(treebank, repetitions),
        }
        typer.echo(f"{package.name} {found}")
        if output is not None:
            srsly.write_json(output, facts)


if __name__ == "__main__":
    typer.run(main)

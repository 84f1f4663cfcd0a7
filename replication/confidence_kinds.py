"""Compare ways to tell how likely a head is right, on heads of one parser and one treebank.

python -m replication.confidence_kinds MODEL DEV_CONLLU [--first N]

All of them judge the heads of the greedy parse, at gold words and sentences:

- `arc`: the probability of the transition that made the arc;
- `same front`: that, times the probabilities of the transitions before it that were taken with the
  same word first in the buffer, such as a REDUCE that took another candidate away. It is what
  `arceager parse --confidence` writes;
- `kept arc`: the product, over all states of the derivation, of the probability of all transitions
  from which the arc can still be had, by the oracle of `constraint_oracle`;
- `mean with front`, `mean with kept`: the geometric means of `arc` and each of these;
- `beam`: the share of the trees in a beam of 8 that have the head, by their probability.

Each way has the temperature of its own lowest log loss among TEMPERATURES.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy
import typer
from numpy.typing import NDArray
from scipy.stats import rankdata

import spacy_arceager
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.decoding.confidence import Confidences, confidences_of_steps, with_lifted
from spacy_arceager.decoding.decoder import Decoder
from spacy_arceager.decoding.encoding import Encoded, encode
from spacy_arceager.evaluation.calibration import GRID, calibration_error, log_loss
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.configured import constraint_oracle
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.pipe.component import find_parser
from spacy_arceager.search.derivation import ScoredStep
from spacy_arceager.search.settings import BeamSettings

from .tables import as_markdown

TEMPERATURES = [temperature for temperature in GRID if 1 <= temperature <= 4]
WAYS = ("arc", "same front", "mean with front", "kept arc", "mean with kept", "beam")
SURE = 0.99
LEAST_SURE = 0.1    # share of words, or of sentences, that `yield` looks at
BATCH = 64


class Judged(NamedTuple):
    """The words of a treebank that have a gold head.

    Attributes:
        right: (n_words,) bool, whether the head of the greedy parse is the gold one.
        sentence: (n_words,) ints.
        confidences: {(way, temperature): (n_words,)}.
    """

    right: NDArray
    sentence: NDArray
    confidences: dict[tuple[str, float], NDArray]


def main(
    model: Annotated[str, typer.Argument(help="Pipeline, as of `arceager parse`")],
    path: Annotated[Path, typer.Argument(help="Trees that it was not trained on")],
    first: Annotated[int | None, typer.Option(help="Only so many sentences")] = None,
) -> None:
    """Print a table of the ways."""
    judged = judge(model, path, first)
    print(f"{judged.right.size:,} words, {(~judged.right).sum():,} wrong heads")
    header = ["confidence", "temperature", "calibration error", "AUC", f"wrong heads above {SURE}",
              "errors in the least sure words", "in the least sure sentences"]
    print(as_markdown(header, [row_of(judged, way) for way in WAYS]))


def judge(model: str, path: Path, first: int | None) -> Judged:
    """Parse a treebank greedily, and find all confidences of its heads."""
    nlp = spacy_arceager.load(model)
    parser, unused = find_parser(nlp)
    examples = list(ConlluCorpus(path)(nlp))[:first]
    right, sentence = [], []
    confidences: dict[tuple[str, float], list[float]] = {
        (way, temperature): [] for way in WAYS for temperature in TEMPERATURES
    }
    oracle = constraint_oracle(parser.parameters)
    if oracle is None:
        raise SystemExit("No oracle says which transitions of the system lose an arc")
    for start in range(0, len(examples), BATCH):
        batch = examples[start : start + BATCH]
        docs = list(nlp.pipe((one.predicted.copy() for one in batch), disable=unused[1:]))
        fresh = [one.predicted.copy() for one in batch]
        for name, pipe in nlp.pipeline:
            if name not in unused and pipe is not parser:
                fresh = list(pipe.pipe(fresh))
        encoded = encode(parser.model, fresh, parser.parameters.segment)
        assert encoded is not None
        found = list(confidences_of_batch(parser._make_decoder(), oracle, encoded))
        for number, (doc, example) in enumerate(zip(docs, batch)):
            words = encoded.layouts[number].words.tolist()
            gold = [token.head.i if token.has_head() else None for token in example.reference]
            known = [i for i, word in enumerate(words) if gold[word] is not None]
            right += [doc[words[i]].head.i == gold[words[i]] for i in known]
            sentence += [start + number] * len(known)
            for key, values in found[number].items():
                confidences[key] += [values[i] for i in known]
    return Judged(
        numpy.asarray(right), numpy.asarray(sentence),
        {key: numpy.asarray(values) for key, values in confidences.items()},
    )


def confidences_of_batch(
    decoder: Decoder, oracle: Oracle, encoded: Encoded
) -> Iterator[dict[tuple[str, float], list[float]]]:
    """For each Doc, the confidences of its words by way and temperature."""
    by_temperature = [decoder.derive(encoded, temperature) for temperature in TEMPERATURES]
    wide = Decoder(decoder.system, decoder.scorer, BeamSettings(width=8))
    trees = iter(wide.search(encoded))
    for doc in range(len(encoded.docs)):
        result: dict[tuple[str, float], list[float]] = {
            (way, temperature): [] for way in WAYS for temperature in TEMPERATURES
        }
        for unit in range(len(by_temperature[0][doc])):
            steps = [of_docs[doc][unit].steps for of_docs in by_temperature]
            beam = next(trees)
            n = len(by_temperature[0][doc][unit].words)
            heads, names = tree_of(decoder.system, n, steps[0])
            keepers = [*find_keepers(decoder.system, oracle, heads, steps[0])]
            for temperature, scored in zip(TEMPERATURES, steps):
                front, labels = confidences_of_steps(decoder.system, n, scored)
                arc = arc_alone(decoder.system, n, scored, front)
                kept = keep_probability(n, scored, keepers)
                kept = with_lifted(Confidences(kept, labels), names).heads
                ways = {
                    "arc": arc,
                    "kept arc": kept,
                    "same front": front,
                    "mean with front": geometric_mean(arc, front),
                    "mean with kept": geometric_mean(arc, kept),
                    "beam": shares(beam, heads, temperature),
                }
                for way, values in ways.items():
                    result[way, temperature] += values
        yield result


def tree_of(
    system: TransitionSystem, n: int, steps: Sequence[ScoredStep]
) -> tuple[list[int], list[str]]:
    """The heads, a root's being itself, and the labels, that a derivation ends with."""
    configuration = system.initial(n)
    for step in steps:
        configuration.apply(step.transition, step.label)
    heads = [word if head is None else head for word, head in enumerate(configuration.heads)]
    return heads, [label or "" for label in configuration.labels]


def find_keepers(
    system: TransitionSystem, oracle: Oracle, heads: Sequence[int], steps: Sequence[ScoredStep]
) -> Iterator[tuple[int, int, list[bool]]]:
    """Yield (step, word, which options keep the word's arc), where an option loses it."""
    n = len(heads)
    configuration = system.initial(n)
    for number, step in enumerate(steps):
        if step.options:
            operative = {word for word in configuration.operative if word is not None}
            waiting = configuration.unprocessed
            ahead = waiting[0] if waiting else n
            for word, head in enumerate(heads):
                if not (word in operative or word >= ahead) or min(word, head) > ahead:
                    continue    # the arc can no more be lost, or not yet
                gold: list[int | None] = [None] * n
                gold[word] = head
                costs = oracle.costs(configuration, gold)
                keeps = [costs[option.transition] == 0 for option in step.options]
                if not all(keeps):
                    yield number, word, keeps
        configuration.apply(step.transition, step.label)


def keep_probability(
    n: int, steps: Sequence[ScoredStep], keepers: Sequence[tuple[int, int, list[bool]]]
) -> list[float]:
    """The product of the probabilities of all that keeps the arc of each word."""
    result = [1.0] * n
    for number, word, keeps in keepers:
        options = steps[number].options
        result[word] *= min(1.0, sum(
            option.probability for option, is_kept in zip(options, keeps) if is_kept
        ))
    return result


def arc_alone(
    system: TransitionSystem, n: int, steps: Sequence[ScoredStep], confidences: Sequence[float]
) -> list[float]:
    """The confidences, without the probabilities of the transitions before that of the arc."""
    configuration = system.initial(n)
    product, front = 1.0, -1
    result = [*confidences]
    for step in steps:
        before = configuration.heads
        first = next(iter(configuration.buffer), n)
        if first != front:
            product, front = 1.0, first
        configuration.apply(step.transition, step.label)
        for word, (old, new) in enumerate(zip(before, configuration.heads)):
            if old != new and new is not None:
                result[word] = confidences[word] / max(product, 1e-12)
        if step.taken:
            product *= step.taken.probability
    return result


def geometric_mean(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """The geometric mean of two confidences of each word."""
    return numpy.sqrt(numpy.multiply(first, second)).tolist()


def shares(trees: Sequence[tuple], heads: Sequence[int], temperature: float) -> list[float]:
    """The share of the trees of a beam that have each of the heads."""
    scores = numpy.asarray([tree[0] for tree in trees]) / temperature
    weights = numpy.exp(scores - scores.max())
    weights /= weights.sum()
    same = numpy.asarray([tree[1] == heads for tree in trees])
    return numpy.minimum(weights @ same, 1).tolist()


def row_of(judged: Judged, way: str) -> list[str]:
    """A row of the table."""
    right = judged.right
    temperature = min(
        TEMPERATURES, key=lambda one: log_loss(judged.confidences[way, one], right)
    )
    sure = judged.confidences[way, temperature]
    return [
        way, f"{temperature:.3f}", f"{100 * calibration_error(sure, right):.2f} %",
        f"{find_auc(sure, right):.3f}", f"{100 * (sure[~right] > SURE).mean():.1f} %",
        f"{100 * find_yield(sure, ~right, numpy.arange(right.size)):.1f} %",
        f"{100 * find_yield(sure, ~right, judged.sentence):.1f} %",
    ]


def find_auc(sure: NDArray, right: NDArray) -> float:
    """How often a right head has more confidence than a wrong one; ties count a half."""
    ranks = rankdata(sure)
    n_right, n_wrong = right.sum(), (~right).sum()
    return float((ranks[right].sum() - n_right * (n_right + 1) / 2) / (n_right * n_wrong))


def find_yield(sure: NDArray, wrong: NDArray, group: NDArray) -> float:
    """The share of all errors that are in the least confident groups, a tenth of the words.

    Args:
        sure: (n_words,).
        wrong: (n_words,) bool.
        group: (n_words,) ints from 0; a group has the mean of the logs of its words.
    """
    size = numpy.bincount(group)
    means = numpy.bincount(group, numpy.log(numpy.maximum(sure, 1e-12))) / size
    order = numpy.argsort(means, kind="stable")
    taken = numpy.cumsum(size[order]) <= LEAST_SURE * sure.size
    return float(wrong[numpy.isin(group, order[taken])].sum() / wrong.sum())


if __name__ == "__main__":
    typer.run(main)

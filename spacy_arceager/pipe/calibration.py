"""Find the temperature of a parser on trees that it was not trained on."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import logger, resolve_dot_names

from ..evaluation.calibration import find_temperature, log_loss
from ..gold.trees import gold_sentences
from .component import ArcEagerParser, find_parser

Watch = Callable[[Iterable[Doc]], Iterable[Doc]]


class Predictions(NamedTuple):
    """What a parser predicted for the words that have a gold head.

    Attributes:
        confidences: how sure the parser was of the head of each word, from 0 to 1.
        right: whether this head is the gold head.
    """

    confidences: list[float]
    right: list[bool]


def calibrate(
    nlp: Language, examples: Sequence[Example], watch: Watch = iter
) -> dict[float, Predictions]:
    """Set the temperature of a pipeline's parser to the one with the lowest log loss.

    The config of the pipeline gets the temperature, too.

    Args:
        watch: returns the Docs that it gets, for example with a progress bar. It is called for
            each temperature that is tried.

    Returns:
        The predictions at each temperature that was tried.

    Raises:
        ValueError: If there is no arceager_parser, if it builds graphs, or if no word has a gold
            head.
    """
    parser, unused = find_parser(nlp)
    tried: dict[float, Predictions] = {}

    def loss(temperature: float) -> float:
        tried[temperature] = predict(nlp, parser, unused[1:], examples, temperature, watch)
        if not tried[temperature].right:
            raise ValueError("there are no gold heads")
        return log_loss(*tried[temperature])

    parser.temperature = find_temperature(loss)
    nlp.get_pipe_config(unused[0])["temperature"] = parser.temperature
    return tried


def predict(
    nlp: Language,
    parser: ArcEagerParser,
    unused: list[str],
    examples: Sequence[Example],
    temperature: float,
    watch: Watch = iter,
) -> Predictions:
    """Parse with a temperature. unused: names of components that the parser does not need."""
    settings = parser.confidence, parser.temperature
    parser.confidence, parser.temperature = True, temperature
    confidences, right = [], []
    try:
        docs = watch(nlp.pipe((example.predicted.copy() for example in examples), disable=unused))
        for doc, example in zip(docs, examples, strict=True):
            for sentence in gold_sentences(example):
                for word, head in zip(sentence.words.tolist(), sentence.heads.tolist()):
                    sure = doc[word]._.arceager_confidence
                    if head >= 0 and sure is not None:
                        confidences.append(sure)
                        right.append(doc[word].head.i == sentence.words[head])
    finally:
        parser.confidence, parser.temperature = settings
    return Predictions(confidences, right)


def create_calibration() -> Callable[[Language], Language]:
    """A callback for `training.before_to_disk` that calibrates the parser on the dev corpus."""
    return calibrate_on_dev


def calibrate_on_dev(nlp: Language) -> Language:
    """Calibrate on the dev corpus of the pipeline's config. Raises the errors of `calibrate`."""
    config = nlp.config.interpolate()
    (corpus,) = resolve_dot_names(config, [config["training"]["dev_corpus"]])
    tried = calibrate(nlp, list(corpus(nlp)))
    temperature = find_parser(nlp)[0].temperature
    logger.info("The temperature is %.3f, the best of %d", temperature, len(tried))
    return nlp

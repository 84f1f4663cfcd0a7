"""Distillation: a parser learns from several trained parsers, its teachers, and from gold trees.

In each configuration of a training, even after an error of the parser, there are two targets: the
transitions that the oracle prefers, and the mean of the teachers' probabilities (Hinton, Vinyals
and Dean 2015; for parsers Kuncoro et al. 2016; with exploration Liu et al. 2018). The trained
parser is as fast as one without teachers.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy
import spacy
from numpy.typing import NDArray
from spacy.language import Language
from spacy.training import Example
from thinc.api import Model, NumpyOps

from ..checks import check_shares
from ..network.scoring import get_weights, score_recorded
from ..search.rollout import RollOut
from .component import ArcEagerParser, find_parser

OPS = NumpyOps()
FEATURES = ("words", "attributes")


class Teacher:
    """A trained pipeline with an arceager_parser.

    Raises:
        ValueError: If the pipeline has no arceager_parser.
    """

    def __init__(self, nlp: Language):
        self.nlp = nlp
        self.parser, self.unused = find_parser(nlp)

    def check(self, parser: ArcEagerParser) -> None:
        """Raise ValueError if a parser has other transitions, labels or features."""
        for what, teachers, learners in (
            ("system", self.parser.parameters, parser.parameters),
            ("labels", self.parser.label_data, parser.label_data),
            *((name, features(self.parser, name), features(parser, name)) for name in FEATURES),
        ):
            if teachers != learners:
                raise ValueError(
                    f"A teacher of '{parser.name}' has other {what}: {teachers!r:.200} instead of "
                    f"{learners!r:.200}"
                )
        if self.reads_vectors() and self.nlp.vocab.vectors != parser.vocab.vectors:
            raise ValueError(f"A teacher of '{parser.name}' was trained with other word vectors")

    def reads_vectors(self) -> bool:
        """Whether a layer reads the word vectors of the vocabulary."""
        pipes = [pipe for name, pipe in self.nlp.pipeline if name not in self.unused]
        models = (getattr(pipe, "model", None) for pipe in (*pipes, self.parser))
        return any(
            node.name == "static_vectors"
            for model in models if isinstance(model, Model) for node in model.walk()
        )

    def scores(
        self, examples: Sequence[Example], words: NDArray, rollout: RollOut
    ) -> NDArray[numpy.float32]:
        """The teacher's scores in the configurations of a roll-out, (n_rows, classes).

        Args:
            words: (n_words,) the indices of the parsed words in the batch's token vectors.
        """
        copies = (example.predicted.copy() for example in examples)
        docs = list(self.nlp.pipe(copies, disable=self.unused))
        weights = get_weights(self.parser.model.get_ref("scoring"))
        return score_recorded(weights, self.parser.model.predict(docs)[words], rollout)


class Distillation:
    """A target for learning from teachers.

    Args:
        teachers: parsers with the system, the labels and the features of the parser that learns.
        weight: the weight of the teachers' target. The oracle's target has the weight 1 - weight.

    Raises:
        ValueError: If the weight is not from 0 to 1, or there are no teachers.
    """

    def __init__(self, teachers: Sequence[Teacher], weight: float = 0.8):
        if not teachers:
            raise ValueError("There is no teacher to learn from")
        check_shares(weight=weight)
        self.teachers = list(teachers)
        self.weight = weight

    def check(self, parser: ArcEagerParser) -> None:
        """Raise ValueError if a parser cannot learn from the teachers."""
        if parser.parameters.is_anchored or parser.beam is not None:
            raise ValueError(
                f"'{parser.name}' cannot learn from teachers, because it is trained with a beam or "
                "has an easy-first system. Use greedy training and another system"
            )
        for teacher in self.teachers:
            teacher.check(parser)

    def check_labels(self, name: str, labels: Sequence[str]) -> None:
        """Raise ValueError where labels were added to a parser, or to a teacher, meanwhile."""
        if any(teacher.parser.cfg["labels"] != labels for teacher in self.teachers):
            raise ValueError(
                f"'{name}' has other labels than its teachers. Labels cannot be added to a parser "
                "that learns from teachers: add them to all of them before"
            )

    def gradient(
        self, examples: Sequence[Example], words: NDArray, rollout: RollOut
    ) -> NDArray[numpy.float32]:
        """The gradient of a roll-out's scores, by the oracle's and the teachers' targets.

        Args:
            words: (n_words,) the indices of the parsed words in the batch's token vectors.

        Returns:
            (n_rows, classes), in the shape of `rollout.d_scores`.
        """
        unsure, legal = read_targets(rollout.d_scores)
        predicted = probabilities(rollout.scores[unsure], legal)
        wanted = numpy.mean(
            [probabilities(teacher.scores(examples, words, rollout)[unsure], legal)
             for teacher in self.teachers], axis=0,
        )
        d_scores = (1 - self.weight) * rollout.d_scores
        d_scores[unsure] += self.weight * (predicted - wanted)
        return d_scores


def read_targets(
    d_scores: NDArray[numpy.float32],
) -> tuple[NDArray[numpy.bool_], NDArray[numpy.bool_]]:
    """Read the targets of the oracle from the gradient of its loss.

    The gradient of an optimal class is negative, since the class shall become more probable, and
    that of a costly class is positive. A class whose gradient is 0 is not legal, or so improbable
    that it makes no difference. In a row without a negative gradient the optimal classes have all
    the probability already, so that nothing is left to learn.

    Args:
        d_scores: (n_rows, classes), the gradient.

    Returns:
        (n_rows,) whether a row has something to learn; and for the n rows that have, (n, classes)
        whether a class is legal.
    """
    unsure = numpy.asarray((d_scores < 0).any(axis=1))
    return unsure, d_scores[unsure] != 0


def probabilities(
    scores: NDArray[numpy.float32], legal: NDArray[numpy.bool_]
) -> NDArray[numpy.float32]:
    """The probabilities of the legal classes; all arrays are (n, classes).

    Each row must have a legal class.
    """
    masked = numpy.where(legal, scores, -numpy.inf)
    return OPS.softmax(masked) if len(masked) else masked


def features(parser: ArcEagerParser, name: str) -> Any:
    """The words or the attributes that the features of a parser read."""
    return parser.model.get_ref("scoring").attrs[name]


def learn_from_teachers(
    teachers: Sequence[str], weight: float = 0.8, component: str = "arceager_parser"
) -> Callable[[Language, dict[str, Any]], None]:
    """A callback for `training.before_update` that sets up the distillation at the first update.

    Args:
        teachers: the trained pipelines, by their folders or package names.
        weight: the weight of the teachers' target, see `Distillation`.
        component: the name of the parser that learns.
    """
    def set_up(nlp: Language, args: dict[str, Any]) -> None:
        parser = nlp.get_pipe(component)
        if not isinstance(parser, ArcEagerParser):
            raise ValueError(f"'{component}' is no arceager_parser")
        if parser.distillation is None:
            loaded = [Teacher(spacy.load(name)) for name in teachers]
            distillation = Distillation(loaded, weight)
            distillation.check(parser)
            parser.distillation = distillation

    return set_up

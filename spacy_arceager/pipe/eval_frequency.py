"""A limit to `eval_frequency`, so that even a training of few updates is scored at least twice.

spaCy keeps the weights with the best score, and scores them before the first update and then every
`eval_frequency` updates. If a training has fewer updates than that, only the untrained weights have
a score, and spaCy keeps them as the best.
"""

from collections.abc import Callable

from spacy.language import Language
from spacy.util import logger


def create_limit() -> Callable[[Language], Language]:
    """A callback for `initialize.before_init` that lowers `training.eval_frequency` if needed."""
    return limit_eval_frequency


def limit_eval_frequency(nlp: Language) -> Language:
    """Lower `eval_frequency` in a pipeline's config to half of `max_steps` if it is higher.

    A `max_steps` of 0 means that there is no limit, so nothing changes; nor does `max_epochs`, as
    nobody knows yet how many updates an epoch has.
    """
    training = nlp.config.interpolate()["training"]
    highest = max(1, training["max_steps"] // 2)
    if training["max_steps"] and training["eval_frequency"] > highest:
        logger.info(
            "The training has %d updates, so it is scored every %d, not every %d (eval_frequency)",
            training["max_steps"], highest, training["eval_frequency"],
        )
        nlp.config["training"]["eval_frequency"] = highest
    return nlp

"""A training is scored at least twice after its start, however short it is.

spaCy keeps the state of the best score, and scores every `eval_frequency` updates, the first time
before the first update. Where there are more updates between two scores than in the whole
training, the untrained state is the only one with a score, and so is kept as the best.
"""

from collections.abc import Callable

from spacy.language import Language
from spacy.util import logger


def create_limit() -> Callable[[Language], Language]:
    """A callback for `initialize.before_init`: lowers `training.eval_frequency` where needed."""
    return limit_eval_frequency


def limit_eval_frequency(nlp: Language) -> Language:
    """Lower `eval_frequency` in a pipeline's config to half of `max_steps`, if it is above.

    A `max_steps` of 0 is no limit, and changes nothing.
    """
    training = nlp.config["training"]
    highest = max(1, training["max_steps"] // 2)
    if training["max_steps"] and training["eval_frequency"] > highest:
        logger.info(
            "The training has %d updates, so it is scored every %d, not every %d (eval_frequency)",
            training["max_steps"], highest, training["eval_frequency"],
        )
        training["eval_frequency"] = highest
    return nlp

"""The factories of the components. Importing them teaches `spacy.explain` subtypes of labels.

spaCy imports this module whenever it starts. So the components are imported only when one is made.
"""

from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from thinc.api import Config, Model

from ..annotation.glossary import explain_subtypes
from ..evaluation.scores import default_weights
from ..search.settings import BeamSettings
from ..systems.parameters import SystemParameters
from .settings import Settings, check_architecture

if TYPE_CHECKING:
    from .clearnlp import ClearnlpLabels
    from .component import ArcEagerParser
    from .paragraphs import Paragraphs
    from .supertagger import Supertagger
    from .vector_predictor import VectorPredictor

explain_subtypes()

TOK2VEC = """
[model.tok2vec]
@architectures = "spacy.HashEmbedCNN.v2"
pretrained_vectors = null
width = 96
depth = 4
embed_size = 2000
window_size = 1
maxout_pieces = 3
subword_features = true
"""

DEFAULT_CONFIG = f"""
[system]
@misc = "arceager.arc_eager.v1"
tree_constraint = true

[exploration]
@schedules = "constant.v1"
rate = {Settings.exploration}

[scorer]
@scorers = "arceager.parser_scorer.v1"

[model]
@architectures = "arceager.TransitionModel.v1"
hidden_width = 64
maxout_pieces = 2
{TOK2VEC}"""

SUPERTAGGER_CONFIG = f"""
[model]
@architectures = "spacy.Tagger.v2"
{TOK2VEC}"""

VECTOR_PREDICTOR_CONFIG = f"""
[encoder]
@architectures = "arceager.FrozenEncoder.v1"

[model]
@architectures = "arceager.VectorPredictor.v1"
{TOK2VEC}"""


# The defaults of all settings that are not blocks of the config.
DEFAULTS = {
    field.name: field.default for field in fields(Settings) if field.default is not MISSING
}


@Language.factory(
    "arceager_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={**DEFAULTS, **Config().from_str(DEFAULT_CONFIG)},
    default_score_weights=default_weights(),
)
def make_arceager_parser(
    nlp: Language,
    name: str,
    model: Model,
    system: SystemParameters | str,
    oracle: Any,
    exploration: Any,
    non_projective: str,
    beam: BeamSettings | None,
    threads: int,
    confidence: bool,
    temperature: float,
    valid: str | None,
    scorer: Callable | None,
) -> "ArcEagerParser":
    """Create the component; see `Settings` for the arguments.

    The arguments stand here, too, because spaCy checks configs against them. A system or an oracle
    can also be a name that `arceager info` lists.
    """
    from ..oracles.oracle import Oracle
    from ..systems.catalogue import find_system
    from .component import ArcEagerParser

    return ArcEagerParser(
        nlp.vocab,
        model,
        name,
        system=find_system(system) if isinstance(system, str) else system,
        oracle=Oracle(oracle) if isinstance(oracle, str) else oracle,
        exploration=exploration,
        non_projective=non_projective,
        beam=beam,
        threads=threads,
        confidence=confidence,
        temperature=temperature,
        valid=valid,
        scorer=scorer,
    )


@Language.factory(
    "arceager_supertagger", default_config=dict(Config().from_str(SUPERTAGGER_CONFIG))
)
def make_supertagger(nlp: Language, name: str, model: Model) -> "Supertagger":
    """Create the component. Raises ValueError if its model is not one for spaCy's taggers."""
    from .supertagger import Supertagger

    check_architecture(model, "softmax", name, "architecture such as spacy.Tagger.v2")
    return Supertagger(nlp.vocab, model, name, scorer=None)


@Language.factory(
    "arceager_vector_predictor",
    default_config={"weight": 0.05, **Config().from_str(VECTOR_PREDICTOR_CONFIG)},
)
def make_vector_predictor(
    nlp: Language, name: str, model: Model, encoder: Model, weight: float
) -> "VectorPredictor":
    """Create the component; see VectorPredictor for the arguments."""
    from .vector_predictor import VectorPredictor

    return VectorPredictor(nlp.vocab, model, name, encoder=encoder, weight=weight)


@Language.factory(
    "arceager_clearnlp_labels",
    assigns=["token.dep", "token.head"],
    requires=["token.dep", "token.head", "token.pos", "token.tag"],
    default_config={"keep_ud": False},
)
def make_clearnlp_labels(nlp: Language, name: str, keep_ud: bool) -> "ClearnlpLabels":
    """Create the component; see ClearnlpLabels for the arguments."""
    from .clearnlp import ClearnlpLabels

    return ClearnlpLabels(nlp.vocab, name, keep_ud=keep_ud)


@Language.factory("arceager_paragraphs", assigns=["token.is_sent_start", "doc.sents"])
def make_paragraphs(nlp: Language, name: str) -> "Paragraphs":
    """Create the component."""
    from .paragraphs import Paragraphs

    return Paragraphs(name)

"""The factories `arceager_parser` and `arceager_supertagger`.

spaCy imports this module for its names; the components are imported when one is made.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from thinc.api import Config, Model

from ..search.settings import BeamSettings
from ..systems.parameters import SystemParameters

if TYPE_CHECKING:
    from .component import ArcEagerParser
    from .supertagger import Supertagger

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
rate = 1.0

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


@Language.factory(
    "arceager_parser",
    assigns=["token.dep", "token.head", "token.is_sent_start", "doc.sents"],
    default_config={
        "oracle": None,
        "non_projective": "projectivize",
        "beam": None,
        "threads": 1,
        "confidence": False,
        "temperature": 1.0,
        **Config().from_str(DEFAULT_CONFIG),
    },
    default_score_weights={
        "dep_uas": 0.5,
        "dep_las": 0.5,
        "dep_las_per_type": None,
        "dep_uas_ud": 0.0,
        "dep_las_ud": 0.0,
        "dep_las_full": 0.0,
        "dep_exact": 0.0,
        "dep_multiple_roots": None,
        "dep_nonproj_recall": None,
        "dep_elas": None,
        "dep_eulas": None,
        "dep_graph_crossing_recall": None,
        "sents_p": None,
        "sents_r": None,
        "sents_f": 0.0,
    },
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
    scorer: Callable | None,
) -> "ArcEagerParser":
    """Create the component; see ArcEagerParser for the arguments.

    A system or an oracle may also be a name, as `arceager info` lists them.
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
        scorer=scorer,
    )


@Language.factory(
    "arceager_supertagger", default_config=dict(Config().from_str(SUPERTAGGER_CONFIG))
)
def make_supertagger(nlp: Language, name: str, model: Model) -> "Supertagger":
    """Create the component; its model is that of one of spaCy's taggers."""
    from .supertagger import Supertagger

    return Supertagger(nlp.vocab, model, name, scorer=None)

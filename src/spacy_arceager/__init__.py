"""Transition-based dependency parsing for spaCy.

`load` gives a pipeline that comes with the package; `nlp.add_pipe("arceager_parser")`
adds the parser to one of yours. The machine behind it is in `TransitionSystem` and
`Oracle`. Names are imported when they are first used, so that spaCy, which looks at every
plugin when it starts, does not wait for this one.
"""

from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language

__version__ = version("spacy_arceager")

PIPELINES = Path(__file__).parent / "pipelines"
SHIPPED = {"en": "en", "en_ewt_arceager": "en"}
_HOMES = {
    "ArcEagerParser": "pipe.component",
    "TransitionSystem": "machine.system",
    "Configuration": "machine.system",
    "Oracle": "oracles.oracle",
    "find_system": "systems.catalogue",
    **dict.fromkeys(
        (
            "SystemParameters", "arc_eager", "arc_hybrid", "arc_standard", "attardi",
            "custom_system", "dag", "easy_first",
        ),
        "systems",
    ),
}


def load(name: str = "en", **kwargs: Any) -> "Language":
    """Load a pipeline.

    Args:
        name: one that comes with the package ("en"), an installed pipeline or a path.
        kwargs: as for `spacy.load`, for example exclude=["senter"].

    Raises:
        OSError: If there is no such pipeline.
    """
    import spacy

    return spacy.load(PIPELINES / SHIPPED[name] if name in SHIPPED else name, **kwargs)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


__all__ = ["__version__", "load", *_HOMES]  # noqa: PLE0604 (the keys are strings)

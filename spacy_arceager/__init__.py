"""Transition-based dependency parsing for spaCy.

`load` loads a pipeline that comes with the package. `nlp.add_pipe("arceager_parser")` adds the
parser to a pipeline of yours. `TransitionSystem` and `Oracle` are the machine behind the parser.
Names are imported when they are first used, because spaCy imports every plugin when it starts.
"""

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

PACKAGE = Path(__file__).parent
if not any((PACKAGE / "machine" / f"system{suffix}").exists() for suffix in EXTENSION_SUFFIXES):
    raise ImportError(
        f"{PACKAGE} is a source tree that is not built for this Python, and it hides any "
        f"spacy_arceager that is installed. Build it with "
        f"`pip install -e {PACKAGE.parent}`, or start Python in another folder."
    )

from importlib import import_module  # noqa: E402
from importlib.metadata import version  # noqa: E402
from typing import TYPE_CHECKING, Any  # noqa: E402

if TYPE_CHECKING:
    from spacy.language import Language

__version__ = version("spacy_arceager")

PIPELINES = PACKAGE / "pipelines"
SHIPPED = {"en": "en", "en_arceager_sm": "en"}
RELEASED = ("arceager_sm", "arceager_enc")      # a language's packages end in it
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
        name: "en", another language whose package LANG_arceager_sm or LANG_arceager_enc is
            installed (of both the first), the name of an installed pipeline, or a path. "en" comes
            with the package and has sentences, tags, lemmas and UD trees, but no entities and no
            vectors.
        kwargs: as for `spacy.load`, for example exclude=["senter"].

    Raises:
        OSError: If there is no such pipeline.
    """
    import spacy

    if name in SHIPPED:
        return spacy.load(PIPELINES / SHIPPED[name], **kwargs)
    packages = [f"{name}_{kind}" for kind in RELEASED]
    for package in packages:
        if spacy.util.is_package(package):
            return spacy.load(package, **kwargs)
    folder = Path(spacy.__file__).parent / "lang" / name
    is_language = (folder / "__init__.py").exists() or name in spacy.registry.languages
    if is_language and not Path(name).exists():
        raise OSError(
            f"There is no pipeline for '{name}': only 'en' comes with spacy_arceager, and "
            f"neither {' nor '.join(packages)} is installed. To train one, begin with "
            f"`arceager init-config config.cfg --lang {name}`."
        )
    return spacy.load(name, **kwargs)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


__all__ = ["__version__", "load", *_HOMES]  # noqa: PLE0604 (the keys are strings)

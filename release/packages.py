"""The packages that are released: a language and a kind of pipeline each."""

from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

from .languages import Language, read_languages

VERSION = version("spacy_arceager")

# Small tables make a small package.
SETTINGS = {
    "training.patience": 1500,
    "training.eval_frequency": 250,
    "components.tok2vec.model.embed.rows": [3000, 750, 1500, 1000, 50],
    "components.tok2vec.model.embed.ngram_rows": 5000,
    "components.tok2vec.model.embed.affix_rows": 500,
}
EMBED = "components.tok2vec.model.embed"


def under_word(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings for a config whose embedding mixes that of words with another."""
    return {name.replace(EMBED, f"{EMBED}.word"): value for name, value in settings.items()}


class Kind(NamedTuple):
    """What the pipelines of a kind have in common.

    Attributes:
        name: the names of packages end in it.
        optimize: for `arceager init-config`.
        settings: in which the config differs from what `init-config` writes.
        largest: how many bytes a wheel may have.
        about: what a pipeline of this kind is, for its model card.
        limits: what it cannot do, beside what none can.
        requirements: what its package asks for beside this one and spaCy.
        encoder: what the pretrained encoder is to it, for its model card.
    """

    name: str
    optimize: str
    settings: Mapping[str, Any]
    largest: int
    about: str
    limits: tuple[str, ...] = ()
    requirements: tuple[str, ...] = ()
    encoder: str = ""

    @property
    def has_encoder(self) -> bool:
        """Whether a pretrained encoder is inside."""
        return self.optimize == "encoder"


SMALL = Kind(
    "arceager_sm", "balanced", SETTINGS, 6_000_000, "for a CPU",
    ("It knows no words but those of its treebank.",),
    encoder="from which the token vectors have learnt",
)
ENCODER = Kind(
    "arceager_enc", "encoder", under_word(SETTINGS), 30_000_000,
    "over a pretrained encoder, for a CPU", (), ("spacy_arceager[encoder]",),
    "its first layers, with 8-bit weights",
)
KINDS = {kind.name.rpartition("_")[2]: kind for kind in (SMALL, ENCODER)}


class Package(NamedTuple):
    """A pipeline of a kind for a language."""

    language: Language
    kind: Kind

    @property
    def name(self) -> str:
        """The name by which `spacy.load` finds it."""
        return f"{self.language.code}_{self.kind.name}"

    def describe_encoder(self) -> dict[str, str]:
        """The pretrained encoder that it is made with, for its model card."""
        return {
            "name": f"multilingual-e5-small, {self.kind.encoder}",
            "url": "https://huggingface.co/intfloat/multilingual-e5-small",
            "license": "MIT",
            "author": "Liang Wang, Nan Yang, Xiaolong Huang and others",
        }


def find_packages(codes: str, kinds: str) -> list[Package]:
    """The packages of some languages and kinds; ends the program for one that has no row.

    Args:
        codes: of languages, with commas; empty for all.
        kinds: of KINDS, with commas.
    """
    unknown = sorted({*kinds.split(",")} - {*KINDS})
    if unknown:
        raise SystemExit(f"There are the kinds {', '.join(KINDS)}, and no {', '.join(unknown)}")
    rows = read_languages(codes)
    return [Package(row, KINDS[kind]) for kind in kinds.split(",") for row in rows]

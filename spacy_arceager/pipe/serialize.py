"""Saving and loading a parser.

Nothing that is loaded is believed: first all of it is read and checked, then the parser
changes. What is refused leaves it as it was.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, fields
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import srsly
from spacy import util
from spacy.vocab import Vocab
from thinc.api import Model

from ..errors import ModelMismatchError, TruncatedModelError
from ..machine.system import TransitionSystem
from ..network.scoring import renew_scoring
from ..systems.parameters import SystemParameters
from .labels import check_labels
from .saved_model import check_model, read_model

if TYPE_CHECKING:
    from .component import ArcEagerParser

FORMAT = 2      # of saved parsers; 1 had no checksums
PARTS = ("cfg", "vocab", "model")
CFG_KEYS = {"labels", "format", "system", "checksums"}


def to_bytes(parser: "ArcEagerParser", exclude: Iterable[str]) -> bytes:
    """See `ArcEagerParser.to_bytes`."""
    model = b"" if "model" in exclude else parser.model.to_bytes()
    parts: dict[str, Callable[[], bytes]] = {
        "cfg": lambda: srsly.json_dumps(make_cfg(parser, model)).encode("utf8"),
        "vocab": lambda: parser.vocab.to_bytes(exclude=exclude),
        "model": lambda: model,
    }
    return util.to_bytes(parts, exclude)


def to_disk(parser: "ArcEagerParser", path: str | Path, exclude: Iterable[str]) -> None:
    """See `ArcEagerParser.to_disk`."""
    model = b"" if "model" in exclude else parser.model.to_bytes()
    writers: dict[str, Callable[[Path], Any]] = {
        "cfg": lambda p: srsly.write_json(p, make_cfg(parser, model)),
        "vocab": lambda p: parser.vocab.to_disk(p, exclude=exclude),
        "model": lambda p: p.write_bytes(model),
    }
    util.to_disk(path, writers, exclude)


def from_bytes(parser: "ArcEagerParser", data: bytes, exclude: Collection[str]) -> None:
    """See `ArcEagerParser.from_bytes`."""
    try:
        saved = srsly.msgpack_loads(data)
        known = isinstance(saved, dict) and set(saved) <= set(PARTS)
        if not known or not all(isinstance(part, (bytes, str)) for part in saved.values()):
            raise ValueError(f"it has no parts {', '.join(PARTS)}")
    except Exception as error:
        raise truncated(parser, error) from error
    parts = {name: part for name, part in saved.items() if name not in exclude}
    vocab = parts.pop("vocab", None)
    read_vocab = None
    if vocab is not None:
        def read_vocab(own: Vocab) -> None:
            own.from_bytes(vocab, exclude=exclude)
    load(parser, parts, read_vocab, exclude)


def from_disk(parser: "ArcEagerParser", path: str | Path, exclude: Collection[str]) -> None:
    """See `ArcEagerParser.from_disk`."""
    folder: Path = util.ensure_path(path)
    parts = {
        name: (folder / name).read_bytes() for name in ("cfg", "model") if name not in exclude
    }
    read_vocab = None
    if "vocab" not in exclude:
        def read_vocab(own: Vocab) -> None:
            own.from_disk(folder / "vocab", exclude=exclude)
    try:
        load(parser, parts, read_vocab, exclude)
    except TruncatedModelError as error:
        raise TruncatedModelError(f"{error}, in {folder}") from error


def load(
    parser: "ArcEagerParser",
    parts: Mapping[str, bytes],
    read_vocab: Callable[[Vocab], None] | None,
    exclude: Collection[str],
) -> None:
    """Check saved parts, then change the parser.

    Args:
        parts: "cfg" and "model", or one of them.
        read_vocab: None where it is left as it is.

    Raises:
        TruncatedModelError: For data that is cut short or no saved parser.
        ModelMismatchError: For a parser that is damaged, or another than this one.
    """
    try:
        cfg = srsly.json_loads(parts["cfg"]) if "cfg" in parts else None
        message = read_model(parts["model"]) if "model" in parts else None
        if read_vocab is not None:
            read_vocab(Vocab())
    except FileNotFoundError:
        raise
    except Exception as error:
        raise truncated(parser, error) from error
    labels = parser.cfg["labels"]
    if cfg is not None:
        labels = read_cfg(parser, cfg, parts.get("model"), "model" in exclude)
    system = TransitionSystem(parser.parameters, labels)
    if message is not None:
        check_model(
            parser.model, message, len(labels), system.n_classes, parser.features_of_system
        )
    else:
        check_counts(parser, len(labels), system.n_classes)
    replace(parser, labels, message)
    if read_vocab is not None:
        read_vocab(parser.vocab)


def replace(parser: "ArcEagerParser", labels: list[str], message: dict | None) -> None:
    """Give a parser other labels, and weights if there are any: both or, where a layer of
    another package cannot read its own, none.

    Raises:
        ModelMismatchError: Where the weights are of another model.
    """
    parser.n_updates = 0
    old_labels, old_scoring = parser.cfg["labels"], parser.model.get_ref("scoring")
    if message is None:
        parser.set_labels(labels)
        return
    old = [NodeState(node) for node in parser.model.walk()]
    try:
        renew_scoring(parser.model)
        parser.set_labels(labels)
        parser.model.from_dict(message)
    except Exception as error:
        parser.model.replace_node(parser.model.get_ref("scoring"), old_scoring)
        for state in old:
            state.restore()
        parser.set_labels(old_labels)
        raise ModelMismatchError(
            f"'{parser.name}' was saved with another model: {error}. Load it with the config "
            "it was trained with"
        ) from error


class NodeState:
    """What thinc replaces in a layer when it loads one."""

    def __init__(self, node: Model):
        self.node, self.name, self.attrs = node, node.name, dict(node.attrs)
        self.dims = {name: node.maybe_get_dim(name) for name in node.dim_names}
        self.params = {name: node.maybe_get_param(name) for name in node.param_names}

    def restore(self) -> None:
        """Give the layer back what it had."""
        node = self.node
        node.name = self.name
        node.attrs.clear()
        node.attrs.update(self.attrs)
        for name in self.params:
            node.set_param(name, None)      # or dimensions could not change
        for name, size in self.dims.items():
            node.set_dim(name, cast(int, size), force=True)     # None unsets it
        for name, value in self.params.items():
            node.set_param(name, value)


def make_cfg(parser: "ArcEagerParser", model: bytes | None) -> dict[str, Any]:
    """Labels, format, control parameters and checksums of them and of the saved model."""
    system = srsly.json_loads(srsly.json_dumps(asdict(parser.parameters)))
    cfg = {"labels": parser.cfg["labels"], "format": FORMAT, "system": system}
    return {**cfg, "checksums": make_checksums(cfg, model)}


def make_checksums(cfg: Mapping[str, Any], model: bytes | None) -> dict[str, str]:
    """Checksums of the configuration and, where there is one, of the model."""
    own = srsly.json_dumps(cfg, sort_keys=True).encode("utf8")
    parts = {"cfg": own, "model": model}
    return {
        name: blake2b(part, digest_size=16).hexdigest() for name, part in parts.items() if part
    }


def read_cfg(
    parser: "ArcEagerParser", cfg: Any, model: bytes | None, without_model: bool
) -> list[str]:
    """The labels of a saved cfg that fits the parser.

    Args:
        model: saved with it; None where there is none, or `without_model` where none is loaded.

    Raises:
        TruncatedModelError: For what is no cfg.
        ModelMismatchError: For the cfg of another parser, or of a newer version.
    """
    if not isinstance(cfg, dict) or not {"labels", "format", "system"} <= set(cfg) <= CFG_KEYS:
        raise truncated(parser, "its cfg has not labels, format and system")
    form, checksums = cfg["format"], cfg.pop("checksums", None)
    if type(form) is not int or form < 1:
        raise truncated(parser, f"its format is {form!r}")
    if form > FORMAT:
        raise ModelMismatchError(
            f"'{parser.name}' was saved by a newer version of spacy_arceager (format "
            f"{form}, this one reads {FORMAT}); update spacy_arceager"
        )
    if form > 1 or checksums is not None:
        check_sums(parser, cfg, checksums, model, without_model)
    check_system(parser, cfg["system"])
    try:
        return check_labels(cfg["labels"], parser.name, parser.parameters.graph)
    except ValueError as error:
        raise ModelMismatchError(str(error)) from error


def check_sums(
    parser: "ArcEagerParser",
    cfg: Mapping[str, Any],
    saved: Any,
    model: bytes | None,
    without_model: bool,
) -> None:
    """Raise ModelMismatchError where a part is not what was saved."""
    expected, found = make_checksums(cfg, model), saved if isinstance(saved, dict) else {}
    parts = ["cfg"] if without_model else ["cfg", "model"]
    different = [name for name in parts if found.get(name) != expected.get(name)]
    if different:
        raise ModelMismatchError(
            f"'{parser.name}' cannot be loaded: the checksum of {' and '.join(different)} is "
            "another than when it was saved. The data is damaged, was changed, or cfg and "
            "model are of different parsers; save the parser again or take another copy"
        )


def check_system(parser: "ArcEagerParser", saved: Any) -> None:
    """Raise ModelMismatchError where the saved parser had another system."""
    mine = srsly.json_loads(srsly.json_dumps(asdict(parser.parameters)))
    if not isinstance(saved, dict) or not set(saved) <= set(mine):
        raise truncated(parser, "its cfg has no system")
    # Parameters that came later than the saved parser have their defaults.
    saved = {**{f.name: f.default for f in fields(SystemParameters)}, **saved}
    different = [key for key in mine if saved[key] != mine[key]]
    if different:
        raise ModelMismatchError(
            f"'{parser.name}' was trained with another transition system: "
            + ", ".join(f"{k}={saved[k]}, not {mine[k]}" for k in different)
            + "; load it with the config it was trained with"
        )


def check_counts(parser: "ArcEagerParser", n_labels: int, n_classes: int) -> None:
    """Raise ModelMismatchError where weights that stay do not fit the labels that are loaded."""
    scoring = parser.model.get_ref("scoring")
    counts = scoring.attrs["n_labels"], scoring.attrs["n_classes"]
    if scoring.has_param("upper_W") and counts != (n_labels, n_classes):
        raise ModelMismatchError(
            f"'{parser.name}' is to have {n_labels} labels ({n_classes} classes), but its "
            f"model scores {counts[0]} ({counts[1]}); load labels and model together"
        )


def truncated(parser: "ArcEagerParser", problem: object) -> TruncatedModelError:
    """The error for data that is no whole saved parser."""
    return TruncatedModelError(
        f"'{parser.name}' cannot be loaded: the data is cut short or not a saved parser "
        f"({problem})"
    )

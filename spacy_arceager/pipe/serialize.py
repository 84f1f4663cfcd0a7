"""Saving and loading a parser.

All data is read and checked before the parser changes. So data that is refused leaves the parser as
it was.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import srsly
from spacy import util
from spacy.vocab import Vocab
from thinc.api import Model

from ..errors import ModelMismatchError, TruncatedModelError
from ..machine.system import TransitionSystem
from ..systems.parameters import SystemParameters
from .saved_model import check_model, read_model
from .settings import check_labels

FORMAT = 2      # the format of saved parsers; format 1 had no checksums
PARTS = ("cfg", "vocab", "model")
CFG_KEYS = {"labels", "format", "system", "checksums"}


@dataclass(frozen=True)
class SavedParts:
    """The parts of a parser that are saved, and that a saved parser must fit.

    Attributes:
        features_of_system: which attributes of the model come from the system, see `check_model`.
    """

    name: str
    parameters: SystemParameters
    labels: list[str]
    model: Model
    vocab: Vocab
    features_of_system: Collection[str]


@dataclass(frozen=True)
class Loaded:
    """The parts of a saved parser, read and checked.

    Attributes:
        weights: the model as thinc's dict; None if the weights do not change.
        read_vocab: reads the saved vocabulary into another one; None if it does not change.
    """

    labels: list[str]
    weights: dict[str, Any] | None
    read_vocab: Callable[[Vocab], None] | None


def to_bytes(parser: SavedParts, exclude: Iterable[str]) -> bytes:
    """See `ArcEagerParser.to_bytes`."""
    model = b"" if "model" in exclude else parser.model.to_bytes()
    parts: dict[str, Callable[[], bytes]] = {
        "cfg": lambda: srsly.json_dumps(make_cfg(parser, model)).encode("utf8"),
        "vocab": lambda: parser.vocab.to_bytes(exclude=exclude),
        "model": lambda: model,
    }
    return util.to_bytes(parts, exclude)


def to_disk(parser: SavedParts, path: str | Path, exclude: Iterable[str]) -> None:
    """See `ArcEagerParser.to_disk`."""
    model = b"" if "model" in exclude else parser.model.to_bytes()
    writers: dict[str, Callable[[Path], Any]] = {
        "cfg": lambda p: srsly.write_json(p, make_cfg(parser, model)),
        "vocab": lambda p: parser.vocab.to_disk(p, exclude=exclude),
        "model": lambda p: p.write_bytes(model),
    }
    util.to_disk(path, writers, exclude)


def read_bytes(parser: SavedParts, data: bytes, exclude: Collection[str]) -> Loaded:
    """Read and check the data of `to_bytes`. Raises the errors of `read_parts`."""
    try:
        saved = srsly.msgpack_loads(data)
        known = isinstance(saved, dict) and set(saved) <= set(PARTS)
        if not known or not all(isinstance(part, (bytes, str)) for part in saved.values()):
            raise ValueError(f"it has no parts {', '.join(PARTS)}")
    except Exception as error:
        raise truncated(parser.name, error) from error
    parts = {name: part for name, part in saved.items() if name not in exclude}
    saved_vocab = parts.pop("vocab", None)
    read_vocab = None
    if saved_vocab is not None:
        def read_vocab(vocab: Vocab) -> None:
            vocab.from_bytes(saved_vocab, exclude=exclude)
    return read_parts(parser, parts, read_vocab, exclude)


def read_disk(parser: SavedParts, path: str | Path, exclude: Collection[str]) -> Loaded:
    """Read and check the files of `to_disk`. Raises the errors of `read_parts`."""
    folder: Path = util.ensure_path(path)
    parts = {
        name: (folder / name).read_bytes() for name in ("cfg", "model") if name not in exclude
    }
    read_vocab = None
    if "vocab" not in exclude:
        def read_vocab(vocab: Vocab) -> None:
            vocab.from_disk(folder / "vocab", exclude=exclude)
    try:
        return read_parts(parser, parts, read_vocab, exclude)
    except TruncatedModelError as error:
        raise TruncatedModelError(f"{error}, in {folder}") from error


def read_parts(
    parser: SavedParts,
    parts: Mapping[str, bytes],
    read_vocab: Callable[[Vocab], None] | None,
    exclude: Collection[str],
) -> Loaded:
    """Read and check saved parts, without changing the parser.

    Args:
        parts: the data of "cfg" and "model", or of one of them.
        read_vocab: see `Loaded`.

    Raises:
        TruncatedModelError: If the data is cut short or is not a saved parser.
        ModelMismatchError: If the saved parser is damaged, or differs from this one.
    """
    try:
        cfg = srsly.json_loads(parts["cfg"]) if "cfg" in parts else None
        weights = read_model(parts["model"]) if "model" in parts else None
        if read_vocab is not None:
            read_vocab(Vocab())
    except FileNotFoundError:
        raise
    except Exception as error:
        raise truncated(parser.name, error) from error
    labels = parser.labels
    if cfg is not None:
        labels = read_cfg(parser, cfg, parts.get("model"), "model" in exclude)
    system = TransitionSystem(parser.parameters, labels)
    if weights is not None:
        check_model(
            parser.model, weights, len(labels), system.n_classes, parser.features_of_system
        )
    else:
        check_counts(parser, len(labels), system.n_classes)
    return Loaded(labels, weights, read_vocab)


def remember_model(model: Model) -> Callable[[], None]:
    """Remember the state of all layers of a model. What is returned restores it."""
    scoring = model.get_ref("scoring")
    restore_layers = [remember_layer(node) for node in model.walk()]

    def restore() -> None:
        model.replace_node(model.get_ref("scoring"), scoring)
        for restore_layer in restore_layers:
            restore_layer()

    return restore


def remember_layer(node: Model) -> Callable[[], None]:
    """Remember the state of a layer, as far as thinc changes it when it loads weights."""
    old_name, attrs = node.name, dict(node.attrs)
    dims = {name: node.maybe_get_dim(name) for name in node.dim_names}
    params = {name: node.maybe_get_param(name) for name in node.param_names}

    def restore() -> None:
        node.name = old_name
        node.attrs.clear()
        node.attrs.update(attrs)
        for name in params:
            node.set_param(name, None)      # with parameters, dimensions could not change
        for name, size in dims.items():
            node.set_dim(name, cast(int, size), force=True)     # None removes the size
        for name, value in params.items():
            node.set_param(name, value)

    return restore


def make_cfg(parser: SavedParts, model: bytes | None) -> dict[str, Any]:
    """The cfg to save: labels, format, system, and the checksums of these and of the model."""
    system = srsly.json_loads(srsly.json_dumps(asdict(parser.parameters)))
    cfg = {"labels": parser.labels, "format": FORMAT, "system": system}
    return {**cfg, "checksums": make_checksums(cfg, model)}


def make_checksums(cfg: Mapping[str, Any], model: bytes | None) -> dict[str, str]:
    """The checksums of the cfg and of the model, if there is one."""
    parts = {"cfg": srsly.json_dumps(cfg, sort_keys=True).encode("utf8"), "model": model}
    return {
        name: blake2b(part, digest_size=16).hexdigest() for name, part in parts.items() if part
    }


def read_cfg(
    parser: SavedParts, cfg: Any, model: bytes | None, without_model: bool
) -> list[str]:
    """Check a saved cfg, and return its labels.

    Args:
        model: the model that was saved with it; None if there is none.
        without_model: whether the model is not loaded, so that its checksum does not matter.

    Raises:
        TruncatedModelError: If it is no cfg of a parser.
        ModelMismatchError: If it belongs to another parser, or comes from a newer version.
    """
    if not isinstance(cfg, dict) or not {"labels", "format", "system"} <= set(cfg) <= CFG_KEYS:
        raise truncated(parser.name, "its cfg lacks labels, format or system")
    form, checksums = cfg["format"], cfg.pop("checksums", None)
    if type(form) is not int or form < 1:
        raise truncated(parser.name, f"its format is {form!r}")
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
    parser: SavedParts,
    cfg: Mapping[str, Any],
    saved: Any,
    model: bytes | None,
    without_model: bool,
) -> None:
    """Raise ModelMismatchError if the data of a part has changed since it was saved."""
    expected, stored = make_checksums(cfg, model), saved if isinstance(saved, dict) else {}
    parts = ["cfg"] if without_model else ["cfg", "model"]
    different = [name for name in parts if stored.get(name) != expected.get(name)]
    if different:
        raise ModelMismatchError(
            f"'{parser.name}' cannot be loaded: the checksum of {' and '.join(different)} is not "
            "the saved one. The data is damaged or was changed, or cfg and model come from "
            "different parsers. Save the parser again, or take another copy"
        )


def check_system(parser: SavedParts, saved: Any) -> None:
    """Raise ModelMismatchError if the saved parser has another system."""
    current = srsly.json_loads(srsly.json_dumps(asdict(parser.parameters)))
    if not isinstance(saved, dict) or not set(saved) <= set(current):
        raise truncated(parser.name, "its cfg has no system")
    # Parameters that did not exist when the parser was saved have their defaults.
    saved = {**{f.name: f.default for f in fields(SystemParameters)}, **saved}
    different = [key for key in current if saved[key] != current[key]]
    if different:
        raise ModelMismatchError(
            f"'{parser.name}' was trained with another transition system: "
            + ", ".join(f"{k}={saved[k]}, not {current[k]}" for k in different)
            + "; load it with the config it was trained with"
        )


def check_counts(parser: SavedParts, n_labels: int, n_classes: int) -> None:
    """Raise ModelMismatchError if labels are loaded that do not fit the current weights."""
    scoring = parser.model.get_ref("scoring")
    counts = scoring.attrs["n_labels"], scoring.attrs["n_classes"]
    if scoring.has_param("upper_W") and counts != (n_labels, n_classes):
        raise ModelMismatchError(
            f"'{parser.name}' would get {n_labels} labels ({n_classes} classes), but its model "
            f"scores {counts[0]} labels ({counts[1]} classes). Load labels and model together"
        )


def truncated(name: str, problem: object) -> TruncatedModelError:
    """The error for data that is not a complete saved parser."""
    return TruncatedModelError(
        f"'{name}' cannot be loaded: the data is cut short, or is not a saved parser "
        f"({problem})"
    )

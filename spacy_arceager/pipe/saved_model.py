"""Check that a saved model fits the model that it is loaded into, before any weight changes.

The checks are needed because thinc accepts any attribute and any array, and the C code does not
check sizes.
"""

from collections.abc import Collection, Iterator, Mapping
from numbers import Real
from typing import Any

import numpy
import srsly
from thinc.api import Model
from thinc.model import deserialize_attr, serialize_attr

from ..errors import ModelMismatchError
from ..kernels.model_cache import UpdateCount
from ..network.features import compile_attributes, compile_words
from ..network.weights import PARAMS, Dimensions

MODEL_PARTS = ("nodes", "attrs", "params", "shims")
# The dimensions of a layer's parameters. The first entry counts whose dimensions the layer has.
LAYOUTS: dict[str, list[tuple[str, ...]]] = {
    "W": [("nG", "nO", "nI"), ("nO", "nP", "nI"), ("nO", "nI"), ("nO", "nM")],
    "b": [("nG", "nO"), ("nO", "nP"), ("nO",)],
    "G": [("nI",)],
    "E": [("nV", "nO")],
}


def read_model(data: bytes) -> dict[str, Any]:
    """A saved model as thinc's dict, with half floats made float32.

    Raises:
        ValueError: If the data is no model.
    """
    message = srsly.msgpack_loads(data)
    if not isinstance(message, dict) or set(message) != set(MODEL_PARTS):
        raise ValueError(f"a model has the parts {', '.join(MODEL_PARTS)}")
    if not all(isinstance(message[part], list) for part in MODEL_PARTS):
        raise ValueError("a part of the model is not a list")
    if not all(isinstance(params, dict) for params in message["params"]):
        raise ValueError("the parameters of a layer have no names")
    for params in message["params"]:
        params.update(
            (name, value.astype(numpy.float32)) for name, value in params.items()
            if isinstance(value, numpy.ndarray) and value.dtype == numpy.float16
        )
    return message


def check_model(
    model: Model,
    message: Mapping[str, Any],
    n_labels: int,
    n_classes: int,
    features_of_system: Collection[str],
) -> None:
    """Raise ModelMismatchError if a saved model does not fit.

    The number and names of its layers, their references, dimensions and attributes must be those of
    the model. The type and shape of each parameter of thinc's and our own layers must follow from
    the dimensions.

    Args:
        model: the model that the saved one is loaded into.
        message: the saved model as thinc's dict.
        features_of_system: which of the attributes "words" and "attributes" come from the system
            and not from the config. These may differ, because another version may choose other
            features for the same system. The features of the saved model are used.
    """
    nodes = list(model.walk())
    for part in MODEL_PARTS:
        demand(len(message[part]) == len(nodes), f"{len(message[part])} {part}", len(nodes))
    index = {node.id: i for i, node in enumerate(nodes)}
    saved_attrs = []
    for node, *saved in zip(nodes, *(message[part] for part in MODEL_PARTS)):
        info, attrs, params, shims = saved      # in the order of MODEL_PARTS
        check_node(node, info, index)
        free = features_of_system if node.name == model.get_ref("scoring").name else ()
        saved_attrs.append(read_attrs(node, attrs, free))
        check_params(node, params, info["dims"])
        # An UpdateCount has no data, and models of earlier versions do not have it.
        with_data = [shim for shim in node.shims if not isinstance(shim, UpdateCount)]
        demand(
            isinstance(shims, list) and len(shims) in (len(with_data), len(node.shims))
            and all(isinstance(shim, bytes) for shim in shims),
            f"shims of '{node.name}'", len(node.shims),
        )
    place = index[model.get_ref("scoring").id]
    params, dims = message["params"][place], message["nodes"][place]["dims"]
    attrs = saved_attrs[place]
    missing = [value is None for of_layer in message["params"] for value in of_layer.values()]
    if all(value is None for value in params.values()):
        return      # the model was saved before it was initialised
    demand(not any(missing), f"{sum(missing)} parameters without weights", 0)
    demand(None not in dims.values(), "no width of its input", "one")
    for name, count in (("n_labels", n_labels), ("n_classes", n_classes)):
        demand(attrs[name] == count, f"{name}={attrs[name]!r}", count)
    width = message["nodes"][index[model.get_ref("encoder").id]]["dims"].get("nO")
    demand(width in (None, dims["nI"]), f"token vectors of width {width}", dims["nI"])
    try:
        Dimensions(
            tuple(compile_words(attrs["words"])),
            tuple(compile_attributes(attrs["attributes"])),
            dims["nI"],
            dims["nH"],
            dims["nP"],
            n_labels,
            n_classes,
        ).check(params)
    except ValueError as error:
        demand(False, f"parameters that do not fit ({error})", "others")


def demand(holds: bool, actual: object, expected: object) -> None:
    """Raise ModelMismatchError unless `holds` is true."""
    if not holds:
        raise ModelMismatchError(
            f"The saved model has {actual}; expected: {expected}. It is damaged, or of a parser "
            "with another config, other labels or another system: load labels and model "
            "together, with the config they were trained with"
        )


def check_node(node: Model, info: Any, index: Mapping[int, int]) -> None:
    """Check the name, dimensions and references of a layer.

    index: the indices of all layers by their ids.
    """
    keys = {"index", "name", "dims", "refs"}
    demand(isinstance(info, dict) and keys == set(info), f"a layer '{node.name}'", keys)
    name, dims, refs = info["name"], info["dims"], info["refs"]
    demand(isinstance(name, str), f"a layer called {name!r}", node.name)
    demand(isinstance(dims, dict) and isinstance(refs, dict), f"'{name}'", node.name)
    demand(set(dims) == set(node.dim_names), f"{name}: {sorted(dims)}", node.dim_names)
    for dim, size in dims.items():
        demand(size is None or (type(size) is int and size > 0), f"{name}.{dim}={size!r}", "1...")
        expected = node.get_dim(dim) if node.has_dim(dim) else None
        demand(None in (size, expected) or size == expected, f"{name}.{dim}={size!r}", expected)
    # spaCy's replace_listeners copies layers without their references, so they may be missing.
    is_copied = not refs and index[node.id] > 0
    demand(is_copied or set(refs) == set(node.ref_names), f"{name}: {sorted(refs)}", node.ref_names)
    for ref, place in refs.items():
        expected = index[node.get_ref(ref).id] if node.has_ref(ref) else None
        demand(place == expected, f"{name}.{ref}={place!r}", expected)


def read_attrs(node: Model, saved: Any, free: Collection[str]) -> dict[str, Any]:
    """Read and check the saved attributes of a layer. free: names of lists that may differ."""
    expected = dict(saveable_attrs(node))
    complete = isinstance(saved, dict) and expected.keys() <= set(saved)
    demand(complete, f"other attributes of '{node.name}'", list(expected))
    values = {}
    for name, value in saved.items():
        try:
            values[name] = deserialize_attr(node.attrs.get(name), value, name, node)
        except Exception:  # noqa: BLE001 (msgpack or a layer's own reader may raise any error)
            demand(False, f"{node.name}.{name} that cannot be read", "an attribute")
        if name in expected and value != expected[name]:
            current = node.attrs[name]
            loaded = values[name]
            right = is_strings(loaded) if name in free else fits(name, current, loaded)
            demand(right, f"{node.name}.{name}={loaded!r}", repr(current))
    return values


def saveable_attrs(node: Model) -> Iterator[tuple[str, bytes]]:
    """The attributes of a layer that thinc saves, with their bytes."""
    for name, value in node.attrs.items():
        try:
            yield name, serialize_attr(value, value, name, node)
        except TypeError:      # thinc does not save it either
            continue


def is_strings(value: object) -> bool:
    """Whether a value is a list of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def fits(name: str, current: Any, saved: Any) -> bool:
    """Whether training or initialisation can have given an attribute its saved value.

    Numbers and lists come from the config and must be the same. Rates, seeds and flags may change.
    """
    is_number = isinstance(saved, Real) and not isinstance(saved, bool)
    if name in ("n_labels", "n_classes"):
        return type(saved) is int
    if name == "dropout_rate":
        return is_number and 0 <= saved < 1
    if name == "seed":
        return type(saved) is int and 0 <= saved < 2**32
    if isinstance(current, float):
        return is_number
    if isinstance(current, (int, list, tuple)) and not isinstance(current, bool):
        return False
    return current is None or type(current) is type(saved)


def check_params(node: Model, saved: Any, dims: Mapping[str, int | None]) -> None:
    """Check the types and shapes of a layer's parameters. dims: its saved dimensions."""
    demand(
        isinstance(saved, dict) and set(saved) == set(node.param_names),
        f"parameters of '{node.name}'", node.param_names,
    )
    for name, value in saved.items():
        if value is None:
            continue
        demand(
            isinstance(value, numpy.ndarray) and value.dtype == numpy.float32,
            f"{node.name}.{name} of {getattr(value, 'dtype', type(value))}", "float32",
        )
        layouts = [
            layout for layout in LAYOUTS.get(name, ()) if set(layout) <= set(node.dim_names)
        ]
        if layouts:
            shape = tuple(dims[dim] for dim in layouts[0])
        elif name not in PARAMS and node.has_param(name):
            shape = node.get_param(name).shape
        else:
            continue
        demand(value.shape == shape, f"{node.name}.{name} of shape {value.shape}", shape)

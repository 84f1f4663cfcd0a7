"""A saved parser is not believed: damage and edits are found before anything is replaced."""

import random
from collections.abc import Callable
from typing import Any

import numpy
import pytest
import srsly
from spacy.tokens import Doc

from spacy_arceager.errors import ModelMismatchError, TruncatedModelError
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.pipe.serialize import make_checksums
from tests.conftest import (
    PARSER,
    TINY_MODEL,
    Trained,
    annotation,
    blank_pipeline,
    get_parser,
    read_corpus,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")

REFUSED = (TruncatedModelError, ModelMismatchError)
TEXT = "The letters that she wrote arrived late ."


def save(parser: ArcEagerParser) -> bytes:
    return parser.to_bytes(exclude=["vocab"])


def parse(parser: ArcEagerParser) -> list:
    doc = parser(Doc(parser.vocab, words=TEXT.split()))
    assert sum(token.head == token for token in doc) == 1
    return annotation(doc)


# Damage


def flip(data: bytearray, draw: random.Random) -> None:
    data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)


def cut(data: bytearray, draw: random.Random) -> None:
    del data[draw.randrange(len(data)) :]


def zero(data: bytearray, draw: random.Random) -> None:
    start = draw.randrange(len(data))
    end = min(len(data), start + draw.randint(1, 64))
    data[start:end] = bytes(end - start)


def scramble(data: bytearray, draw: random.Random) -> None:
    start = draw.randrange(len(data))
    end = min(len(data), start + draw.randint(1, 64))
    data[start:end] = draw.randbytes(end - start)


def swap(data: bytearray, draw: random.Random) -> None:
    i, j = draw.randrange(len(data)), draw.randrange(len(data))
    size = min(draw.randint(1, 64), len(data) - max(i, j))
    data[i : i + size], data[j : j + size] = data[j : j + size], data[i : i + size]


def drop(data: bytearray, draw: random.Random) -> None:
    start = draw.randrange(len(data))
    del data[start : start + draw.randint(1, 64)]


DAMAGE = [flip, cut, zero, scramble, swap, drop]


def damaged(data: bytes, region: str, how: Callable, seed: int) -> bytes:
    """The bytes of a parser with damage to all of it, or to what one of its parts holds."""
    draw = random.Random(seed)
    if region == "all":
        changed = bytearray(data)
        how(changed, draw)
        return bytes(changed)
    parts = srsly.msgpack_loads(data)
    part, _, inner = region.partition(".")
    if not inner:
        changed = bytearray(parts[part])
        how(changed, draw)
        parts[part] = bytes(changed)
        return srsly.msgpack_dumps(parts)
    # Within the structure of the model, so that it can still be read.
    message = srsly.msgpack_loads(parts["model"])
    changed = bytearray(srsly.msgpack_dumps(message[inner]))
    how(changed, draw)
    try:
        message[inner] = srsly.msgpack_loads(bytes(changed))
        parts["model"] = srsly.msgpack_dumps(message)
    except Exception:  # noqa: BLE001 (no longer msgpack: damage the whole instead)
        return damaged(data, "model", how, seed)
    return srsly.msgpack_dumps(parts)


REGIONS = ["all", "cfg", "model", "model.nodes", "model.attrs", "model.params"]


@pytest.mark.slow
@pytest.mark.parametrize("how", DAMAGE, ids=lambda how: how.__name__)
@pytest.mark.parametrize("region", REGIONS)
def test_damage_is_found_and_changes_nothing(
    english: Trained, region: str, how: Callable
) -> None:
    data = save(get_parser(english.nlp))
    parser = get_parser(english.copy())
    same = srsly.msgpack_loads(data)
    for seed in range(20):
        changed = damaged(data, region, how, seed)
        try:
            parser.from_bytes(changed)
        except REFUSED:
            pass
        else:
            loaded = srsly.msgpack_loads(changed)
            assert srsly.json_loads(loaded["cfg"]) == srsly.json_loads(same["cfg"])
            assert loaded["model"] == same["model"]
    assert save(parser) == data
    assert parse(parser) == parse(get_parser(english.nlp))


def without_checksums(data: bytes) -> bytes:
    """As the first format was."""
    parts = srsly.msgpack_loads(data)
    cfg = srsly.json_loads(parts["cfg"])
    del cfg["checksums"]
    parts["cfg"] = srsly.json_dumps({**cfg, "format": 1}).encode("utf8")
    return srsly.msgpack_dumps(parts)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")      # of weights beyond all bounds
@pytest.mark.parametrize("how", DAMAGE, ids=lambda how: how.__name__)
@pytest.mark.parametrize("region", REGIONS)
def test_without_checksums_damage_is_found_or_parses(
    english: Trained, region: str, how: Callable
) -> None:
    data = without_checksums(save(get_parser(english.nlp)))
    examples = english.read(english.nlp)[:2]
    for seed in range(8):
        parser = get_parser(blank_pipeline())
        try:
            parser.from_bytes(damaged(data, region, how, seed))
        except REFUSED:
            continue
        assert {label for _, label, _ in parse(parser)} <= {*parser.labels, "ROOT"}
        try:
            assert parser.update(examples)[PARSER] >= 0
        except ValueError as error:
            assert "cannot learn from nan or infinity" in str(error)


def test_a_parser_without_checksums_is_loaded(english: Trained) -> None:
    parser = get_parser(blank_pipeline())
    parser.from_bytes(without_checksums(save(get_parser(english.nlp))))
    assert save(parser) == save(get_parser(english.nlp))


def test_checksums_cannot_be_left_out(english: Trained) -> None:
    parts = srsly.msgpack_loads(save(get_parser(english.nlp)))
    cfg = srsly.json_loads(parts["cfg"])
    del cfg["checksums"]
    parts["cfg"] = srsly.json_dumps(cfg)
    with pytest.raises(ModelMismatchError, match="checksum of cfg and model"):
        get_parser(blank_pipeline()).from_bytes(srsly.msgpack_dumps(parts))


def test_cfg_and_model_of_different_parsers_are_refused(english: Trained) -> None:
    other = get_parser(english.copy())
    scoring = other.model.get_ref("scoring")
    scoring.set_param("upper_b", scoring.get_param("upper_b") + 1)
    parts = srsly.msgpack_loads(save(get_parser(english.nlp)))
    parts["model"] = srsly.msgpack_loads(save(other))["model"]
    with pytest.raises(ModelMismatchError, match="checksum of model"):
        get_parser(blank_pipeline()).from_bytes(srsly.msgpack_dumps(parts))


# Edits of one who makes the checksums anew


def edited(data: bytes, edit: Callable[[dict, dict], None]) -> bytes:
    """edit: changes the cfg and the model."""
    parts = srsly.msgpack_loads(data)
    cfg, model = srsly.json_loads(parts["cfg"]), srsly.msgpack_loads(parts["model"])
    cfg.pop("checksums")
    edit(cfg, model)
    parts["model"] = srsly.msgpack_dumps(model)
    cfg["checksums"] = make_checksums(cfg, parts["model"])
    parts["cfg"] = srsly.json_dumps(cfg)
    return srsly.msgpack_dumps(parts)


def place(model: dict, name: str = "scoring") -> int:
    return next(i for i, node in enumerate(model["nodes"]) if node["name"] == name)


def attribute(name: str, value: Any) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        model["attrs"][place(model)][name] = srsly.msgpack_dumps(value)

    return edit


def dimension(name: str, value: Any) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        model["nodes"][place(model)]["dims"][name] = value

    return edit


def parameter(name: str, change: Callable) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        params = model["params"][place(model)]
        params[name] = change(params[name])

    return edit


def every(change: Callable) -> Callable:
    """The same for all parameters of all layers."""

    def edit(cfg: dict, model: dict) -> None:
        for params in model["params"]:
            for name, value in params.items():
                params[name] = change(value)

    return edit


def nested(name: str, change: Callable) -> Callable:
    """A parameter of the first layer of the tok2vec that has it."""

    def edit(cfg: dict, model: dict) -> None:
        first = next(p for p in model["params"][1:] if name in p)
        first[name] = change(first[name])

    return edit


def of_cfg(key: str, value: Any) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        cfg[key] = value

    return edit


def of_part(name: str, change: Callable) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        model[name] = change(model[name])

    return edit


def nested_attribute(name: str, value: Any) -> Callable:
    def edit(cfg: dict, model: dict) -> None:
        first = next(attrs for attrs in model["attrs"] if name in attrs)
        first[name] = srsly.msgpack_dumps(value)

    return edit


def wrong_ref(cfg: dict, model: dict) -> None:
    refs = next(node["refs"] for node in model["nodes"] if "scoring" in node["refs"])
    refs["scoring"] = 0


PARAMETERS = ["lower_W", "lower_b", "special", "tables", "upper_W", "upper_b"]
CHANGES: dict[str, Callable] = {
    "fewer rows": lambda a: a[:-1],
    "no rows": lambda a: a[:0],
    "more rows": lambda a: numpy.concatenate([a, a]),
    "fewer columns": lambda a: a[..., :-1],
    "turned": lambda a: numpy.ascontiguousarray(a[None]),
    "flat": lambda a: a.reshape(-1)[None],
    "float64": lambda a: a.astype("float64"),
    "int32": lambda a: a.astype("int32"),
    "None": lambda a: None,
    "text": lambda a: "weights",
    "list": lambda a: a.tolist(),
}
EDITS: dict[str, Callable] = {
    **{
        f"{name} {how}": parameter(name, change)
        for name in PARAMETERS for how, change in CHANGES.items()
    },
    **{f"tok2vec {name} {how}": nested(name, change)
       for name in ("W", "b", "E", "G") for how, change in CHANGES.items()},
    "lower_b (64, 1)": parameter("lower_b", lambda a: a.reshape(64, 1)),
    "lower_b (1, 64)": parameter("lower_b", lambda a: a.reshape(1, 64)),
    "tables 1": parameter("tables", lambda a: a[:1]),
    "all float64": every(lambda a: a.astype("float64")),
    **{f"n_labels {n}": attribute("n_labels", n)
       for n in (10**6, -50, 0, 1, 2.5, True, None, "8")},
    **{f"n_classes {n}": attribute("n_classes", n) for n in (10**6, -1, 0, None, "8")},
    "attributes x 50": attribute("attributes", ["O2.label"] * 50),
    "no attributes": attribute("attributes", []),
    "attributes None": attribute("attributes", None),
    "words x 50": attribute("words", ["O1"] * 50),
    "no words": attribute("words", []),
    "words wrong": attribute("words", ["X9"]),
    "words 5": attribute("words", 5),
    **{f"dropout {rate}": attribute("dropout_rate", rate) for rate in (1.0, -1, "x", None)},
    **{f"{dim} {n}": dimension(dim, n)
       for dim in ("nI", "nH", "nP") for n in (0, -1, 10**9, 2.5, "8", None, True)},
    "window_size": nested_attribute("window_size", -5),
    "seed": nested_attribute("seed", -5),
    "column": nested_attribute("column", 99),
    "columns": nested_attribute("columns", ["ORTH"]),
    "ref": wrong_ref,
    "fewer nodes": of_part("nodes", lambda part: part[:-1]),
    "no params": of_part("params", lambda part: []),
    "params turned": of_part("params", lambda part: part[::-1]),
    "attrs None": of_part("attrs", lambda part: None),
    "shims": of_part("shims", lambda part: [[b"shim"]] * len(part)),
    "nodes text": of_part("nodes", lambda part: ["x"] * len(part)),
    **{f"labels {labels!r:.12}": of_cfg("labels", labels)
       for labels in ([], ["nsubj"], "abc", None, 5, [""], [1], [None], ["a||b||c"],
                      [f"x{i}" for i in range(10**4)])},
    **{f"format {form!r}": of_cfg("format", form) for form in (0, -1, None, "1", 1.5, 99)},
    **{f"system {system!r}": of_cfg("system", system)
       for system in ({}, None, "arc_eager", {"capacity": 2}, {"nonsense": 1})},
    "another key": of_cfg("nonsense", 1),
}


@pytest.mark.slow
@pytest.mark.parametrize("into_blank", [True, False], ids=["blank", "trained"])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_edits_are_refused_and_change_nothing(
    english: Trained, trained_twin: ArcEagerParser, edit: Callable, into_blank: bool
) -> None:
    data = save(get_parser(english.nlp))
    parser = get_parser(blank_pipeline()) if into_blank else trained_twin
    before = save(parser)
    with pytest.raises(REFUSED, match=PARSER + "|model"):
        parser.from_bytes(edited(data, edit))
    assert save(parser) == before
    if not into_blank:
        assert parse(parser) == parse(get_parser(english.nlp))


@pytest.fixture(scope="module")
def trained_twin(english: Trained) -> ArcEagerParser:
    return get_parser(english.copy())


@pytest.mark.slow
@pytest.mark.parametrize("left_out", ["cfg", "model"])
def test_labels_or_model_alone_are_refused_where_they_do_not_fit(
    english: Trained, left_out: str, tmp_path: Any
) -> None:
    parser, other = get_parser(english.copy()), get_parser(english.copy())
    other.add_label("article")
    before, examples = save(parser), english.read(english.nlp)[:4]
    for data in (save(other), other.to_bytes(exclude=["vocab", left_out])):
        with pytest.raises(ModelMismatchError, match="labels and model"):
            parser.from_bytes(data, exclude=[left_out])
    other.to_disk(tmp_path, exclude=["vocab"])
    with pytest.raises(ModelMismatchError, match="labels and model"):
        parser.from_disk(tmp_path, exclude=["vocab", left_out])
    assert save(parser) == before
    assert parse(parser) == parse(get_parser(english.nlp))
    assert parser.update(examples)[PARSER] > 0


def test_a_vocab_that_cannot_be_read_changes_nothing(english: Trained) -> None:
    parser = get_parser(english.copy())
    before, n_strings = save(parser), len(parser.vocab.strings)
    parts = srsly.msgpack_loads(get_parser(english.nlp).to_bytes())
    for vocab in (parts["vocab"][:100], b"", b"x", srsly.msgpack_dumps({"strings": b"{"})):
        with pytest.raises(TruncatedModelError):
            parser.from_bytes(srsly.msgpack_dumps({**parts, "vocab": vocab}))
    assert (save(parser), len(parser.vocab.strings)) == (before, n_strings)


def test_a_missing_part_is_noticed(english: Trained) -> None:
    parts = srsly.msgpack_loads(save(get_parser(english.nlp)))
    with pytest.raises(ModelMismatchError, match="checksum of model"):
        get_parser(blank_pipeline()).from_bytes(srsly.msgpack_dumps({"cfg": parts["cfg"]}))


def test_loading_after_an_update_with_other_labels_goes_on(english: Trained) -> None:
    other = blank_pipeline()
    examples = read_corpus(other, "en_small-dev.conllu", limit=5)
    sgd = other.initialize(lambda: examples)
    other.update(examples, sgd=sgd)
    get_parser(other).update(examples)      # gradients that no optimizer has seen
    parser = get_parser(other).from_bytes(save(get_parser(english.nlp)))
    assert parser.labels == get_parser(english.nlp).labels
    assert parse(parser) == parse(get_parser(english.nlp))
    losses = [other.update(examples, sgd=sgd)[PARSER] for _ in range(6)]
    assert losses[-1] < losses[0]
    parse(parser)


def test_a_model_of_another_size_changes_nothing(english: Trained) -> None:
    parser = get_parser(blank_pipeline(model={**TINY_MODEL, "hidden_width": 16}))
    before = save(parser)
    with pytest.raises(ModelMismatchError, match="config"):
        parser.from_bytes(save(get_parser(english.nlp)))
    assert save(parser) == before


# Edits in memory


def in_memory(edit: Callable) -> Callable:
    def change(parser: ArcEagerParser) -> None:
        edit(parser.model.get_ref("scoring"))

    return change


MEMORY: dict[str, Callable] = {
    **{f"n_labels {n}": in_memory(lambda s, n=n: s.attrs.update(n_labels=n))
       for n in (-50, 0, 10**6)},
    "n_classes": in_memory(lambda s: s.attrs.update(n_classes=3)),
    "attributes x 50": in_memory(lambda s: s.attrs.update(attributes=["O2.label"] * 50)),
    "words x 50": in_memory(lambda s: s.attrs.update(words=["O1"] * 50)),
    **{
        f"{name} {how}": in_memory(
            lambda s, name=name, change=CHANGES[how]: s.set_param(
                name, change(s.get_param(name))
            )
        )
        for name in PARAMETERS
        for how in ("fewer rows", "no rows", "more rows", "fewer columns", "float64", "flat")
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("edit", MEMORY.values(), ids=MEMORY)
@pytest.mark.parametrize("learnt", [True, False], ids=["learnt", "loaded"])
def test_edits_in_memory_reach_no_c_code(
    english: Trained, edit: Callable, learnt: bool
) -> None:
    parser = get_parser(english.copy())
    examples = english.read(english.nlp)[:4]
    if learnt:
        parser.update(examples)
    edit(parser)
    for use in (lambda: parser.update(examples), lambda: parse(parser)):
        with pytest.raises(ModelMismatchError, match="labels|transition model"):
            use()

"""A row of the catalogue is all that a named system needs."""

from dataclasses import replace
from functools import partial

import pytest
import spacy

import spacy_arceager
from spacy_arceager.oracles.configured import default_oracle
from spacy_arceager.systems import (
    ParameterError,
    SystemParameters,
    arc_eager,
    attardi,
    easy_first,
)
from spacy_arceager.systems.catalogue import (
    CATALOGUE,
    Entry,
    display_name,
    find_entry,
    find_system,
)
from tests.conftest import TINY_MODEL, get_parser

NAMED = "arceager.named_system.v1"


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_name_in_a_config_brings_parameters_oracle_and_features(name: str) -> None:
    parser = spacy.blank("xx").add_pipe(
        "arceager_parser", config={"system": {"@misc": NAMED, "name": name}, "model": TINY_MODEL}
    )
    entry = CATALOGUE[name]
    assert parser.parameters == entry.parameters() == find_system(name)
    assert parser.parameters.name == name
    assert parser.oracle.name == entry.oracle


def test_no_two_entries_are_the_same_system() -> None:
    assert all(find_entry(entry.parameters()) is entry for entry in CATALOGUE.values())


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_oracle_of_an_entry_is_the_default_oracle(name: str) -> None:
    entry = CATALOGUE[name]
    oracle = default_oracle(entry.parameters())
    assert oracle.name == entry.oracle
    assert {key: oracle.options[key] for key in entry.oracle_settings} == entry.oracle_settings


def test_a_new_row_is_all_that_a_system_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Entry("attardi4", partial(attardi, 4), "Attardi 2006", "trees", "2n", "lookahead")
    monkeypatch.setitem(CATALOGUE, row.name, row)
    nlp = spacy.blank("xx")
    system = {"@misc": NAMED, "name": "attardi4"}
    nlp.add_pipe("arceager_parser", config={"system": system, "model": TINY_MODEL})
    parser = get_parser(nlp)
    assert parser.oracle.name == "lookahead"
    assert "O6" in parser.model.get_ref("scoring").attrs["words"]


def test_segment_and_root_of_a_named_system() -> None:
    assert find_system("easy_first_k4_d2", segment=True) == with_name(
        easy_first(4, 2, segment=True), "easy_first_k4_d2"
    )
    assert find_system("attardi2", root="left") == with_name(attardi(2, "left"), "attardi2")


def with_name(parameters: SystemParameters, name: str) -> SystemParameters:
    return SystemParameters(**{**vars(parameters), "name": name})


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("dag", {"segment": True}),
        ("easy_first", {"segment": True}),
        ("arc_eager", {"root": "left"}),
    ],
)
def test_what_a_system_does_not_have_is_refused(name: str, settings: dict) -> None:
    with pytest.raises(ParameterError, match="contradict"):
        find_system(name, **settings)


def test_a_variant_of_a_system_has_its_oracle_where_that_fits() -> None:
    assert default_oracle(find_system("arc_hybrid_swap", segment=True)).name == "static_dynamic"
    assert default_oracle(find_system("arc_standard", root="left")).name == "dynamic"


def test_systems_are_called_by_their_parameters() -> None:
    assert display_name(arc_eager(non_monotonic=["left", "reduce"])) == "arc_eager_nm"
    assert display_name(arc_eager(distance=7)) == "custom"
    for name, entry in CATALOGUE.items():
        assert display_name(replace(entry.make(), name="anything")) == name


@pytest.mark.parametrize("name", [n for n in spacy_arceager.__all__ if n != "__version__"])
def test_the_package_has_its_names(name: str) -> None:
    exported = getattr(spacy_arceager, name)
    assert exported.__module__.startswith("spacy_arceager")

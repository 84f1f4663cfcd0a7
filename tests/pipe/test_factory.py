"""The component is found by its name, and made of the settings of a config."""

import re
import subprocess
import sys
from importlib.metadata import distribution

import pytest
import spacy

from spacy_arceager.gold import POLICIES
from spacy_arceager.systems import (
    ParameterError,
)
from tests.conftest import (
    PARSER,
    TINY_MODEL,
    TINY_TOK2VEC,
    blank_pipeline,
)

pytestmark = pytest.mark.filterwarnings("ignore:.*as one sentence")


def test_contradictory_parameters_in_a_config_are_both_named() -> None:
    system = {"@misc": "arceager.arc_eager.v1", "tree_constraint": True, "root": "left"}
    with pytest.raises(ParameterError, match="tree_constraint=true and root='left'"):
        blank_pipeline(system=system)


def test_an_oracle_that_does_not_fit_the_system_is_named_with_it() -> None:
    system = {"@misc": "arceager.attardi.v1", "degree": 2}
    with pytest.raises(ValueError, match="exact oracle is not made for system 'attardi'"):
        blank_pipeline(system=system, oracle={"@misc": "arceager.exact_oracle.v1"})


def test_an_unknown_policy_is_named_with_those_that_are_known() -> None:
    with pytest.raises(ValueError) as error:
        blank_pipeline(non_projective="lift")
    for words in ("non_projective='lift'", *POLICIES):
        assert words in str(error.value)


def test_an_unknown_parameter_in_a_config_is_named() -> None:
    with pytest.raises(ValueError, match="hidden_size"):
        blank_pipeline(model={**TINY_MODEL, "hidden_size": 32})


@pytest.mark.parametrize(("name", "message"), [
    (PARSER, "'arceager_parser' must be an arceager.TransitionModel.v1 .*convert-config"),
    ("arceager_supertagger", "'arceager_supertagger' must be an .*spacy.Tagger.v2.*'softmax'"),
])
def test_another_architecture_is_refused_with_the_right_one(name: str, message: str) -> None:
    model = {
        "@architectures": "spacy.TransitionBasedParser.v2", "tok2vec": TINY_TOK2VEC,
        "state_type": "parser", "extra_state_tokens": False, "hidden_width": 8,
        "maxout_pieces": 1, "use_upper": True, "nO": None,
    }
    with pytest.raises(ValueError, match=message):
        spacy.blank("xx").add_pipe(name, config={"model": model})


REGISTERED = {
    "architectures": ["arceager.TransitionModel.v1"],
    "misc": [
        "arceager.arc_eager.v1",
        "arceager.static_oracle.v1",
        "arceager.dynamic_oracle.v1",
        "arceager.exact_oracle.v1",
    ],
    "callbacks": ["arceager.use_numpy_blas.v1"],
    "readers": ["arceager.ConlluCorpus.v1"],
    "scorers": ["arceager.parser_scorer.v1"],
}


def run_python(code: str) -> str:
    """The output of Python code in a process of its own."""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow
def test_add_pipe_needs_no_import_of_ours() -> None:
    output = run_python(
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('arceager_parser'); "
        "print(nlp.pipe_names)"
    )
    assert output.strip() == f"['{PARSER}']"


@pytest.mark.slow
def test_every_name_is_registered_without_an_import_of_ours() -> None:
    names = [(registry, name) for registry, names in REGISTERED.items() for name in names]
    output = run_python(
        f"import spacy\nfor registry, name in {names}: "
        "print(callable(spacy.registry.get(registry, name)))"
    )
    assert output.split() == ["True"] * len(names)


def test_every_entry_point_loads_and_has_a_version() -> None:
    points = [
        point
        for point in distribution("spacy-arceager").entry_points
        if point.group.startswith("spacy_")
        and point.group not in ("spacy_factories", "spacy_languages")
    ]
    listed = {point.name for point in points}
    assert listed >= {name for names in REGISTERED.values() for name in names}
    for point in points:
        assert callable(point.load())
        assert re.fullmatch(r"arceager\.\w+\.v\d+", point.name)


def test_a_system_alone_can_be_changed() -> None:
    nlp = spacy.blank("xx")
    parser = nlp.add_pipe(
        "arceager_parser", config={"system": {"@misc": "arceager.attardi.v1", "degree": 2}}
    )
    assert parser.oracle.name == "static"

"""The configs that come with the project are complete, and what they describe learns."""

from pathlib import Path

import pytest
from spacy.cli.debug_config import debug_config
from spacy.training.initialize import init_nlp
from spacy.util import load_config

from spacy_arceager.component import Exploration
from spacy_arceager.corpus.conllu import create_conllu_corpus
from spacy_arceager.systems.catalogue import CATALOGUE
from tests.conftest import DATA

ROOT = Path(__file__).parent.parent
CONFIGS = [ROOT / "configs/cpu.cfg", ROOT / "configs/full.cfg", ROOT / "benchmarks/peer.cfg"]
TRAIN = DATA / "en_small-train.conllu"
PATHS = {"paths.train": str(TRAIN), "paths.dev": str(DATA / "en_small-dev.conllu")}


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_spacy_finds_nothing_missing(config: Path) -> None:
    debug_config(config, overrides=PATHS)


@pytest.mark.parametrize("config", CONFIGS, ids=lambda path: path.stem)
def test_every_component_learns(config: Path) -> None:
    nlp = init_nlp(load_config(config, overrides=PATHS))
    sgd = nlp.create_optimizer()
    examples = list(create_conllu_corpus(TRAIN, sentences_per_doc=4, limit=8)(nlp))
    losses = [nlp.update(examples, sgd=sgd, losses={}) for _ in range(6)]
    for name in nlp.pipe_names[1:]:
        assert losses[-1][name] < losses[0][name], name


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_system_has_a_config_that_learns(name: str) -> None:
    train = DATA / ("de_enhanced.conllu" if name == "dag" else "de_crossing.conllu")
    overrides = {"paths.train": str(train), "paths.dev": str(train)}
    nlp = init_nlp(load_config(ROOT / f"configs/systems/{name}.cfg", overrides=overrides))
    parser = nlp.get_pipe("arceager_parser")
    expected = CATALOGUE[name].parameters()
    assert {t.move for t in parser.system.transitions} == {t.move for t in expected.transitions}
    assert (parser.parameters.capacity, parser.parameters.distance) == (
        expected.capacity, expected.distance)
    # With exploration the states, and so the loss, would be others each time.
    parser.exploration = Exploration(0.0)
    sgd = nlp.create_optimizer()
    examples = list(create_conllu_corpus(train, limit=8)(nlp))
    losses = [nlp.update(examples, sgd=sgd, losses={}) for _ in range(6)]
    assert losses[-1]["arceager_parser"] < losses[0]["arceager_parser"]


def test_every_config_of_a_system_is_in_the_catalogue() -> None:
    assert {path.stem for path in (ROOT / "configs/systems").glob("*.cfg")} == set(CATALOGUE)

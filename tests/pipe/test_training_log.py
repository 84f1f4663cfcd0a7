"""What a training says of itself: a table for a terminal, and its trees in words."""

import io
import logging
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.training.initialize import init_nlp
from spacy.util import load_config

from spacy_arceager.pipe.eval_frequency import limit_eval_frequency
from spacy_arceager.pipe.training_log import create_console_logger
from tests.conftest import DATA, PARSER, TINY_MODEL, blank_pipeline, read_corpus
from tests.pretrained.tiny import make_encoder

CONFIGS = sorted(
    path for path in (Path(__file__).parents[2] / "configs").glob("*.cfg")
    if path.stem != "transformer"       # its architecture is an extra
)
WIDEST = 100
NORMAL = logging.INFO


def configured(path: Path, **settings: object) -> Language:
    train = DATA / ("de_enhanced.conllu" if path.stem == "graphs" else "en_small-dev.conllu")
    overrides = {f"training.{name}": value for name, value in settings.items()}
    with TemporaryDirectory() as folder:
        if path.stem == "encoder":
            make_encoder().save(Path(folder))
            overrides["paths.encoder"] = folder
        return init_nlp(load_config(path, overrides={
            "paths.train": str(train), "paths.dev": str(train), **overrides,
        }))


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_lines_fit_a_terminal_and_columns_differ(path: Path) -> None:
    nlp, out = configured(path), io.StringIO()
    log, finish = create_console_logger(progress_bar=None)(nlp, out, io.StringIO())
    losses = dict.fromkeys(nlp.pipe_names, 123456.0)
    scores = dict.fromkeys(nlp.config["training"]["score_weights"], 1.0)
    log({"epoch": 10, "step": 20000, "losses": losses, "other_scores": scores, "score": 1.0})
    finish()
    header, _, line = out.getvalue().splitlines()
    columns = re.split(r" {2,}", header.strip())
    assert "LOSS PARSER" in columns and len({*columns}) == len(columns)
    assert max(len(header), len(line)) <= WIDEST
    assert "..." not in header and "123456.00" in line


def test_each_parser_has_its_own_loss() -> None:
    nlp, out = blank_pipeline(), io.StringIO()
    nlp.add_pipe(PARSER, name="parser", config={"model": TINY_MODEL})
    log, _ = create_console_logger(progress_bar=None)(nlp, out, io.StringIO())
    losses = {PARSER: 111.0, "parser": 222.0}
    log({"epoch": 0, "step": 1, "losses": losses, "other_scores": {}, "score": 1.0})
    header, _, line = out.getvalue().splitlines()
    assert "LOSS PARSER" in header and "LOSS ARCEA..." in header
    assert re.search(r"111\.00 +222\.00", line)


@pytest.mark.parametrize(
    ("max_steps", "frequency", "expected"),
    [(60, 500, 30), (1, 500, 1), (5000, 500, 500), (0, 500, 500), (60, 20, 20)],
)
def test_a_short_training_is_scored_after_its_start(
    max_steps: int, frequency: int, expected: int
) -> None:
    path = next(path for path in CONFIGS if path.stem == "speed")
    nlp = configured(path, max_steps=max_steps, eval_frequency=frequency)
    assert nlp.config["training"]["eval_frequency"] == expected


def messages(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level]


def test_crossing_arcs_are_usual(caplog: pytest.LogCaptureFixture) -> None:
    nlp = blank_pipeline("de")
    examples = read_corpus(nlp, "de_crossing.conllu")
    with caplog.at_level(NORMAL, logger="spacy"):
        nlp.initialize(lambda: examples)
    assert any("35 of 50 gold sentences" in text for text in messages(caplog, logging.INFO))
    assert not messages(caplog, logging.WARNING)


def test_what_is_left_out_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    nlp = blank_pipeline("de", non_projective="skip")
    examples = read_corpus(nlp, "de_crossing.conllu")
    with caplog.at_level(NORMAL, logger="spacy"):
        nlp.initialize(lambda: examples)
    (text,) = messages(caplog, logging.WARNING)
    assert text.startswith(f"{PARSER}: 35 of 50 gold sentences are left out")


@pytest.mark.parametrize("sentences_per_doc", [1, 2])
def test_boundaries_that_no_doc_shows_are_a_warning(
    caplog: pytest.LogCaptureFixture, sentences_per_doc: int
) -> None:
    nlp = blank_pipeline(system={"@misc": "arceager.arc_eager.v1", "segment": True})
    examples = read_corpus(nlp, "en_small-dev.conllu", sentences_per_doc=sentences_per_doc)
    with caplog.at_level(NORMAL, logger="spacy"):
        nlp.initialize(lambda: examples)
    found = messages(caplog, logging.WARNING)
    assert [text.startswith(f"{PARSER}: no Doc has more than one") for text in found] == (
        [True] if sentences_per_doc == 1 else []
    )


def test_other_words_than_the_treebank_are_not_crossing_arcs(
    caplog: pytest.LogCaptureFixture,
) -> None:
    nlp = blank_pipeline()
    gold = Doc(nlp.vocab, ["Go", "now", "!"], [True, False, False], heads=[0, 0, 0],
               deps=["ROOT", "advmod", "punct"])
    examples = [Example(spacy.blank("xx").make_doc("Go now!"), gold),
                Example(Doc(nlp.vocab, ["Go", "now!"], [True, False]), gold)]
    with caplog.at_level(NORMAL, logger="spacy"):
        nlp.initialize(lambda: examples)
    (text,) = messages(caplog, logging.WARNING)
    assert "1 of 2 gold sentences" in text and "arceager.ConlluCorpus.v1" in text
    assert "cannot build" not in caplog.text


def test_the_number_of_updates_may_be_a_variable() -> None:
    nlp = spacy.blank("xx")
    nlp.config["vars"] = {"steps": 100}
    nlp.config["training"]["max_steps"] = "${vars.steps}"
    assert limit_eval_frequency(nlp).config["training"]["eval_frequency"] == 50
    assert nlp.config["training"]["max_steps"] == "${vars.steps}"

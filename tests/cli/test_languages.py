"""`init-config` leaves the tokenizer to the language, and knows which languages there are."""

import pkgutil
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
import spacy
import spacy.lang
from spacy.util import get_lang_class, load_config, load_model_from_config
from thinc.api import Config

from spacy_arceager.cli.configs import make_config
from spacy_arceager.cli.languages import language_names
from spacy_arceager.pipe.tokenizer import WORDS_BETWEEN_SPACES
from tests.cli.conftest import command

CODES = [module.name for module in pkgutil.iter_modules(spacy.lang.__path__) if module.ispkg]
NEED_PACKAGES = {"ja", "th", "vi"}

# Three sentences, which are also the raw text of the test.
CHINESE = """\
1\t我\t_\tPRON\t_\t_\t2\tnsubj\t_\tSpaceAfter=No
2\t爱\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t猫\t_\tNOUN\t_\t_\t2\tobj\t_\tSpaceAfter=No
4\t。\t_\tPUNCT\t_\t_\t2\tpunct\t_\tSpaceAfter=No

1\t他\t_\tPRON\t_\t_\t2\tnsubj\t_\tSpaceAfter=No
2\t走\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t。\t_\tPUNCT\t_\t_\t2\tpunct\t_\tSpaceAfter=No

"""


init_config = partial(command, "init-config")


@pytest.mark.parametrize("code", CODES)
def test_the_tokenizer_is_that_of_the_language(code: str) -> None:
    config = Config().from_str(make_config(lang=code), interpolate=False)
    config["nlp"].update(pipeline=[], before_creation=None, after_pipeline_creation=None)
    config["components"] = {}
    try:
        expected = spacy.blank(code if code not in WORDS_BETWEEN_SPACES else "xx")
    except ImportError:
        result = init_config("--lang", code)
        assert code in NEED_PACKAGES
        assert result.exit_code == 0 and f"tokenizer of '{code}'" in result.stderr
        return
    nlp = get_lang_class(code).from_config(config, auto_fill=True)
    assert type(nlp.tokenizer.tokenizer) is type(expected.tokenizer)
    assert getattr(nlp.tokenizer, "segmenter", None) == getattr(
        expected.tokenizer, "segmenter", None
    )


def test_the_tokenizer_follows_a_language_that_is_set_later(tmp_path: Path) -> None:
    path = tmp_path / "any.cfg"
    path.write_text(make_config(lang="xx", optimize="speed"), encoding="utf8")
    nlp = load_model_from_config(load_config(path, overrides={"nlp.lang": "zh"}), auto_fill=True)
    assert [token.text for token in nlp.make_doc("我爱猫。")] == [*"我爱猫。"]


def test_a_trained_pipeline_splits_raw_chinese_into_words(tmp_path: Path) -> None:
    from spacy.cli.train import train

    treebank, config = tmp_path / "zh.conllu", tmp_path / "zh.cfg"
    treebank.write_text(CHINESE, encoding="utf8")
    assert init_config(config, "--lang", "zh", "--optimize", "speed").exit_code == 0
    train(config, tmp_path, overrides={
        "paths.train": str(treebank), "paths.dev": str(treebank),
        "training.max_steps": 2, "training.eval_frequency": 1,
    })
    doc = spacy.load(tmp_path / "model-last")("我爱猫。他走。")
    assert [token.text for token in doc] == [*"我爱猫。他走。"]


@pytest.mark.parametrize(
    ("code", "answer"),
    [("english", "'en' (English)"), ("germn", "'de' (German)"), ("zz", "spacy.io/usage/models")],
)
def test_an_unknown_language_is_refused(tmp_path: Path, code: str, answer: str) -> None:
    config = tmp_path / "x.cfg"
    result = init_config(config, "--lang", code)
    assert result.exit_code == 2 and not config.exists()
    assert answer in " ".join(result.stderr.replace("│", " ").split())


def test_the_names_of_all_languages_are_found() -> None:
    assert set(language_names()) == {*CODES, "cy", "mt"}


def test_a_forgotten_language_is_told() -> None:
    assert "--lang" in init_config().stderr
    assert init_config("--lang", "xx").stderr == ""


def test_a_missing_extra_is_told_before_training(monkeypatch: pytest.MonkeyPatch) -> None:
    # The package has a function of the module's name.
    module = import_module("spacy_arceager.cli.init_config")
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    result = init_config("--lang", "en", "--optimize", "transformer")
    assert result.exit_code == 0
    assert 'pip install "spacy-arceager[transformers]"' in result.stderr


def test_what_is_written_is_told_with_the_next_step(tmp_path: Path) -> None:
    config = tmp_path / "my config.cfg"
    result = init_config(config, "--lang", "en")
    assert str(config) in result.stderr.replace("\n", " ") and not result.stdout
    assert f"spacy train '{config}' --paths.train" in result.stderr

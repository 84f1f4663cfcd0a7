"""A treebank without heads is refused where a parser would learn from it, or be scored on it."""

from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Corpus, Example
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.corpus.errors import InputError
from spacy_arceager.corpus.heads import has_heads
from tests.conftest import DATA, blank_pipeline

TAGGED = "1\tGo\t_\tVERB\t_\t_\t_\t_\t_\t_\n2\ton\t_\tADP\t_\t_\t_\t_\t_\t_\n\n"


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    path = tmp_path / "tagged.conllu"
    path.write_text(TAGGED)
    return path


def test_a_parser_needs_heads(tagged: Path) -> None:
    with pytest.raises(InputError, match="tagged.conllu: no word has a head"):
        list(ConlluCorpus(tagged)(blank_pipeline()))


def test_other_components_and_frozen_parsers_need_none(tagged: Path) -> None:
    def n_examples(nlp: Language) -> int:
        return len(list(ConlluCorpus(tagged)(nlp)))

    tagger = spacy.blank("xx")
    tagger.add_pipe("tagger")
    frozen = blank_pipeline()
    frozen.config["training"]["frozen_components"] = ["arceager_parser"]
    frozen.add_pipe("arceager_clearnlp_labels")     # which changes heads, but learns nothing
    assert n_examples(spacy.blank("xx")) == n_examples(tagger) == n_examples(frozen) == 1


@pytest.mark.parametrize(
    ("columns", "expected"), [("1\t_\t_", True), ("_\tdep\t_", False), ("_\t_\t1:dep", True),
                              ("_\t_\t_", False)]
)
def test_one_head_or_arc_is_enough(tmp_path: Path, columns: str, expected: bool) -> None:
    path = tmp_path / "one.conllu"
    path.write_text(TAGGED.replace("ADP\t_\t_\t_\t_\t_", f"ADP\t_\t_\t{columns}"))
    (example,) = ConlluCorpus(path)(spacy.blank("xx"))
    assert has_heads(example.reference) is expected


def test_a_training_does_not_start_with_a_dev_file_without_heads(
    tagged: Path, tmp_path: Path
) -> None:
    from spacy.cli.train import train

    config = tmp_path / "x.cfg"
    config.write_text(make_config(optimize="speed"), encoding="utf8")
    with pytest.raises(InputError, match="no word has a head"):
        train(config, tmp_path / "out", overrides={
            "paths.train": str(DATA / "en_small-dev.conllu"), "paths.dev": str(tagged),
            "training.max_steps": 2,
        })


def test_spacys_own_reader_of_the_dev_corpus_is_no_way_round(tmp_path: Path) -> None:
    nlp = blank_pipeline()
    train = ConlluCorpus(DATA / "en_small-dev.conllu", limit=4)
    dev = tmp_path / "tagged.spacy"
    DocBin(docs=[Doc(nlp.vocab, ["Go", "on"])]).to_disk(dev)
    examples = list(Corpus(dev)(nlp))
    nlp.initialize(lambda: train(nlp))
    assert nlp.evaluate(examples)["dep_las"] is None      # it is not in training yet
    nlp.update(list(train(nlp)), sgd=nlp.create_optimizer())
    with pytest.raises(InputError, match="no word of the dev corpus has a head"):
        nlp.evaluate(examples)
    assert nlp.evaluate([])["dep_las"] is None
    assert nlp.evaluate(list(train(nlp)) + examples)["dep_las"] is not None


def test_a_parser_that_has_learnt_no_heads_needs_none_to_be_scored() -> None:
    nlp = blank_pipeline()
    train = ConlluCorpus(DATA / "en_small-dev.conllu", limit=4)
    sgd = nlp.initialize(lambda: train(nlp))
    without = [Example(doc.copy(), doc) for doc in (Doc(nlp.vocab, ["Go", "on"]), Doc(nlp.vocab))]
    nlp.update(without, sgd=sgd)
    assert nlp.evaluate(without[:1])["dep_las"] is None
    nlp.update(list(train(nlp)), sgd=sgd)
    with pytest.raises(InputError, match="no word of the dev corpus has a head"):
        nlp.evaluate(without)
    space = Doc(nlp.vocab, ["\n"])
    assert nlp.evaluate([Example(space.copy(), space)])["dep_las"] is None


def test_evaluate_refuses_it_as_conllu_and_as_docs(
    tagged: Path, saved: str, tmp_path: Path
) -> None:
    docs = tmp_path / "tagged.spacy"
    DocBin(docs=[Doc(spacy.blank("xx").vocab, ["Go", "on"])]).to_disk(docs)
    for path in (tagged, docs):
        result = CliRunner().invoke(app, ["evaluate", saved, str(path)])
        assert result.exit_code == 1 and not result.stdout
        assert f"{path}: no word has a head" in result.stderr

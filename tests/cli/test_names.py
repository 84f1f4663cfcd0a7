"""Names that are nearly right, or of something else, are answered with what to do."""

import re
from pathlib import Path

import pytest
import spacy
from click.testing import Result

import spacy_arceager
from spacy_arceager.errors import ConstraintError
from spacy_arceager.systems.catalogue import CATALOGUE, find_system
from tests.cli.conftest import command
from tests.conftest import DATA, PARSER, TINY_MODEL, get_parser


def said(result: Result) -> str:
    return " ".join(result.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    "arguments",
    [("init-config", "--system", "arc_eger"),
     ("inspect", DATA / "en_small-dev.conllu", "--system", "arc_eger", "--set", "distance=2")],
)
def test_an_unknown_system_is_answered_with_a_near_one(arguments: tuple[object, ...]) -> None:
    result = command(*arguments)
    assert result.exit_code == 2
    assert "Do you mean 'arc_eager'?" in said(result)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["prse"], "parse"),
        (["parse", "x", "--fromat", "tree"], "--format"),
        (["parse", "x", "--format", "jsn"], "json"),
        (["parse", "-i", "x.conllu", "--input-format", "conlu"], "conllu"),
        (["derive", "x.conllu", "--format", "htm"], "html"),
        (["derive", "x.conllu", "--oracle", "dynamc"], "dynamic"),
        (["derive", "x.conllu", "--set", "distnce=2"], "distance"),
        (["derive", "x.conllu", "--swap-order", "eagre"], "eager"),
        (["init-config", "--optimize", "encodr"], "encoder"),
        (["init-config", "--lang", "englsh"], "en"),
        (["select", "--by", "minmum"], "minimum"),
        (["evaluate", "en", "x.conllu", "--by", "lable"], "label"),
        (["parse", "x", "--model", "en_arceagr_sm"], "en_arceager_sm"),
    ],
)
def test_a_misspelt_name_is_answered_with_a_near_one(arguments: list[str], meant: str) -> None:
    result = command(*arguments)
    assert result.exit_code in (1, 2)
    answer = said(result).replace("Possible options: --format,", "Did you mean '--format'?")
    assert re.search(rf"D(id|o) you mean '{meant}'", answer), answer


def test_a_misspelt_label_is_answered_with_a_near_one() -> None:
    nlp = spacy_arceager.load("en")
    for head in (1, None):
        doc = nlp.make_doc("She left.")
        doc._.arceager_fixed_arcs = [(0, head, "nsbj")]
        with pytest.raises(ConstraintError, match="'nsbj' of 'She' .* Do you mean 'nsubj'?"):
            nlp(doc)
    with pytest.raises(ValueError, match="Do you mean 'nsubj'?"):
        get_parser(nlp).system.initial(2).apply("LEFT-ARC", "nsbj")


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_system_may_be_a_name_in_python(name: str) -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe(PARSER, config={"system": name, "model": TINY_MODEL})
    assert get_parser(nlp).parameters == find_system(name)


def test_names_of_system_and_oracle_are_saved(tmp_path: Path) -> None:
    nlp = spacy.blank("xx")
    nlp.add_pipe(PARSER, config={
        "system": "arc_hybrid", "oracle": "lookahead", "model": TINY_MODEL,
    })
    get_parser(nlp).add_label("nsubj")
    nlp.initialize()
    nlp.to_disk(tmp_path)
    parser = get_parser(spacy.load(tmp_path))
    assert (parser.parameters, parser.oracle.name) == (find_system("arc_hybrid"), "lookahead")
    listed = command("inspect", DATA / "en_small-dev.conllu", "--config", tmp_path / "config.cfg")
    assert listed.exit_code == 0, listed.output


def test_an_unknown_name_in_python_lists_the_known_ones() -> None:
    for setting, known in (("system", "arc_eager"), ("oracle", "dynamic")):
        with pytest.raises(ValueError, match=f"'nothing' is unknown; use one of .*{known}"):
            spacy.blank("xx").add_pipe(PARSER, config={setting: "nothing", "model": TINY_MODEL})


def test_a_language_without_a_pipeline_is_answered_with_how_to_train_one() -> None:
    with pytest.raises(OSError, match="only 'en' comes with .* --lang de"):
        spacy_arceager.load("de")
    with pytest.raises(OSError, match="neither cy_arceager_sm nor cy_arceager_enc is .* --lang cy"):
        spacy_arceager.load("cy")
    with pytest.raises(OSError, match="E050"):
        spacy_arceager.load("no_such_pipeline")


def install(folder: Path, package: str) -> None:
    """A package whose pipeline is empty and has its name."""
    (folder / package).mkdir()
    (folder / package / "__init__.py").write_text(
        "import spacy\n"
        f"def load(**_): return spacy.blank('cy', meta={{'name': '{package}'}})\n",
        encoding="utf8",
    )
    (folder / f"{package}-1.dist-info").mkdir()
    (folder / f"{package}-1.dist-info" / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n", encoding="utf8"
    )


def test_a_language_stands_for_its_package_where_that_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    for package in ("cy_arceager_enc", "cy_arceager_sm"):      # the small one comes first
        install(tmp_path, package)
        assert spacy_arceager.load("cy").meta["name"] == package


def test_train_is_answered_with_what_trains() -> None:
    result = command("train", "config.cfg", "--paths.train", "x.conllu")
    assert result.exit_code == 1 and "spacy train config.cfg" in result.stderr
    assert " train " not in command("--help").stdout.replace("spacy train", "")


def test_a_treebank_in_the_place_of_the_pipeline() -> None:
    treebank = DATA / "en_small-dev.conllu"
    result = command("evaluate", treebank, "en")
    assert result.exit_code == 1
    assert "This is a file, not a pipeline" in result.stderr and str(treebank) in result.stderr

"""`parse --k-best`."""

import json
import math
import re
from pathlib import Path

import pytest

import spacy_arceager
from spacy_arceager.corpus.conllu import doc_to_conllu
from spacy_arceager.formats.k_best import KBest
from spacy_arceager.formats.registry import TREES
from spacy_arceager.formats.writing import TreeWriting
from spacy_arceager.search.settings import BeamSettings
from tests.cli.conftest import command
from tests.conftest import DATA, PARSER, Trained, blank_pipeline, get_parser, read_corpus

TEXT = "Flying planes can be dangerous. She left."


def blocks(conllu: str) -> list[str]:
    return conllu.strip().split("\n\n")


def test_each_tree_is_a_sentence_with_its_rank_and_scores() -> None:
    result = command("parse", TEXT, "--k-best", 3)
    assert result.exit_code == 0
    found = blocks(result.stdout)
    ranks = [re.findall(r"^# parse = (\d)/(\d)$", block, re.M)[0] for block in found]
    assert ranks == [("1", "3"), ("2", "3"), ("3", "3")] * 2
    ids = re.findall(r"^# sent_id = (\S+)$", result.stdout, re.M)
    assert ids == ["1-1", "1-2", "1-3", "2-1", "2-2", "2-3"]
    assert len({re.sub(r"^#.*\n", "", block, flags=re.M) for block in found}) == 6
    for block in found:
        values = dict(re.findall(r"^# (log_probability\w*) = (\S+)$", block, re.M))
        n_words = sum(line[0] != "#" for line in block.splitlines())
        assert float(values["log_probability"]) == pytest.approx(
            n_words * float(values["log_probability_per_word"]), abs=1e-3
        )
    nlp = spacy_arceager.load("en")
    doc = nlp(TEXT)
    trees = nlp.get_pipe(PARSER).k_best(doc, 8)
    assert [tree.score for tree in trees[0]] == sorted((t.score for t in trees[0]), reverse=True)
    assert sum(math.exp(tree.score) for tree in trees[0]) <= 1
    lines = [line for line in found[4].splitlines() if line[0] != "#"]
    assert "\n".join(lines) in doc_to_conllu(trees[1][1].to_doc(doc))


def test_json_has_a_list_for_each_sentence() -> None:
    written = json.loads(command("parse", TEXT, "--k-best", 2, "-f", "json").stdout)
    assert [len(trees) for trees in written["k_best"]] == [2, 2]
    first, second = written["k_best"][1]
    assert first["tokens"] == [6, 7, 8]
    assert first["heads"] == [token["head"] for token in written["tokens"][6:]]
    assert (first["heads"], first["deps"]) != (second["heads"], second["deps"])
    assert 0 > first["log_probability"] > second["log_probability"]


@pytest.mark.slow
def test_processes_write_the_same_and_comments_stay(tmp_path: Path) -> None:
    path = DATA / "en_small-dev.conllu"
    alone, several = tmp_path / "alone.conllu", tmp_path / "several.conllu"
    for output, n in ((alone, 1), (several, 2)):
        result = command("parse", "-i", path, "--k-best", 2, "-o", output, "--n-process", n)
        assert result.exit_code == 0, result.output
    assert alone.read_text() == several.read_text()
    ids = re.findall(r"^# sent_id = (.*)$", path.read_text(), re.M)
    found = re.findall(r"^# sent_id = (.*)$", alone.read_text(), re.M)
    assert found[0] == f"{ids[0]}-1" and len(found) == len({*found})
    assert list(dict.fromkeys(one.rpartition("-")[0] for one in found)) == ids


@pytest.mark.parametrize("options", [["-f", "svg"], ["-f", "html"], ["--confidence"]])
def test_what_does_not_go_with_it(options: list[str]) -> None:
    assert command("parse", TEXT, "--k-best", 2, *options).exit_code == 2


def test_graphs_have_no_k_best(tmp_path: Path) -> None:
    system = {"@misc": "arceager.named_system.v1", "name": "dag"}
    nlp = blank_pipeline("de", system=system)
    nlp.initialize(lambda: read_corpus(nlp, "de_enhanced.conllu", limit=5))
    nlp.to_disk(tmp_path / "graphs")
    result = command("parse", "Er kam.", "-m", tmp_path / "graphs", "--k-best", 2)
    assert result.exit_code == 1 and "parsed greedily" in result.output


def test_a_model_trained_with_a_beam_has_scores(english: Trained) -> None:
    nlp = english.copy()
    get_parser(nlp).beam = BeamSettings(4, update="early")
    write = TreeWriting(TREES["conllu"], k_best=2)(nlp)
    text = write(nlp("She reads books."), {"id": "a"})
    assert text.startswith("# newdoc id = a\n# parse = 1/2\n# score = ")


def test_trees_have_the_white_space_of_the_text() -> None:
    nlp = spacy_arceager.load("en")
    doc = nlp('He left.\n\nShe stayed.They "did."\n')
    best = TreeWriting(TREES["conllu"], k_best=2)(nlp)(doc, {})

    def misc_of(conllu: str) -> list[str]:
        return [row.split("\t")[-1] for row in conllu.split("\n") if "\t" in row]

    sentences = blocks(doc_to_conllu(doc))
    assert len(sentences) > 1 and misc_of(sentences[-1])[-1] == r"SpacesAfter=\n"
    firsts = [block for block in blocks(best) if "# parse = 1/" in block]
    assert [*map(misc_of, firsts)] == [*map(misc_of, sentences)]
    assert best.count("# newpar\n") == 1


@pytest.mark.parametrize(("own", "n_trees", "width"), [(16, 2, 16), (4, 6, 6), (None, 20, 20)])
def test_the_beam_is_as_wide_as_the_parsers_own_or_as_the_trees_are_many(
    english: Trained, own: int | None, n_trees: int, width: int
) -> None:
    parser = get_parser(english.copy())
    parser.beam = BeamSettings(own) if own else None
    assert KBest(parser, n_trees).width == width
    assert KBest(parser, 1).width == (own or BeamSettings().width)


def test_drawings_have_their_ranks_and_scores() -> None:
    drawn = command("parse", "She left.", "--k-best", 2, "-f", "tree").stdout
    score = r"# log_probability = (-\d+\.\d{1,4})\n# log_probability_per_word = (-\d+\.\d{1,4})\n"
    found = re.findall(rf"^# parse = (\d/\d)\n{score}.*She", drawn, re.M)
    assert [rank for rank, *_ in found] == ["1/2", "2/2"]
    for _, total, per_word in found:
        assert float(total) == pytest.approx(3 * float(per_word), abs=3e-4)
    assert drawn.endswith("\n\n") and drawn.count("\n\n#") == 1
    plain = command("parse", "She left.", "--k-best", 2, "-f", "tree", "--ascii").stdout
    assert plain.isascii() and not drawn.isascii()
    assert plain.count("\n") == drawn.count("\n")

"""The commands of docs/annotation.md run one after the other, with short trainings."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spacy_arceager
from spacy_arceager.corpus.conllu import read_file
from tests.conftest import DATA
from tests.repository.run_code import run_code

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "annotation.md").read_text(encoding="utf8")
PACKAGE = str(Path(spacy_arceager.__file__).parents[1])
COMMANDS = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
SHORT = " --training.max_steps=40 --training.eval_frequency=20"


@pytest.mark.slow
def test_the_commands_run(tmp_path: Path) -> None:
    shutil.copy(DATA / "en_small-train.conllu", tmp_path / "train.conllu")
    shutil.copy(DATA / "en_small-dev.conllu", tmp_path / "dev.conllu")
    text = "She reads the books. We wrote letters to the old king.\nNobody heard the dog .\n"
    (partial,) = re.findall(r"```conllu\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "partial.conllu").write_text(partial + "\n")
    (tmp_path / "texts.txt").write_text(text)
    script = re.sub(r"^(spacy train .*)$", rf"\1{SHORT}", "".join(COMMANDS), flags=re.M)
    folders = [str(Path(sys.executable).parent), os.environ["PATH"]]
    run = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PATH": os.pathsep.join(folders), "PYTHONPATH": PACKAGE}, check=False,
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    assert (tmp_path / "self-trained" / "model-best").is_dir()
    (whole,) = read_file(tmp_path / "whole.conllu")
    assert (whole.words[5].head, whole.words[5].deprel) == (4, "nmod")
    n_trained = len([*read_file(tmp_path / "train.conllu")])
    for name, n in (("more", 4), ("both", 4)):
        assert n_trained < len([*read_file(tmp_path / f"{name}.conllu")]) <= n_trained + n


def test_the_python_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    doc = run_code(code, "docs/annotation.md", capsys)["doc"]
    assert (doc[3].head, doc[3].dep_) == (doc[1], "obj")
    assert doc[0].head == doc[1]
    assert doc[6].dep_ == "obl" and doc[6].head != doc[3]

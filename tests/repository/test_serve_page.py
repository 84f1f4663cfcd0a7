"""docs/serve.md says of the server what is so: limits, parameters, routes, code and requests."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

import spacy_arceager
from spacy_arceager.cli import app
from tests.repository.run_code import run_code

for package in ("starlette", "uvicorn", "python_multipart"):
    pytest.importorskip(package)

from spacy_arceager.serve.limits import (
    CHARACTERS_A_WORD,
    LONG_WORDS,
    LONGEST_WORD,
    PAGE_WORDS,
    Limits,
)
from spacy_arceager.serve.pipeline import ServedPipeline
from spacy_arceager.serve.schema import MOST_TREES
from spacy_arceager.serve.udpipe.parameters import READERS, TOKENIZER_OPTIONS, WRITERS
from tests.serve.servers import serving

PAGE = (Path(__file__).parents[2] / "docs" / "serve.md").read_text(encoding="utf8")


def section(title: str) -> str:
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_limits_are_the_defaults_of_the_command() -> None:
    told = dict(re.findall(r"^\| `--([\w-]+)` \| ([\w.,]+) \|", section("Limits"), re.MULTILINE))
    options = {param.name: param.default for param in get_command(app).commands["serve"].params}
    assert {name.replace("-", "_"): value.replace(",", "") for name, value in told.items()} == {
        name: str(options[name])
        for name in ("host", "max_words", "max_kilobytes", "rate", "waiting", "timeout")
    }
    assert f"take {PAGE_WORDS:,}" in section("Limits")
    assert CHARACTERS_A_WORD == 10 and "ten characters" in section("Limits")
    longest = f"{LONGEST_WORD:,} characters without white space, {LONG_WORDS} times at most"
    assert longest in section("Limits")


def test_the_parameters_of_udpipe_are_those_that_are_supported() -> None:
    rows = dict(re.findall(r"^\| (`.*?) \| (.*) \|$", section("Clients of UDPipe"), re.MULTILINE))
    assert [name for row in rows for name in re.findall(r"`(\w+)`", row)] == [
        "data", "model", "tokenizer", "input", "tagger", "parser", "output"
    ]
    for row, names in (("`input`", READERS), ("`output`", WRITERS),
                       ("`tokenizer`", TOKENIZER_OPTIONS)):
        told = {name for name in re.findall(r"`([\w=]+)`", rows[row]) if name != "tokenizer"}
        assert told == set(names)


def test_the_json_api_is_described() -> None:
    text = section("The JSON API")
    assert f"to {MOST_TREES}" in text
    for name in ("fixed", "forbidden", "k_best", "draw", "model", "conllu", "sentences", "words"):
        assert f"`{name}`" in text


@pytest.mark.skipif(not shutil.which("curl"), reason="there is no curl")
def test_the_requests_are_answered() -> None:
    requests = re.findall(r"^curl .*$", PAGE, re.MULTILINE)
    assert len(requests) == 3
    pipeline = ServedPipeline(spacy_arceager.load("en"), "en", Limits())
    with serving(pipeline) as server:
        for request in requests:
            parts = shlex.split(request.replace("http://127.0.0.1:8000", server.address))
            reply = subprocess.run([*parts, "-s"], capture_output=True, text=True, check=True)
            assert json.loads(reply.stdout).keys() & {"sentences", "$defs", "result"}


def test_the_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        run_code(code + "assert app.routes\n", "docs/serve.md", capsys)

"""The version of the arithmetic is the best that the processor has."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.kernels.versions import chosen_versions

CPU = Path("/proc/cpuinfo")
ONE = "that of the build's flags"       # of a build with one version, and of other compilers
# What Linux calls the instructions of each level, from the highest on (the psABI of x86-64).
LEVELS = {
    "AVX-512 (x86-64-v4)": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "AVX2 (x86-64-v3)": {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "SSE2 (x86-64)": {"sse2"},
}


@pytest.mark.skipif(not CPU.exists(), reason="Linux tells what a processor has")
def test_it_is_the_best_that_the_processor_has() -> None:
    flags = set(re.findall(r"\w+", CPU.read_text(encoding="utf8")))
    found = chosen_versions()
    if found["floats"] != ONE:
        assert found["floats"] == next(name for name, needs in LEVELS.items() if needs <= flags)
        assert ("AVX512" in found["products of half floats"]) is ("avx512_bf16" in flags)


def test_info_tells_it() -> None:
    printed = CliRunner().invoke(app, ["info"]).stdout
    assert all(name in printed and value in printed for name, value in chosen_versions().items())

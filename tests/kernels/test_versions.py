"""The version of the arithmetic is the best that the processor has."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from typer.testing import CliRunner

from spacy_arceager.cli import app
from spacy_arceager.kernels.row_product import (
    BYTE_PRODUCTS,
    CHOICE,
    CHOICE_OF_FLOATS,
    FLOATS,
    HALVES,
    PRODUCTS,
    RowProduct,
)
from spacy_arceager.kernels.versions import chosen_versions

CPU = Path("/proc/cpuinfo")
ONE = ("of the build",)       # of a build with flags for newer processors, and of other compilers
# What Linux calls the instructions of each level, from the highest on (the psABI of x86-64).
LEVELS = {
    "AVX-512": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
    "AVX2": {"avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"},
    "SSE2": {"sse2"},
}


@pytest.mark.skipif(not CPU.exists(), reason="Linux tells what a processor has")
def test_it_is_the_best_that_the_processor_has() -> None:
    flags = set(re.findall(r"\w+", CPU.read_text(encoding="utf8")))
    found = chosen_versions()
    assert found["products in parsing"].split(",")[0] == PRODUCTS[0]
    if FLOATS != ONE:
        assert tuple(name for name, needs in LEVELS.items() if needs <= flags) == FLOATS
        assert found["floats"] == (os.environ.get(CHOICE_OF_FLOATS) or FLOATS[0])
        needed = {"AMX-BF16": {"amx_bf16"}, "AVX512-VNNI": {"avx512_vnni"},
                  "VNNI-256": {"avx512_vnni", "avx_vnni"}, "AVX512-BF16": {"avx512_bf16"}}
        has = {name for name, any_of in needed.items() if any_of & flags}
        # Linux has to give permission to use AMX.
        assert {*PRODUCTS} - {"floats"} in (has, has - {"AMX-BF16"})


@pytest.mark.slow
@pytest.mark.parametrize("name", PRODUCTS)
def test_one_can_be_chosen(name: str) -> None:
    """By the name that `arceager info` prints; training multiplies half floats at the least."""
    done = run_info({CHOICE: name})
    assert re.search(rf"products in parsing +{name},", done.stdout), done.stderr
    training = re.search("products in training +(.+), of half floats", done.stdout)
    of_half_floats = [name, *PRODUCTS]      # bytes are too coarse for gradients
    assert training and training[1] == next(p for p in of_half_floats if p not in BYTE_PRODUCTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOATS)
def test_a_version_of_the_rest_can_be_chosen(name: str) -> None:
    done = run_info({CHOICE_OF_FLOATS: name})
    assert re.search(rf"floats +{name} ", done.stdout), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOATS[1:])
def test_each_version_is_equal_to_the_slow_twins(name: str) -> None:
    """The tests of this process run with the newest version."""
    tests = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow",
         *(str(tests / folder) for folder in ("network", "token_vectors", "kernels"))],
        check=False, capture_output=True, text=True, cwd=tests.parent,
        env=os.environ | {CHOICE_OF_FLOATS: name},
    )
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
def test_one_that_the_processor_lacks_is_refused() -> None:
    for variable in (CHOICE, CHOICE_OF_FLOATS):
        done = run_info({variable: "AVX1024"})
        assert done.returncode
        assert f"{variable}='AVX1024': this build has" in done.stderr
    weights = numpy.ones((2, 48), dtype="f")
    with pytest.raises(ValueError, match="this build has"):
        RowProduct(weights, weights[0], rounding=HALVES, kernel="AVX1024")


def run_info(choices: dict[str, str]) -> subprocess.CompletedProcess:
    """`arceager info` in a new process, with these versions of the arithmetic."""
    return subprocess.run(
        [sys.executable, "-m", "spacy_arceager", "info"], check=False, capture_output=True,
        text=True, env=os.environ | choices,
    )


def test_info_tells_it() -> None:
    printed = CliRunner().invoke(app, ["info"]).stdout
    assert all(name in printed and value in printed for name, value in chosen_versions().items())

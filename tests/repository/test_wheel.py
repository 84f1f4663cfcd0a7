"""What scripts/check_wheel.py finds."""

import zipfile
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

LISTING = """
0000000000005f00 <_ZN8VersionsIXadL_ZL11add_to_bodyPfPKfiEEE4avx2ES0_S2_i>:
    5f04:\tvmovups (%rdi),%ymm0
0000000000006000 <_ZN8VersionsIXadL_ZL11add_to_bodyPfPKfiEEE4sse2ES0_S2_i>:
    6004:\tmovups (%rdi),%xmm0
    6008:\tverr   %ax
0000000000007000 <everywhere>:
    7004:\tvaddps %xmm0,%xmm1,%xmm1
"""


@pytest.fixture
def check_wheel(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    import check_wheel

    monkeypatch.setattr(check_wheel, "files_of_package", lambda: {"a/b.py", "a/c.pyx", "a/c"})
    return check_wheel


def test_newer_code_is_found_outside_what_is_chosen_at_run_time(check_wheel: ModuleType) -> None:
    assert check_wheel.newer_functions(LISTING.splitlines()) == {"everywhere"}


def test_files_are_those_of_the_package(check_wheel: ModuleType, tmp_path: Path) -> None:
    wheel = tmp_path / "a-1-cp311-cp311-win_amd64.whl"
    names = ["a/b.py", "a/c.pyx", "a/c.cp311-win_amd64.pyd", "a/", "a-1.dist-info/METADATA"]
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    assert check_wheel.problems(wheel) == []
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in [*names[1:], "a/c.cpp"]:
            archive.writestr(name, "")
    assert check_wheel.problems(wheel) == ["not in it: a/b.py", "not of the package: a/c.cpp"]

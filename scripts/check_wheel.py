"""Look into wheels: is all of the package there, and does their code run on every processor?

python scripts/check_wheel.py WHEEL [WHEEL ...]

Linux wheels for x86-64 must have no instruction of newer processors but in functions that are
chosen at run time, where the processor has it (needs objdump of binutils). Prints a line each;
fails if one is not as it should be.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
# AVX and what came after it: their names begin with v, which few older ones do (verr, verw).
NEWER = re.compile(r"^\s*[0-9a-f]+:\s+v(?!err|erw)\w+\s")
# By `choose` of processor.h, or where `has_half_product` and the like are true.
CHOSEN_AT_RUN_TIME = re.compile(
    r"^_ZN8VersionsI.+E(4avx2|6avx512)E|^_ZL\d+(row_product_avx|(half|byte|tile)_product)")


def files_of_package() -> set[str]:
    """What git knows of the package, and what is made of each .pyx file.

    That is its stub and its compiled module, here without its ending, and the module that they
    share (setup.py).
    """
    listed = subprocess.run(
        ["git", "ls-files", "spacy_arceager"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    modules = [name.removesuffix(".pyx") for name in listed if name.endswith(".pyx")]
    stubs = [f"{name}.pyi" for name in modules]
    return {*listed, *modules, *stubs, "spacy_arceager/_memoryviews"}


def files_of_wheel(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        names = [
            name for name in archive.namelist()
            if ".dist-info/" not in name and not name.endswith("/")
        ]
    return {name.split(".")[0] if name.endswith((".so", ".pyd")) else name for name in names}


def find_newer_code(wheel: Path) -> Iterator[str]:
    """Functions with instructions that not every x86-64 processor has."""
    with tempfile.TemporaryDirectory() as folder, ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith(".so"):
                found = newer_functions(disassemble(archive.extract(name, folder)))
                yield from (f"{name}: {function}" for function in found)


def disassemble(library: str) -> list[str]:
    done = subprocess.run(
        ["objdump", "--disassemble", "--no-show-raw-insn", library],
        capture_output=True, text=True, check=True,
    )
    return done.stdout.splitlines()


def newer_functions(listing: Iterable[str]) -> set[str]:
    """Functions in lines of objdump that not every processor can run."""
    found, function = set(), ""
    for line in listing:
        if match := FUNCTION.match(line):
            function = match[1]
        elif not CHOSEN_AT_RUN_TIME.search(function) and NEWER.match(line):
            found.add(function)
    return found


def problems(wheel: Path) -> list[str]:
    expected, found = files_of_package(), files_of_wheel(wheel)
    wrong = [f"not in it: {name}" for name in sorted(expected - found)]
    wrong += [f"not of the package: {name}" for name in sorted(found - expected)]
    if re.search(r"linux\w*_x86_64\.whl$", wheel.name):
        wrong += [f"code for newer processors: {name}" for name in sorted(find_newer_code(wheel))]
    return wrong


if __name__ == "__main__":
    checked = {wheel: problems(wheel) for wheel in map(Path, sys.argv[1:])}
    for wheel, wrong in checked.items():
        print(wheel.name, f"{wheel.stat().st_size / 1e6:.1f} MB:", "\n  ".join(wrong) or "good")
    sys.exit(not checked or any(checked.values()))

"""Try the package with the lowest and the highest versions that setup.cfg allows.

python scripts/try_versions.py [--work FOLDER] [--python 3.11] [TEST ...]

For each Python from 3.10 to 3.14 on PATH or under ~/.pyenv: a wheel of this package, built from
its sources; then a fresh virtual environment with the lowest (then the highest) spaCy, thinc and
NumPy for which there are wheels, the wheel, and the tests. Prints a line each; fails if one does.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from configparser import ConfigParser
from pathlib import Path
from typing import Annotated

import typer
from packaging.requirements import Requirement
from packaging.version import Version

REPOSITORY = Path(__file__).parent.parent
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
PINNED = ("spacy", "thinc", "numpy")
MINOR = {"spacy": "3.8"}     # the pipelines are made for it
TESTS = [
    "tests/installed", "tests/pipe/test_noun_chunks.py", "tests/cli/test_help.py",
    "tests/cli/test_names.py",
]


def find_pythons() -> dict[str, str]:
    """Version and interpreter of those that are on this machine."""
    found = {}
    for version in PYTHONS:
        homes = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"))
        path = str(homes[-1]) if homes else shutil.which(f"python{version}")
        if path:
            found[version] = path
    return found


def requirements() -> dict[str, Requirement]:
    config = ConfigParser()
    config.read(REPOSITORY / "setup.cfg")
    lines = config["options"]["install_requires"].split("\n")
    parsed = [Requirement(line) for line in lines if line.strip()]
    return {requirement.name: requirement for requirement in parsed}


def versions_of(python: Path, requirement: Requirement) -> list[Version]:
    """All versions in the index that are allowed, the lowest first."""
    output = run(python, "-m", "pip", "index", "versions", requirement.name)
    line = re.search(r"Available versions: (.*)", output.stdout)
    versions = sorted(map(Version, line[1].split(", "))) if line else []
    minor = MINOR.get(requirement.name, "")
    return [v for v in versions if v in requirement.specifier and str(v).startswith(minor)]


def run(*command: object, cwd: Path | None = None) -> subprocess.CompletedProcess:
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    return subprocess.run(
        [*map(str, command)], capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )


def pack(folder: Path) -> Path:
    """The sources as a file, so that a build finds nothing that another Python has compiled."""
    done = run(sys.executable, "setup.py", "-q", "sdist", "-d", folder, cwd=REPOSITORY)
    if done.returncode:
        sys.exit(done.stderr[-1000:])
    return next(folder.glob("*.tar.gz"))


def build(interpreter: str, sources: Path, folder: Path) -> Path | str:
    """A wheel of this package for a Python, or what went wrong."""
    run(interpreter, "-m", "venv", folder)
    python = folder / "bin" / "python"
    done = run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, sources)
    return next(folder.glob("*.whl")) if done.returncode == 0 else done.stderr[-1000:]


def install(python: Path, wheel: Path, lowest: bool) -> str | None:
    """Pin what setup.cfg names, one package after the other, and install this package.

    Returns None, or what went wrong.
    """
    pins: list[str] = []
    for name in PINNED:
        versions = versions_of(python, requirements()[name])
        for version in versions if lowest else versions[::-1]:
            tried = [*pins, f"{name}=={version}"]
            done = run(python, "-m", "pip", "install", "-q", "--only-binary", ":all:", *tried)
            if done.returncode == 0:
                pins = tried
                break
        else:
            return f"no {name} with a wheel"
    built = run(python, "-m", "pip", "install", "-q", f"{wheel}[test]", *pins)
    return None if built.returncode == 0 else built.stderr[-1000:]


def installed(python: Path) -> str:
    listed = json.loads(run(python, "-m", "pip", "list", "--format", "json").stdout)
    return ", ".join(f"{p['name']} {p['version']}" for p in listed if p["name"] in PINNED)


def test(python: Path, work: Path, tests: list[str]) -> str | None:
    """Run tests against the installed package, from a folder without the sources."""
    shutil.copytree(REPOSITORY / "tests", work / "tests", dirs_exist_ok=True)
    done = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=work)
    return None if done.returncode == 0 else done.stdout[-2000:]


def main(
    tests: Annotated[list[str] | None, typer.Argument()] = None,
    work: Annotated[Path | None, typer.Option(help="Keeps the environments.")] = None,
    python: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(PYTHONS)}.")] = None,
) -> None:
    """Try the lowest and the highest versions with every Python that is here."""
    folder = work or Path(tempfile.mkdtemp())
    pythons = {v: p for v, p in find_pythons().items() if not python or v in python}
    missing = sorted(set(python or PYTHONS) - set(pythons))
    print("Python not here:", ", ".join(missing) or "none")
    failed = bool(missing and python)
    sources = pack(folder)
    for version, interpreter in pythons.items():
        wheel = build(interpreter, sources, folder / f"{version}-wheel")
        if isinstance(wheel, str):
            failed = True
            print(f"Python {version}: no wheel:", wheel, flush=True)
            continue
        for end in ("lowest", "highest"):
            home = folder / f"{version}-{end}"
            run(interpreter, "-m", "venv", home)
            binary = home / "bin" / "python"
            problem = install(binary, wheel, end == "lowest") or test(binary, home, tests or TESTS)
            failed = failed or problem is not None
            print(f"Python {version}, {end}: {installed(binary)}:", problem or "good", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    typer.run(main)

"""A pipeline as a wheel that pip installs and `spacy.load` finds."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from spacy.cli.package import package


def make_wheel(pipeline: Path, folder: Path, largest: int) -> Path:
    """Pack a pipeline whose meta.json has its name. Nothing is fetched for that.

    Args:
        largest: how many bytes the wheel may have.

    Returns:
        The wheel in `folder`.

    Raises:
        SystemExit: If it is larger, which is told, or if pip fails.
    """
    with TemporaryDirectory() as work:
        package(pipeline, Path(work), create_sdist=False)
        (source,) = Path(work).iterdir()
        built = subprocess.run(
            [
                sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps",
                "--no-build-isolation", "--wheel-dir", work, str(source),
            ],
            capture_output=True, text=True, check=False,
        )
        if built.returncode:
            raise SystemExit(f"{source.name} was not packed:\n{built.stderr}")
        (wheel,) = Path(work).glob("*.whl")
        size = wheel.stat().st_size
        if size > largest:
            raise SystemExit(f"{wheel.name} has {size:,} bytes, more than {largest:,}")
        part = folder / f"{wheel.name}.part"
        part.write_bytes(wheel.read_bytes())
        return part.replace(folder / wheel.name)

"""Where a pipeline is loaded from."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

import spacy_arceager

if TYPE_CHECKING:
    from spacy import Language


def make_checksum(folder: Path) -> str:
    """A checksum of a pipeline's folder and of the version of this package."""
    digest = blake2b(spacy_arceager.__version__.encode(), digest_size=16)
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")}
    for name, path in sorted(files.items()):
        if path.is_file():
            digest.update(name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def import_code(code: Sequence[str]) -> None:
    """Import Python files. Raises FileNotFoundError for those that are not there."""
    from spacy.util import import_file

    check_code(code)
    for path in code:
        import_file(Path(path).stem, path)


def check_code(code: Sequence[str]) -> None:
    """Raise FileNotFoundError if a file of code is not there."""
    for path in code:
        if not Path(path).is_file():
            raise FileNotFoundError(f"The file of code '{path}' does not exist")


@dataclass(frozen=True)
class Source:
    """Where a pipeline comes from.

    Attributes:
        model: as for `spacy_arceager.load`.
        code: Python files that register functions which the pipeline needs.
        valid: the rules that trees keep, see `Settings.valid`; None leaves the parser as it is.
    """

    model: str
    code: Sequence[str] = ()
    valid: str | None = None

    def load(self) -> "Language":
        """Load the pipeline. Raises OSError, ValueError or ImportError if that fails."""
        import_code(self.code)
        nlp = spacy_arceager.load(self.model)
        if self.valid:
            from ..pipe.component import find_parser

            find_parser(nlp)[0].valid = self.valid
        return nlp

    def find_folder(self) -> Path | None:
        """The folder of the pipeline, or None for an installed package."""
        shipped = spacy_arceager.SHIPPED.get(self.model)
        folder = spacy_arceager.PIPELINES / shipped if shipped else Path(self.model)
        return folder if folder.is_dir() else None

    def load_for_worker(self) -> "Language":
        """Load the pipeline for a process that shall use one core, so BLAS gets one thread."""
        nlp = self.load()
        threadpool_limits(1)
        return nlp

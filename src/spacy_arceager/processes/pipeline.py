"""The pipeline of a worker."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from threadpoolctl import threadpool_limits

import spacy_arceager

if TYPE_CHECKING:
    from spacy import Language


@dataclass(frozen=True)
class Source:
    """Where a pipeline comes from.

    Attributes:
        model: as for `spacy_arceager.load`.
        code: Python files with functions that it needs, which they register.
    """

    model: str
    code: Sequence[str] = ()

    def load(self) -> "Language":
        """Load the pipeline. Raises OSError, ValueError or ImportError where that fails."""
        from spacy.util import import_file

        for path in self.code:
            if not Path(path).is_file():
                raise FileNotFoundError(f"There is no file of code '{path}'")
            import_file(Path(path).stem, path)
        return spacy_arceager.load(self.model)

    def load_for_worker(self) -> "Language":
        """Load the pipeline for a process that has one core: its BLAS takes one thread."""
        nlp = self.load()
        threadpool_limits(1)
        return nlp

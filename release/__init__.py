"""Pipelines for raw text, one for each language: trained, scored and packed by one command.

    python -m release TREEBANKS

`treebanks.yml` says which languages there are, and what each is trained on. See docs/pipelines.md
and `release` in project.yml. All runs on one thread, as the programs of `benchmarks` do.
"""

import benchmarks  # noqa: F401  (sets the number of threads)

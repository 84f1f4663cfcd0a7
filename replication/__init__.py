"""The experiments of the papers, and other trainings: `python -m replication.NAME`.

See README.md. All programs run on one thread, as those of `benchmarks` do.
"""

import benchmarks  # noqa: F401  (sets the number of threads)

"""Programs that measure speed and memory: `python -m benchmarks.NAME`, in the repository.

All of them run on one thread, except where they say otherwise: Python imports this file before any
of them, and so before NumPy, which reads how many threads it may have when it is imported.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

"""Builds the Cython modules and their stubs; all else about the package is in setup.cfg."""

import os
import sys
from pathlib import Path
from runpy import run_path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGE = Path("spacy_arceager")
# For tests: Cython checks indices and memoryviews (scripts/sanitize.sh).
CHECKED = os.environ.get("ARCEAGER_BOUNDSCHECK") == "1"
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": CHECKED,
    "cdivision": True,
    "embedsignature": True,
    "annotation_typing": False,     # annotations are for stubs and readers
}
# CFLAGS in the environment replace the optimisation: setuptools puts them before these.
OPTIMISATION = [] if "CFLAGS" in os.environ else ["-O3", "-g0"]
FLAGS = (
    ["/O2", "/std:c++17"] if sys.platform == "win32"
    else [*OPTIMISATION, "-std=c++17", "-fno-math-errno", "-fno-trapping-math"]
)

# Cython finds the headers that modules name, but not those that other headers include.
INCLUDED = [str(PACKAGE / "kernels" / name) for name in ("byte_product_version.h", "processor.h")]


def extension(path: Path) -> Extension:
    """One Cython module, compiled as C++ because spaCy's own headers are C++."""
    return Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        language="c++",
        include_dirs=[numpy.get_include(), str(PACKAGE / "kernels")],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=FLAGS,
        depends=INCLUDED,
    )


# What Cython needs for memoryviews, compiled once and not in every module.
SHARED = Extension("spacy_arceager._memoryviews", ["spacy_arceager/_memoryviews.c"])

if __name__ == "__main__":      # Cython's worker processes may import this file
    run_path("scripts/write_stubs.py")["write_stubs"]()
    setup(
        ext_modules=cythonize(
            [*map(extension, sorted(PACKAGE.rglob("*.pyx"))), SHARED],
            nthreads=os.cpu_count(),
            compiler_directives=DIRECTIVES,
            shared_utility_qualified_name=SHARED.name,
        ),
        options={"build_ext": {"parallel": os.cpu_count()}},
    )

"""Builds the Cython modules; everything else about the package is in setup.cfg."""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGE = Path("spacy_arceager")
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "embedsignature": True,
}


def extension(path: Path) -> Extension:
    """One Cython module, compiled as C++ because spaCy's own headers are C++."""
    return Extension(
        ".".join(path.with_suffix("").parts),
        [str(path)],
        language="c++",
        include_dirs=[numpy.get_include(), str(PACKAGE / "decoding")],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
        extra_compile_args=[
            "-O3", "-g0", "-std=c++17", "-fno-math-errno", "-fno-trapping-math"
        ],
    )


setup(
    ext_modules=cythonize(
        [extension(path) for path in sorted(PACKAGE.rglob("*.pyx"))],
        compiler_directives=DIRECTIVES,
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)

#!/usr/bin/env bash
# Builds the package with checks in a folder of its own and runs tests and the fuzz bench there.
#
#   scripts/sanitize.sh [asan|bounds|clang] [SECONDS]
#
# asan: AddressSanitizer and UndefinedBehaviorSanitizer, then LeakSanitizer on a short run.
# bounds: Cython's checks of indices and of memoryviews. clang: the second compiler, no checks.
# SECONDS: of the fuzz bench (60). PYTHON is the interpreter (python), with the test
# requirements and Cython installed; FLAGS are more flags for the compiler; JOBS compilers run
# at once (1); TESTS the tests.
set -euo pipefail
mode=${1:-asan} seconds=${2:-60} python=${PYTHON:-python}
case $mode in
    asan | bounds | clang) ;;
    *) sed -n 2,10p "$0"; exit 2 ;;
esac
tests=${TESTS:-tests/fuzz tests/search/test_greedy.py tests/network tests/oracles/cost_functions/test_graph.py tests/oracles/cost_functions/test_lookahead.py tests/annotation tests/oracles/test_segmentation.py tests/pipe/test_segmentation.py}
repository=$(cd "$(dirname "$0")/.." && pwd)
folder=$repository/build/$mode

cd "$repository"
mkdir -p "$folder"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -pt "$folder"
# Cython need not run again where the tree has been built; with other checks its output differs.
[ "$mode" = bounds ] || find spacy_arceager -name "*.cpp" -print0 | xargs -0r cp --parents -pt "$folder"
cd "$folder"

more=${FLAGS:-}
case $mode in
    asan)
        checks="-fsanitize=address,undefined -fno-sanitize-recover=undefined"
        export CFLAGS="-O1 -g1 -fno-omit-frame-pointer $checks $more" LDFLAGS="$checks" ;;
    bounds) export ARCEAGER_BOUNDSCHECK=1 ;;
    clang) export CC=clang CXX=clang++ CFLAGS="-O2 $more" LDSHARED="clang -shared" ;;
esac
export CXXFLAGS="${CFLAGS:-}"
"$python" setup.py -q egg_info build_ext --inplace --parallel "${JOBS:-1}" > build.log 2>&1 || { tail -40 build.log; exit 1; }
export PYTHONPATH=$folder

run() {     # everything in Python with the checks on, also of memory that Python allocates
    if [ "$mode" = asan ]; then
        LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libstdc++.so)" \
        PYTHONMALLOC=malloc UBSAN_OPTIONS=print_stacktrace=1 \
        ASAN_OPTIONS="detect_leaks=${leaks:-0}:allocator_may_return_null=1:malloc_context_size=20" \
            "$python" "$@"
    else
        "$python" "$@"
    fi
}

# An index out of bounds in C without the GIL can only be printed; pytest makes it an error.
run -m pytest -q -p no:cacheprovider -W error::pytest.PytestUnraisableExceptionWarning \
    $tests
run -W ignore -m tests.fuzz --seconds "$seconds"
if [ "$mode" = asan ]; then
    # CPython never frees some of its memory; a leak is ours if the package is in its stack.
    leaks=1 run -W ignore -m tests.fuzz --case 0 --cases 30 2> leaks.log || true
    if grep -q "spacy_arceager" leaks.log; then grep -B12 "spacy_arceager" leaks.log; exit 1; fi
    echo "no leaks of ours"
fi

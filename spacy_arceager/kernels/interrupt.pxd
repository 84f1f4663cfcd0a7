"""Ctrl-C in long loops without the GIL: about ten times a second they look for signals."""

from cpython.exc cimport PyErr_CheckSignals

cdef extern from *:
    """
    #include <chrono>
    static inline long long arceager_milliseconds() {
        using namespace std::chrono;
        return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
    }
    """
    long long arceager_milliseconds() nogil

cdef enum:
    STEPS_BETWEEN = 8       # the clock is read once in so many steps of a search
    PERIOD = 100            # milliseconds between two looks for signals

cdef struct WatchC:
    int n_steps
    long long last

# To be called at each step. Raises what a signal handler raises.
cdef inline int check_signals(WatchC* watch) except -1 nogil:
    cdef long long now
    watch.n_steps += 1
    if watch.n_steps % STEPS_BETWEEN:
        return 0
    now = arceager_milliseconds()
    if now - watch.last < PERIOD:
        return 0
    watch.last = now
    with gil:
        PyErr_CheckSignals()
    return 0

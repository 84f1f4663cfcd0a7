cdef double LOW

cdef struct ChartC:
    int n          # words
    int m          # n + 2, the stride
    double* A
    double* R
    double* T
    double* Ps     # push by SHIFT: A + shift, by [k, i]
    double* Pr     # push by RIGHT: T + right
    double* Ql     # pop by LEFT: T + left, by [j, i]
    double* Qr     # pop by REDUCE

cdef int make(ChartC* c, int n) except -1 nogil
cdef void fill(ChartC* c, const double* shift, const double* left, const double* right,
               const double* reduce, bint total) noexcept nogil
cdef double trace(ChartC* c, const double* root, int* heads, int* stack) noexcept nogil

/* Gated recurrence over a sentence, forward and backward, a word at a time.

   Of each unit there are, one behind the other: [width] candidates, [width] forget gates,
   [width] output gates. The words' products are computed before all at once; here is what
   depends on the words before. */
#ifndef ARCEAGER_RECURRENCE_H
#define ARCEAGER_RECURRENCE_H

#include <math.h>

#include "kernels.h"

/* Products of a word -> tanh of the candidates, logistic function of the gates. Both by the
   exponential of a negative number, which neither overflows nor loses what is small. */
ARCEAGER_FAST
static void open_gates(float *__restrict gates, int width) {
    for (int i = 0; i < width; i++) {
        const float e = exp_of_negative(-2.0f * fabsf(gates[i]));
        gates[i] = copysignf((1.0f - e) / (1.0f + e), gates[i]);
    }
    for (int i = width; i < 3 * width; i++) {
        const float e = exp_of_negative(-fabsf(gates[i]));
        gates[i] = (gates[i] < 0.0f ? e : 1.0f) / (1.0f + e);
    }
}

/* One word, for the units from `first` to `last`: cell = forget * before + (1 - forget) *
   candidate, out = output gate * cell. */
ARCEAGER_FAST
static void recur(float *__restrict out, float *__restrict cell,
                  const float *__restrict before, const float *__restrict gates, int first,
                  int last, int width) {
    for (int i = first; i < last; i++) {
        const float forget = gates[width + i];
        cell[i] = forget * before[i] + (1.0f - forget) * gates[i];
        out[i] = gates[2 * width + i] * cell[i];
    }
}

/* The gradient of that word: of its output, d_out, and of its cell by the next word,
   d_cell, to that of its products, d_products, and in d_cell to that of the cell before. */
ARCEAGER_FAST
static void backprop_recur(float *__restrict d_products, float *__restrict d_cell,
                           const float *__restrict d_out, const float *__restrict cell,
                           const float *__restrict before, const float *__restrict gates,
                           int first, int last, int width) {
    for (int i = first; i < last; i++) {
        const float candidate = gates[i];
        const float forget = gates[width + i];
        const float output = gates[2 * width + i];
        const float d = d_cell[i] + d_out[i] * output;
        d_products[i] = d * (1.0f - forget) * (1.0f - candidate * candidate);
        d_products[width + i] = d * (before[i] - candidate) * forget * (1.0f - forget);
        d_products[2 * width + i] = d_out[i] * cell[i] * output * (1.0f - output);
        d_cell[i] = d * forget;
    }
}

#endif

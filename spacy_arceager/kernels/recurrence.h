/* Gated recurrence over a sentence, forward and backward, one word at a time.

   The gates of a word are [units] candidates, [units] forget gates and [units] output gates, one
   behind the other. They are made of products that are computed for many words at once; only the
   steps below depend on the word before. */
#ifndef ARCEAGER_RECURRENCE_H
#define ARCEAGER_RECURRENCE_H

#include <math.h>

#include "kernels.h"

/* In place, products of a word -> tanh of the candidates, logistic function of the gates. Both use
   the exponential of a negative number, which does not overflow and is exact for small inputs. */
ARCEAGER_INLINE void open_gates_body(float *__restrict gates, int units) {
    for (int i = 0; i < units; i++) {
        const float e = exp_of_negative(-2.0f * fabsf(gates[i]));
        gates[i] = copysignf((1.0f - e) / (1.0f + e), gates[i]);
    }
    for (int i = units; i < 3 * units; i++) {
        const float e = exp_of_negative(-fabsf(gates[i]));
        gates[i] = (gates[i] < 0.0f ? e : 1.0f) / (1.0f + e);
    }
}
ARCEAGER_VERSIONS_OF(open_gates)

/* The step of one word: cell = forget * before + (1 - forget) * candidate, and
   out = output gate * cell. `before` is the cell of the word before. */
ARCEAGER_INLINE void recur_body(float *__restrict out, float *__restrict cell,
                                const float *__restrict before, const float *__restrict gates,
                                int units) {
    for (int i = 0; i < units; i++) {
        const float forget = gates[units + i];
        cell[i] = forget * before[i] + (1.0f - forget) * gates[i];
        out[i] = gates[2 * units + i] * cell[i];
    }
}
ARCEAGER_VERSIONS_OF(recur)

/* The backward step of that word. d_out is the gradient of its output, and d_cell the gradient of
   its cell that comes from the next word. d_products receives the gradient of its products, of
   which those of each gate are `stride` apart, and d_cell the gradient of the cell before. */
ARCEAGER_INLINE void backprop_recur_body(float *__restrict d_products, float *__restrict d_cell,
                                         const float *__restrict d_out,
                                         const float *__restrict cell,
                                         const float *__restrict before,
                                         const float *__restrict gates, int units, int stride) {
    for (int i = 0; i < units; i++) {
        const float candidate = gates[i];
        const float forget = gates[units + i];
        const float output = gates[2 * units + i];
        const float d = d_cell[i] + d_out[i] * output;
        d_products[i] = d * (1.0f - forget) * (1.0f - candidate * candidate);
        d_products[stride + i] = d * (before[i] - candidate) * forget * (1.0f - forget);
        d_products[2 * stride + i] = d_out[i] * cell[i] * output * (1.0f - output);
        d_cell[i] = d * forget;
    }
}
ARCEAGER_VERSIONS_OF(backprop_recur)

#endif

/* A step of Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019) and
   averaged weights. It is one pass, since it waits for memory and not for arithmetic. */
#ifndef ARCEAGER_ADAM_H
#define ARCEAGER_ADAM_H

#include <math.h>

#include "kernels.h"

ARCEAGER_INLINE double sum_of_squares_body(const float *x, size_t size) {
    float lanes[SUM_LANES] = {0};
    double total = 0;
    size_t i = 0;
    for (; i + SUM_LANES <= size; i += SUM_LANES)
        for (int k = 0; k < SUM_LANES; k++) lanes[k] += x[i + k] * x[i + k];
    for (int k = 0; k < SUM_LANES; k++) total += lanes[k];
    for (; i < size; i++) total += x[i] * x[i];
    return total;
}
ARCEAGER_VERSIONS_OF(sum_of_squares)

/* clip: the gradient is multiplied by it. The other arguments are those of adam_step in adam.pyx;
   averages may be NULL. The gradient becomes zero. */
ARCEAGER_INLINE void adam_body(float *__restrict weights, float *__restrict gradient,
                               float *__restrict mom1, float *__restrict mom2,
                               float *__restrict averages, size_t size, float clip, float beta1,
                               float beta2, float eps, float step, float decay, float rate) {
    for (size_t i = 0; i < size; i++) {
        const float g = gradient[i] * clip;
        const float m = beta1 * mom1[i] + (1 - beta1) * g;
        const float v = beta2 * mom2[i] + (1 - beta2) * g * g;
        const float weight = (weights[i] - step * m / (sqrtf(v) + eps)) * (1 - decay);
        gradient[i] = 0;
        mom1[i] = m;
        mom2[i] = v;
        weights[i] = weight;
        if (averages) averages[i] += rate * (weight - averages[i]);
    }
}
ARCEAGER_VERSIONS_OF(adam)

#endif

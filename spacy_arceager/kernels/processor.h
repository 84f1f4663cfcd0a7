/* Which version of a function this processor gets.

   ARCEAGER_VERSIONS_OF(name) makes `name` call what name_body is compiled to for the newest
   instructions that the processor has. The version is chosen when the module is loaded;
   ARCEAGER_FLOATS in the environment chooses an older one. */
#ifndef ARCEAGER_PROCESSOR_H
#define ARCEAGER_PROCESSOR_H

#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define ARCEAGER_INLINE static inline __attribute__((always_inline))
#else
#define ARCEAGER_INLINE static inline
#endif

/* Whether there are functions of newer instructions, to be called where the processor has them. */
#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 11)
#define ARCEAGER_NEWER_INSTRUCTIONS
#endif

/* Whether functions have versions. Not so with flags for a processor (-march), whose instructions
   the versions may lack, nor on Windows, where GCC does not align AVX registers on the stack. */
#if defined(__x86_64__) && defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 12) \
    && !defined(__AVX2__) && !defined(__AES__) && !defined(__PCLMUL__) && !defined(__SSE4A__) \
    && !defined(_WIN32)
#define ARCEAGER_VERSIONS
#endif

#if defined(ARCEAGER_VERSIONS)

enum { SSE2, AVX2, AVX512 };
static const char *const LEVELS[] = {"SSE2", "AVX2", "AVX-512"};

#define ARCEAGER_AVX2 __attribute__((target("arch=x86-64-v3")))
#define ARCEAGER_AVX512 __attribute__((target("arch=x86-64-v4")))

/* The level of this processor. Clang before 18 does not know the levels by their names. */
static inline int find_level(void) {
    __builtin_cpu_init();
#if defined(__clang__)
    const int has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    const int has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl");
    return !has_avx2 ? SSE2 : has_avx512 ? AVX512 : AVX2;
#else
    return __builtin_cpu_supports("x86-64-v4") ? AVX512
        : __builtin_cpu_supports("x86-64-v3") ? AVX2 : SSE2;
#endif
}

/* The same, or the lower one that ARCEAGER_FLOATS names. */
static inline int choose_level(void) {
    const char *name = getenv("ARCEAGER_FLOATS");
    const int highest = find_level();
    for (int level = 0; name && level < highest; level++)
        if (strcmp(name, LEVELS[level]) == 0) return level;
    return highest;
}

template <typename FUNCTION>
static inline FUNCTION *choose(FUNCTION *sse2, FUNCTION *avx2, FUNCTION *avx512) {
    const int level = choose_level();
    return level == SSE2 ? sse2 : level == AVX2 ? avx2 : avx512;
}

template <auto BODY> struct Versions;

template <typename RESULT, typename... ARGUMENTS, RESULT (*BODY)(ARGUMENTS...)>
struct Versions<BODY> {
    static RESULT sse2(ARGUMENTS... arguments) { return BODY(arguments...); }
    ARCEAGER_AVX2 static RESULT avx2(ARGUMENTS... arguments) { return BODY(arguments...); }
    ARCEAGER_AVX512 static RESULT avx512(ARGUMENTS... arguments) { return BODY(arguments...); }
    static inline RESULT (*const chosen)(ARGUMENTS...) = choose(sse2, avx2, avx512);
};

#define ARCEAGER_CHOSEN(body) Versions<body>::chosen

#else

static const char *const LEVELS[] = {"of the build"};

static inline int find_level(void) { return 0; }

#define ARCEAGER_CHOSEN(body) body

#endif

#define ARCEAGER_VERSIONS_OF(name)                                  \
    template <typename... ARGUMENTS>                                \
    ARCEAGER_INLINE auto name(ARGUMENTS... arguments) {             \
        return ARCEAGER_CHOSEN(name##_body)(arguments...);          \
    }

#endif

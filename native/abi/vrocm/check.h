/* What libamdhip64 tells the checkers of the virtual GPU (docs/guide/check.md), which are in libhsa-runtime64. All of
   it is private to this prefix, and does nothing unless VROCM_CHECK asks for checks. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* 1: the program is checked. */
int vrocm_check_wanted(void);
/* The program got device memory, whose contents mean nothing yet. */
void vrocm_check_allocated(const void* base, size_t size);
/* Something besides a kernel has written memory. */
void vrocm_check_written(const void* base, size_t size);
/* The process ends, and the program has not freed this. */
void vrocm_check_leaked(const void* base);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

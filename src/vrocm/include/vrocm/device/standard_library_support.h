/* Device versions of the C functions that kernels and the standard library's own templates call. */
#ifndef VROCM_DEVICE_STANDARD_LIBRARY_SUPPORT_H
#define VROCM_DEVICE_STANDARD_LIBRARY_SUPPORT_H

#include <vrocm/device/library_functions.h>

extern "C" {
__device__ int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
__device__ __attribute__((noreturn)) void __assert_fail(const char* assertion, const char* file, unsigned line,
                                                        const char* function);
__device__ __attribute__((noreturn)) void __assertfail(void);
__device__ __attribute__((noreturn)) void __cxa_pure_virtual(void);
__device__ __attribute__((noreturn)) void __cxa_deleted_virtual(void);

__device__ void* malloc(__SIZE_TYPE__ bytes);
__device__ void free(void* memory);

/* The rest of the C library that the device library has, under names of its own: AMD's headers lack these, and
 * programs bring theirs. */
__device__ void* vrocm_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ bytes) __asm("calloc");
__device__ void* vrocm_realloc(void* memory, __SIZE_TYPE__ bytes) __asm("realloc");
__device__ int vrocm_memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes) __asm("memcmp");
__device__ __SIZE_TYPE__ vrocm_strlen(const char* text) __asm("strlen");
__device__ int vrocm_strcmp(const char* a, const char* b) __asm("strcmp");
__device__ int vrocm_strncmp(const char* a, const char* b, __SIZE_TYPE__ count) __asm("strncmp");
__device__ char* vrocm_strcpy(char* to, const char* from) __asm("strcpy");
__device__ char* vrocm_strncpy(char* to, const char* from, __SIZE_TYPE__ count) __asm("strncpy");
__device__ char* vrocm_strcat(char* to, const char* from) __asm("strcat");
}

/* The compiler unrolls or loops over these itself. */
static __device__ inline void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
    return __builtin_memcpy(to, from, bytes);
}
static __device__ inline void* memset(void* to, int value, __SIZE_TYPE__ bytes) {
    return __builtin_memset(to, value, bytes);
}
VROCM_DEVICE_EXTRA void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) {
    return __builtin_memmove(to, from, bytes);
}
VROCM_DEVICE_EXTRA void* calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ bytes) { return vrocm_calloc(count, bytes); }
VROCM_DEVICE_EXTRA void* realloc(void* memory, __SIZE_TYPE__ bytes) { return vrocm_realloc(memory, bytes); }
VROCM_DEVICE_EXTRA int memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes) { return vrocm_memcmp(a, b, bytes); }
VROCM_DEVICE_EXTRA __SIZE_TYPE__ strlen(const char* text) { return vrocm_strlen(text); }
VROCM_DEVICE_EXTRA int strcmp(const char* a, const char* b) { return vrocm_strcmp(a, b); }
VROCM_DEVICE_EXTRA int strncmp(const char* a, const char* b, __SIZE_TYPE__ count) { return vrocm_strncmp(a, b, count); }
VROCM_DEVICE_EXTRA char* strcpy(char* to, const char* from) { return vrocm_strcpy(to, from); }
VROCM_DEVICE_EXTRA char* strncpy(char* to, const char* from, __SIZE_TYPE__ n) { return vrocm_strncpy(to, from, n); }
VROCM_DEVICE_EXTRA char* strcat(char* to, const char* from) { return vrocm_strcat(to, from); }
static __device__ inline void abort() { __builtin_trap(); }

/* What the standard library calls when one of its assertions fails or a container must throw. */
namespace std {
static __device__ __attribute__((noreturn)) inline void __glibcxx_assert_fail(const char* file, int line,
                                                                              const char* function,
                                                                              const char* condition) noexcept {
    __assert_fail(condition ? condition : "unreachable", file, line, function);
}
static __device__ __attribute__((noreturn)) inline void __throw_bad_optional_access() { __builtin_trap(); }
static __device__ __attribute__((noreturn)) inline void __throw_bad_variant_access(const char*) { __builtin_trap(); }
static __device__ __attribute__((noreturn)) inline void __throw_out_of_range_fmt(const char*, ...) { __builtin_trap(); }
static __device__ __attribute__((noreturn)) inline void __throw_bad_array_new_length() { __builtin_trap(); }
}  // namespace std

#endif

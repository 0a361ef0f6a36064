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
__device__ void* calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ bytes);
__device__ void* realloc(void* memory, __SIZE_TYPE__ bytes);
__device__ void free(void* memory);

__device__ int memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes);
__device__ __SIZE_TYPE__ strlen(const char* text);
__device__ int strcmp(const char* a, const char* b);
__device__ int strncmp(const char* a, const char* b, __SIZE_TYPE__ count);
__device__ char* strcpy(char* to, const char* from);
__device__ char* strncpy(char* to, const char* from, __SIZE_TYPE__ count);
__device__ char* strcat(char* to, const char* from);
}

/* The compiler unrolls or loops over these itself. */
static __device__ inline void* memcpy(void* to, const void* from, __SIZE_TYPE__ bytes) {
    return __builtin_memcpy(to, from, bytes);
}
static __device__ inline void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) {
    return __builtin_memmove(to, from, bytes);
}
static __device__ inline void* memset(void* to, int value, __SIZE_TYPE__ bytes) {
    return __builtin_memset(to, value, bytes);
}
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

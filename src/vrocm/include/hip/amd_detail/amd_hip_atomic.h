/* Atomic functions. Relaxed, as in CUDA; visible to the device, or to the whole system with _system, or to the block
 * with _block. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_ATOMIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_ATOMIC_H

#include <hip/amd_detail/amd_hip_unsafe_atomics.h>
#include <vrocm/device/library_functions.h>

/* apply(attributes, scope suffix, scope, …) */
#define VROCM_FOR_EACH_SCOPE(apply, ...)                                     \
    apply(VROCM_DEVICE, , __HIP_MEMORY_SCOPE_AGENT, __VA_ARGS__)             \
        apply(VROCM_DEVICE, _system, __HIP_MEMORY_SCOPE_SYSTEM, __VA_ARGS__) \
            apply(VROCM_DEVICE_EXTRA, _block, __HIP_MEMORY_SCOPE_WORKGROUP, __VA_ARGS__)
#define VROCM_ATOMIC(attributes, suffix, scope, T, name, function) \
    attributes T name##suffix(T* address, T value) { return function(address, value, __ATOMIC_RELAXED, scope); }
#define VROCM_ATOMIC_CAS(attributes, suffix, scope, T)                                                             \
    attributes T atomicCAS##suffix(T* address, T compare, T value) {                                               \
        __hip_atomic_compare_exchange_strong(address, &compare, value, __ATOMIC_RELAXED, __ATOMIC_RELAXED, scope); \
        return compare;                                                                                            \
    }
#define VROCM_ATOMIC_INTEGER(T)                                              \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC_CAS, T)                                \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicExch, __hip_atomic_exchange) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicAdd, __hip_atomic_fetch_add) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicSub, __hip_atomic_fetch_sub) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicMin, __hip_atomic_fetch_min) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicMax, __hip_atomic_fetch_max) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicAnd, __hip_atomic_fetch_and) \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicOr, __hip_atomic_fetch_or)   \
    VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC, T, atomicXor, __hip_atomic_fetch_xor)
VROCM_ATOMIC_INTEGER(int)
VROCM_ATOMIC_INTEGER(unsigned int)
VROCM_ATOMIC_INTEGER(long)
VROCM_ATOMIC_INTEGER(unsigned long)
VROCM_ATOMIC_INTEGER(long long)
VROCM_ATOMIC_INTEGER(unsigned long long)
VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC_CAS, unsigned short)

/* inc: 0 after `limit`; dec: `limit` after 0 or from above it. */
VROCM_DEVICE unsigned int atomicInc(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "agent");
}
VROCM_DEVICE unsigned int atomicDec(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "agent");
}
VROCM_DEVICE_EXTRA unsigned int atomicInc_system(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "");
}
VROCM_DEVICE_EXTRA unsigned int atomicDec_system(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "");
}
VROCM_DEVICE_EXTRA unsigned int atomicInc_block(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_inc32(address, limit, __ATOMIC_RELAXED, "workgroup");
}
VROCM_DEVICE_EXTRA unsigned int atomicDec_block(unsigned int* address, unsigned int limit) {
    return __builtin_amdgcn_atomic_dec32(address, limit, __ATOMIC_RELAXED, "workgroup");
}

/* Floating point. Exchange and compare look at the bits. */
#define VROCM_ATOMIC_FLOAT_BITS(attributes, suffix, scope, T, I)                                                     \
    attributes T atomicExch##suffix(T* address, T value) {                                                           \
        return __hip_atomic_exchange(address, value, __ATOMIC_RELAXED, scope);                                       \
    }                                                                                                                \
    attributes T atomicCAS##suffix(T* address, T compare, T value) {                                                 \
        I expected = __builtin_bit_cast(I, compare);                                                                 \
        __hip_atomic_compare_exchange_strong((I*)address, &expected, __builtin_bit_cast(I, value), __ATOMIC_RELAXED, \
                                             __ATOMIC_RELAXED, scope);                                               \
        return __builtin_bit_cast(T, expected);                                                                      \
    }
VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC_FLOAT_BITS, float, unsigned int)
VROCM_FOR_EACH_SCOPE(VROCM_ATOMIC_FLOAT_BITS, double, unsigned long long)
#undef VROCM_ATOMIC_FLOAT_BITS

/* -munsafe-fp-atomics: the hardware's instructions even where memory may be fine-grained. */
#if defined(__AMDGCN_UNSAFE_FP_ATOMICS__)
#define VROCM_ATOMIC_FLOAT(T)                                                                 \
    VROCM_DEVICE T atomicAdd(T* address, T value) { return unsafeAtomicAdd(address, value); } \
    VROCM_DEVICE T atomicMin(T* address, T value) { return unsafeAtomicMin(address, value); } \
    VROCM_DEVICE T atomicMax(T* address, T value) { return unsafeAtomicMax(address, value); } \
    VROCM_DEVICE T atomicSub(T* address, T value) { return unsafeAtomicAdd(address, -value); }
#else
#define VROCM_ATOMIC_FLOAT(T)                                                                    \
    VROCM_ATOMIC(VROCM_DEVICE, , __HIP_MEMORY_SCOPE_AGENT, T, atomicAdd, __hip_atomic_fetch_add) \
    VROCM_ATOMIC(VROCM_DEVICE, , __HIP_MEMORY_SCOPE_AGENT, T, atomicMin, __hip_atomic_fetch_min) \
    VROCM_ATOMIC(VROCM_DEVICE, , __HIP_MEMORY_SCOPE_AGENT, T, atomicMax, __hip_atomic_fetch_max) \
    VROCM_DEVICE T atomicSub(T* address, T value) { return atomicAdd(address, -value); }
#endif
#define VROCM_ATOMIC_FLOAT_SCOPED(attributes, suffix, scope, T)                   \
    VROCM_ATOMIC(attributes, suffix, scope, T, atomicAdd, __hip_atomic_fetch_add) \
    VROCM_ATOMIC(attributes, suffix, scope, T, atomicMin, __hip_atomic_fetch_min) \
    VROCM_ATOMIC(attributes, suffix, scope, T, atomicMax, __hip_atomic_fetch_max) \
    attributes T atomicSub##suffix(T* address, T value) { return atomicAdd##suffix(address, -value); }
VROCM_ATOMIC_FLOAT(float)
VROCM_ATOMIC_FLOAT(double)
VROCM_ATOMIC_FLOAT_SCOPED(VROCM_DEVICE, _system, __HIP_MEMORY_SCOPE_SYSTEM, float)
VROCM_ATOMIC_FLOAT_SCOPED(VROCM_DEVICE, _system, __HIP_MEMORY_SCOPE_SYSTEM, double)
VROCM_ATOMIC_FLOAT_SCOPED(VROCM_DEVICE_EXTRA, _block, __HIP_MEMORY_SCOPE_WORKGROUP, float)
VROCM_ATOMIC_FLOAT_SCOPED(VROCM_DEVICE_EXTRA, _block, __HIP_MEMORY_SCOPE_WORKGROUP, double)
VROCM_DEVICE void atomicAddNoRet(float* address, float value) { unsafeAtomicAdd(address, value); }

#undef VROCM_ATOMIC_FLOAT_SCOPED
#undef VROCM_ATOMIC_FLOAT
#undef VROCM_ATOMIC_INTEGER
#undef VROCM_ATOMIC_CAS
#undef VROCM_ATOMIC
#undef VROCM_FOR_EACH_SCOPE

#endif

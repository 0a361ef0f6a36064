/* Loads and stores with a cache hint. The hint changes speed on other GPUs; here they are plain accesses. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_LDG_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_LDG_H

#include <vrocm/device/library_functions.h>

template <class T>
VROCM_DEVICE T __ldg(const T* address) {
    return *address;
}
/* Cache levels: all, global only, streaming, last use, do not cache (volatile). */
template <class T>
VROCM_DEVICE T __ldca(const T* address) {
    return *address;
}
template <class T>
VROCM_DEVICE T __ldcg(const T* address) {
    return *address;
}
template <class T>
VROCM_DEVICE T __ldcs(const T* address) {
    return *address;
}
template <class T>
VROCM_DEVICE T __ldlu(const T* address) {
    return *address;
}
template <class T>
VROCM_DEVICE T __ldcv(const T* address) {
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    return *address;
}
template <class T>
VROCM_DEVICE void __stwb(T* address, T value) {
    *address = value;
}
template <class T>
VROCM_DEVICE void __stcg(T* address, T value) {
    *address = value;
}
template <class T>
VROCM_DEVICE void __stcs(T* address, T value) {
    *address = value;
}
template <class T>
VROCM_DEVICE void __stwt(T* address, T value) {
    *address = value;
}

#endif

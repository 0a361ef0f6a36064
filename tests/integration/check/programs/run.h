// What the programs of this folder share. Each has a defect; compiled with -DCLEAN it has none.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void require(hipError_t error) {
    if (error == hipSuccess) return;
    std::fprintf(stderr, "%s\n", hipGetErrorString(error));
    std::exit(3);
}

template <class T>
T* device(std::size_t count, int byte = 0) {
    T* memory = nullptr;
    require(hipMalloc(&memory, count * sizeof(T)));
    require(hipMemset(memory, byte, count * sizeof(T)));
    return memory;
}

#ifdef CLEAN
constexpr bool kDefect = false;
#else
constexpr bool kDefect = true;
#endif

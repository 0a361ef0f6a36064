// The structs shared with the HIP runtime, and how a kernel finds them.
#pragma once

#include "common/hardware.h"

#define __HIPCC_RTC__ 1  // no <stdint.h> in a compile for the bare device
#include "vrocm/runtime_abi.h"

// The pointer that the runtime stored in the hidden kernel argument at `offset`.
template <typename T>
INLINE GLOBAL T* hidden_pointer(u32 offset) {
    auto arguments = (const CONSTANT char*)__builtin_amdgcn_implicitarg_ptr();
    return (GLOBAL T*)*(const CONSTANT u64*)(arguments + offset);
}

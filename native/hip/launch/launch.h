// A kernel launch, checked and with its arguments packed, ready to be submitted or kept in a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "hip/hip_abi.h"
#include "hip/module/module.h"

namespace vrocm::hip {

class Event;

struct KernelLaunch {
    Function* function = nullptr;
    std::uint32_t grid[3] = {1, 1, 1};  // work-items
    std::uint16_t block[3] = {1, 1, 1};
    std::uint32_t dynamic_shared = 0;
    bool cooperative = false;
    std::vector<std::uint8_t> arguments;  // the program's part of the kernarg segment
    Event* start = nullptr;               // hipExtLaunchKernel: events around just this kernel
    Event* stop = nullptr;
    std::uint64_t grid_sync = 0;  // device address of a vrocm_grid_sync, of cooperative launches

    std::uint64_t workgroups() const;
};

struct LaunchShape {
    dim3 grid, block;  // grid in blocks
    std::size_t dynamic_shared = 0;
};

// Throws the error HIP gives for a shape the device or the kernel cannot run.
KernelLaunch make_launch(Function& function, const LaunchShape& shape);
void check_cooperative(const KernelLaunch& launch);

// Arguments: one pointer a parameter, or the buffer of HIP_LAUNCH_PARAM_BUFFER_POINTER.
void pack_arguments(KernelLaunch& launch, void** parameters, void** extra);

// Writes the whole kernarg segment: the program's arguments and the hidden ones.
struct HiddenPointers {
    std::uint64_t printf_buffer = 0, heap = 0, grid_sync = 0, queue = 0;
};
void write_kernarg(const KernelLaunch& launch, const HiddenPointers& hidden, std::uint8_t* kernarg);

// True when the kernel can reach the printf buffer; see write_kernarg for why metadata may not say so.
bool may_print(const KernelMetadata& kernel);

}  // namespace vrocm::hip

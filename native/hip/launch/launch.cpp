#include "hip/launch/launch.h"

#include <algorithm>
#include <cstring>

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/launch/occupancy.h"
#include "vrocm/runtime_abi.h"

namespace vrocm::hip {

namespace {

// Offset of the implicit arguments of a V5 kernel, or -1: they begin with the block counts.
std::int64_t implicit_arguments(const KernelMetadata& kernel) {
    for (const KernelArgument& argument : kernel.arguments)
        if (argument.kind == KernelArgument::Kind::BlockCountX) return argument.offset;
    return -1;
}

bool has_printf_place(const KernelMetadata& kernel, std::int64_t implicit) {
    return implicit >= 0 && implicit + VROCM_IMPLICITARG_PRINTF_BUFFER + 8 <= std::int64_t{kernel.kernarg_size};
}

std::uint64_t hidden_value(const KernelLaunch& launch, const HiddenPointers& hidden, KernelArgument::Kind kind) {
    using Kind = KernelArgument::Kind;
    auto axis = [&](Kind first) { return static_cast<unsigned>(kind) - static_cast<unsigned>(first); };
    switch (kind) {
        case Kind::BlockCountX:
        case Kind::BlockCountY:
        case Kind::BlockCountZ:
            return launch.grid[axis(Kind::BlockCountX)] / launch.block[axis(Kind::BlockCountX)];
        case Kind::GroupSizeX:
        case Kind::GroupSizeY:
        case Kind::GroupSizeZ:
            return launch.block[axis(Kind::GroupSizeX)];
        case Kind::RemainderX:
        case Kind::RemainderY:
        case Kind::RemainderZ:
            return launch.grid[axis(Kind::RemainderX)] % launch.block[axis(Kind::RemainderX)];
        case Kind::GridDims:
            return launch.grid[2] > 1 ? 3 : launch.grid[1] > 1 ? 2 : 1;
        case Kind::PrintfBuffer:
            return hidden.printf_buffer;
        case Kind::MultigridSync:
            return hidden.grid_sync;
        case Kind::HeapV1:
            return hidden.heap;
        case Kind::DynamicLdsSize:
            return launch.dynamic_shared;
        case Kind::QueuePtr:
            return hidden.queue;
        default:  // offsets of OpenCL, device enqueue, hostcalls: not part of HIP kernels built here
            return 0;
    }
}

void check_block(const Function& function, const LaunchShape& shape) {
    const hipDeviceProp_t& device = function.device().properties();
    const std::uint64_t threads = std::uint64_t{shape.block.x} * shape.block.y * shape.block.z;
    require(threads != 0 && shape.grid.x != 0 && shape.grid.y != 0 && shape.grid.z != 0, hipErrorInvalidConfiguration);
    const std::uint32_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
    for (int i = 0; i < 3; ++i)
        require(block[i] <= static_cast<std::uint32_t>(device.maxThreadsDim[i]), hipErrorInvalidConfiguration);
    require(threads <= static_cast<std::uint64_t>(device.maxThreadsPerBlock), hipErrorInvalidConfiguration);
    // More threads than __launch_bounds__ promised the compiler: the registers would not be there.
    require(threads <= function.metadata->max_flat_workgroup_size, hipErrorLaunchFailure);
    require(function.metadata->group_size + shape.dynamic_shared <= device.sharedMemPerBlock, hipErrorInvalidValue);
}

}  // namespace

std::uint64_t KernelLaunch::workgroups() const {
    std::uint64_t count = 1;
    for (int i = 0; i < 3; ++i) count *= (std::uint64_t{grid[i]} + block[i] - 1) / block[i];
    return count;
}

KernelLaunch make_launch(Function& function, const LaunchShape& shape) {
    check_block(function, shape);
    const std::uint32_t grid[3] = {shape.grid.x, shape.grid.y, shape.grid.z};
    const std::uint32_t block[3] = {shape.block.x, shape.block.y, shape.block.z};
    KernelLaunch made;
    made.function = &function;
    for (int i = 0; i < 3; ++i) {
        // An AQL packet holds 32-bit sizes in work-items.
        const std::uint64_t items = std::uint64_t{grid[i]} * block[i];
        require(items <= UINT32_MAX, hipErrorInvalidConfiguration);
        made.grid[i] = static_cast<std::uint32_t>(items);
        made.block[i] = static_cast<std::uint16_t>(block[i]);
    }
    made.dynamic_shared = static_cast<std::uint32_t>(shape.dynamic_shared);
    return made;
}

void check_cooperative(const KernelLaunch& launch) {
    const unsigned threads = unsigned{launch.block[0]} * launch.block[1] * launch.block[2];
    const Occupancy occupancy = occupancy_of(*launch.function, threads, launch.dynamic_shared);
    const auto units = static_cast<std::uint64_t>(launch.function->device().properties().multiProcessorCount);
    require(launch.workgroups() <= occupancy.groups_per_cu * units, hipErrorCooperativeLaunchTooLarge);
}

void pack_arguments(KernelLaunch& launch, void** parameters, void** extra) {
    const KernelMetadata& kernel = *launch.function->metadata;
    std::size_t size = 0, count = 0;
    for (const KernelArgument& argument : kernel.arguments) {
        if (argument.is_hidden()) continue;
        size = std::max<std::size_t>(size, argument.offset + argument.size);
        ++count;
    }
    launch.arguments.assign(size, 0);
    if (parameters) {
        for (const KernelArgument& argument : kernel.arguments) {
            if (argument.is_hidden()) continue;
            require(*parameters != nullptr);
            std::memcpy(launch.arguments.data() + argument.offset, *parameters++, argument.size);
        }
        return;
    }
    if (!extra) {
        require(count == 0);
        return;
    }
    const void* buffer = nullptr;
    std::size_t given = 0;
    for (void** at = extra; *at != HIP_LAUNCH_PARAM_END; at += 2) {
        if (*at == HIP_LAUNCH_PARAM_BUFFER_POINTER)
            buffer = at[1];
        else if (*at == HIP_LAUNCH_PARAM_BUFFER_SIZE)
            given = *static_cast<const std::size_t*>(at[1]);
        else
            fail(hipErrorInvalidValue);
    }
    require(buffer != nullptr && given != 0);
    std::memcpy(launch.arguments.data(), buffer, std::min(given, size));
}

bool may_print(const KernelMetadata& kernel) {
    const std::int64_t implicit = implicit_arguments(kernel);
    return kernel.uses(KernelArgument::Kind::PrintfBuffer) || has_printf_place(kernel, implicit);
}

void write_kernarg(const KernelLaunch& launch, const HiddenPointers& hidden, std::uint8_t* kernarg) {
    const KernelMetadata& kernel = *launch.function->metadata;
    std::memset(kernarg, 0, kernel.kernarg_size);
    std::memcpy(kernarg, launch.arguments.data(), launch.arguments.size());
    for (const KernelArgument& argument : kernel.arguments) {
        if (!argument.is_hidden()) continue;
        const std::uint64_t value = hidden_value(launch, hidden, argument.kind);
        std::memcpy(kernarg + argument.offset, &value, std::min<std::size_t>(argument.size, sizeof value));
    }
    // clang lists the printf buffer only when the module has constant format strings; assertions and
    // computed formats reach it as well, at its fixed place.
    const std::int64_t implicit = implicit_arguments(kernel);
    if (hidden.printf_buffer && has_printf_place(kernel, implicit))
        std::memcpy(kernarg + implicit + VROCM_IMPLICITARG_PRINTF_BUFFER, &hidden.printf_buffer, 8);
}

}  // namespace vrocm::hip

// API: kernel launches.
#include "hip/launch/launch.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"
#include "hip/memory/allocation.h"
#include "hip/module/program.h"
#include "hip/stream/event.h"
#include "hip/stream/operation.h"
#include "hip/stream/stream.h"
#include "vrocm/runtime_abi.h"

using namespace vrocm::hip;

namespace {

using Resolve = Stream& (*)(hipStream_t);

KernelOperation make_operation(Function& function, const void* func, const LaunchShape& shape, void** parameters,
                               void** extra) {
    require(!(parameters && extra));
    KernelOperation made;
    made.func = func;
    made.grid_blocks = shape.grid;
    made.launch = make_launch(function, shape);
    pack_arguments(made.launch, parameters, extra);
    return made;
}

hipError_t launch_stub(Resolve resolve, const void* stub, const LaunchShape& shape, void** parameters,
                       hipStream_t handle, bool cooperative, hipEvent_t start = nullptr, hipEvent_t stop = nullptr) {
    return enter([&] {
        require(stub != nullptr, hipErrorInvalidDeviceFunction);
        Stream& stream = resolve(handle);
        Function& function = resolve_kernel(stub, stream.device());
        KernelOperation operation = make_operation(function, stub, shape, parameters, nullptr);
        operation.launch.cooperative = cooperative;
        if (cooperative) check_cooperative(operation.launch);
        if (start) operation.launch.start = &to_event(start);
        if (stop) operation.launch.stop = &to_event(stop);
        submit(stream, std::move(operation));
    });
}

Function& function_of(hipFunction_t handle) {
    Function* function = to_function(handle);
    require(function != nullptr, hipErrorInvalidHandle);
    return *function;
}

hipError_t launch_function(hipFunction_t handle, const LaunchShape& shape, hipStream_t stream, void** parameters,
                           void** extra, bool cooperative) {
    return enter([&] {
        Function& function = function_of(handle);
        Stream& target = to_stream(stream);
        require(&function.device() == &target.device(), hipErrorInvalidHandle);
        KernelOperation operation = make_operation(function, handle, shape, parameters, extra);
        operation.launch.cooperative = cooperative;
        if (cooperative) check_cooperative(operation.launch);
        submit(target, std::move(operation));
    });
}

// Grid in work-items, which need not be a multiple of the block.
hipError_t launch_work_items(hipFunction_t handle, const std::uint32_t (&global)[3], const std::uint32_t (&local)[3],
                             std::size_t shared, hipStream_t stream, void** parameters, void** extra, hipEvent_t start,
                             hipEvent_t stop) {
    return enter([&] {
        Function& function = function_of(handle);
        LaunchShape shape;
        shape.block = dim3(local[0], local[1], local[2]);
        require(local[0] && local[1] && local[2], hipErrorInvalidConfiguration);
        shape.grid = dim3((global[0] + local[0] - 1) / local[0], (global[1] + local[1] - 1) / local[1],
                          (global[2] + local[2] - 1) / local[2]);
        shape.dynamic_shared = shared;
        KernelOperation operation = make_operation(function, handle, shape, parameters, extra);
        std::copy_n(global, 3, operation.launch.grid);
        if (start) operation.launch.start = &to_event(start);
        if (stop) operation.launch.stop = &to_event(stop);
        submit(to_stream(stream), std::move(operation));
    });
}

bool wants_cooperative(const hipLaunchAttribute* attributes, unsigned count) {
    bool cooperative = false;
    for (unsigned i = 0; i < count; ++i)
        if (attributes[i].id == hipLaunchAttributeCooperative) cooperative = attributes[i].val.cooperative != 0;
    return cooperative;
}

// One grid on each device; threads of all of them can wait for each other.
struct MultiDeviceLaunch {
    std::vector<std::pair<Stream*, KernelOperation>> grids;

    void run(unsigned flags) {
        constexpr unsigned known = hipCooperativeLaunchMultiDeviceNoPreSync | hipCooperativeLaunchMultiDeviceNoPostSync;
        require(!grids.empty() && (flags & ~known) == 0);
        void* block = place_sync_blocks();
        std::vector<CompletionPtr> before;
        if (!(flags & hipCooperativeLaunchMultiDeviceNoPreSync))
            for (auto& [stream, grid] : grids)
                for (CompletionPtr& completion : stream->pending()) before.push_back(completion);
        for (auto& [stream, grid] : grids) stream->wait_for(before);
        for (auto& [stream, grid] : grids) stream->launch(grid.launch);
        std::vector<CompletionPtr> after;
        for (auto& [stream, grid] : grids)
            for (CompletionPtr& completion : stream->pending()) after.push_back(completion);
        // Later work in any of the streams comes after all grids; the blocks go with the last.
        for (auto& [stream, grid] : grids) stream->wait_for(after);
        grids.front().first->run_on_host([block] { free_memory_block(block); });
    }

  private:
    static void free_memory_block(void* block) {
        remove_allocation(block);
        hsa_amd_memory_pool_free(block);
    }

    void* place_sync_blocks() {
        const std::size_t size = sizeof(vrocm_multigrid_barrier) + grids.size() * sizeof(vrocm_grid_sync);
        void* block = allocate_host(grids.front().first->device(), size, 0);
        std::memset(block, 0, size);
        auto* barrier = static_cast<vrocm_multigrid_barrier*>(block);
        barrier->grids = static_cast<vrocm_u32>(grids.size());
        auto* sync = reinterpret_cast<vrocm_grid_sync*>(barrier + 1);
        vrocm_u64 threads = 0;
        for (std::size_t i = 0; i < grids.size(); ++i) {
            KernelLaunch& launch = grids[i].second.launch;
            launch.cooperative = true;
            launch.grid_sync = reinterpret_cast<std::uint64_t>(&sync[i]);
            sync[i].workgroups = static_cast<vrocm_u32>(launch.workgroups());
            sync[i].grid_rank = static_cast<vrocm_u32>(i);
            sync[i].num_grids = static_cast<vrocm_u32>(grids.size());
            sync[i].threads_before = threads;
            sync[i].multigrid = reinterpret_cast<vrocm_u64>(barrier);
            threads += vrocm_u64{launch.grid[0]} * launch.grid[1] * launch.grid[2];
        }
        for (std::size_t i = 0; i < grids.size(); ++i) sync[i].threads_total = threads;
        return block;
    }
};

hipError_t launch_on_devices(hipLaunchParams* list, int count, unsigned flags) {
    return enter([&] {
        require(list && count > 0 && count <= HipRuntime::get().device_count());
        MultiDeviceLaunch all;
        for (int i = 0; i < count; ++i) {
            const hipLaunchParams& p = list[i];
            require(p.stream != nullptr, hipErrorInvalidHandle);
            Stream& stream = to_stream(p.stream);
            forbid_during_capture(stream);
            Function& function = resolve_kernel(p.func, stream.device());
            KernelOperation operation =
                make_operation(function, p.func, {p.gridDim, p.blockDim, p.sharedMem}, p.args, nullptr);
            check_cooperative(operation.launch);
            all.grids.emplace_back(&stream, std::move(operation));
        }
        all.run(flags);
    });
}

}  // namespace

extern "C" {

hipError_t hipLaunchKernel(const void* stub, dim3 grid, dim3 block, void** args, size_t shared, hipStream_t stream) {
    VROCM_API(hipLaunchKernel, stub, grid, block, args, shared, stream);
    return launch_stub(to_stream, stub, {grid, block, shared}, args, stream, false);
}
hipError_t hipLaunchKernel_spt(const void* stub, dim3 grid, dim3 block, void** args, size_t shared,
                               hipStream_t stream) {
    VROCM_API(hipLaunchKernel_spt, stub, grid, block, args, shared, stream);
    return launch_stub(to_stream_per_thread, stub, {grid, block, shared}, args, stream, false);
}
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* stub, void** args) {
    VROCM_API(hipLaunchKernelExC, config, stub, args);
    if (!config) return remember(hipErrorInvalidConfiguration);
    return launch_stub(to_stream, stub, {config->gridDim, config->blockDim, config->dynamicSmemBytes}, args,
                       config->stream, wants_cooperative(config->attrs, config->numAttrs));
}
hipError_t hipLaunchCooperativeKernel(const void* stub, dim3 grid, dim3 block, void** args, unsigned int shared,
                                      hipStream_t stream) {
    VROCM_API(hipLaunchCooperativeKernel, stub, grid, block, args, shared, stream);
    return launch_stub(to_stream, stub, {grid, block, shared}, args, stream, true);
}
hipError_t hipLaunchCooperativeKernel_spt(const void* stub, dim3 grid, dim3 block, void** args, uint32_t shared,
                                          hipStream_t stream) {
    VROCM_API(hipLaunchCooperativeKernel_spt, stub, grid, block, args, shared, stream);
    return launch_stub(to_stream_per_thread, stub, {grid, block, shared}, args, stream, true);
}
hipError_t hipExtLaunchKernel(const void* stub, dim3 grid, dim3 block, void** args, size_t shared, hipStream_t stream,
                              hipEvent_t start, hipEvent_t stop, int flags) {
    VROCM_API(hipExtLaunchKernel, stub, grid, block, args, shared, stream, start, stop, flags);
    return launch_stub(to_stream, stub, {grid, block, shared}, args, stream, false, start, stop);
}
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams* list, int count, unsigned int flags) {
    VROCM_API(hipLaunchCooperativeKernelMultiDevice, list, count, flags);
    return launch_on_devices(list, count, flags);
}
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams* list, int count, unsigned int flags) {
    VROCM_API(hipExtLaunchMultiKernelMultiDevice, list, count, flags);
    return launch_on_devices(list, count, flags);
}

hipError_t hipModuleLaunchKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                                 unsigned int by, unsigned int bz, unsigned int shared, hipStream_t stream,
                                 void** parameters, void** extra) {
    VROCM_API(hipModuleLaunchKernel, f, gx, gy, gz, bx, by, bz, shared, stream, parameters, extra);
    return launch_function(f, {dim3(gx, gy, gz), dim3(bx, by, bz), shared}, stream, parameters, extra, false);
}
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gx, unsigned int gy, unsigned int gz,
                                            unsigned int bx, unsigned int by, unsigned int bz, unsigned int shared,
                                            hipStream_t stream, void** parameters) {
    VROCM_API(hipModuleLaunchCooperativeKernel, f, gx, gy, gz, bx, by, bz, shared, stream, parameters);
    return launch_function(f, {dim3(gx, gy, gz), dim3(bx, by, bz), shared}, stream, parameters, nullptr, true);
}
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* c, hipFunction_t f, void** parameters, void** extra) {
    VROCM_API(hipDrvLaunchKernelEx, c, f, parameters, extra);
    if (!c) return remember(hipErrorInvalidConfiguration);
    return launch_function(f,
                           {dim3(c->gridDimX, c->gridDimY, c->gridDimZ), dim3(c->blockDimX, c->blockDimY, c->blockDimZ),
                            c->sharedMemBytes},
                           c->hStream, parameters, extra, wants_cooperative(c->attrs, c->numAttrs));
}
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams* list, unsigned int count,
                                                       unsigned int flags) {
    VROCM_API(hipModuleLaunchCooperativeKernelMultiDevice, list, count, flags);
    return enter([&] {
        require(list && count > 0 && count <= static_cast<unsigned>(HipRuntime::get().device_count()));
        MultiDeviceLaunch all;
        for (unsigned i = 0; i < count; ++i) {
            const hipFunctionLaunchParams& p = list[i];
            require(p.hStream != nullptr, hipErrorInvalidHandle);
            LaunchShape shape{dim3(p.gridDimX, p.gridDimY, p.gridDimZ), dim3(p.blockDimX, p.blockDimY, p.blockDimZ),
                              p.sharedMemBytes};
            KernelOperation operation =
                make_operation(function_of(p.function), p.function, shape, p.kernelParams, nullptr);
            check_cooperative(operation.launch);
            all.grids.emplace_back(&to_stream(p.hStream), std::move(operation));
        }
        all.run(flags);
    });
}

HIP_PUBLIC_API hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t lx,
                                                   uint32_t ly, uint32_t lz, size_t shared, hipStream_t stream,
                                                   void** parameters, void** extra, hipEvent_t start, hipEvent_t stop,
                                                   uint32_t flags) {
    VROCM_API(hipExtModuleLaunchKernel, f, gx, gy, gz, lx, ly, lz, shared, stream, parameters, extra, start, stop,
              flags);
    return launch_work_items(f, {gx, gy, gz}, {lx, ly, lz}, shared, stream, parameters, extra, start, stop);
}
HIP_PUBLIC_API hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t gx, uint32_t gy, uint32_t gz, uint32_t lx,
                                                   uint32_t ly, uint32_t lz, size_t shared, hipStream_t stream,
                                                   void** parameters, void** extra, hipEvent_t start, hipEvent_t stop) {
    VROCM_API(hipHccModuleLaunchKernel, f, gx, gy, gz, lx, ly, lz, shared, stream, parameters, extra, start, stop);
    return launch_work_items(f, {gx, gy, gz}, {lx, ly, lz}, shared, stream, parameters, extra, start, stop);
}

// The launch of early HIP in three calls.
hipError_t hipConfigureCall(dim3 grid, dim3 block, size_t shared, hipStream_t stream) {
    VROCM_API(hipConfigureCall, grid, block, shared, stream);
    return enter([&] {
        thread_state().calls.push_back({grid, block, shared, stream});
        thread_state().arguments.clear();
    });
}
hipError_t hipSetupArgument(const void* argument, size_t size, size_t offset) {
    VROCM_API(hipSetupArgument, argument, size, offset);
    return enter([&] {
        require(argument != nullptr);
        auto& bytes = thread_state().arguments;
        if (bytes.size() < offset + size) bytes.resize(offset + size);
        std::memcpy(bytes.data() + offset, argument, size);
    });
}
hipError_t hipLaunchByPtr(const void* stub) {
    VROCM_API(hipLaunchByPtr, stub);
    return enter([&] {
        ThreadState& thread = thread_state();
        require(!thread.calls.empty(), hipErrorMissingConfiguration);
        const CallConfiguration call = thread.calls.back();
        thread.calls.pop_back();
        Stream& stream = to_stream(call.stream);
        std::size_t size = thread.arguments.size();
        void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, thread.arguments.data(), HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                         HIP_LAUNCH_PARAM_END};
        submit(stream, make_operation(resolve_kernel(stub, stream.device()), stub, {call.grid, call.block, call.shared},
                                      nullptr, size ? extra : nullptr));
    });
}
}

// Everything a stream can be asked to do, as data: run now, or kept as a node of a graph.
#pragma once

#include <memory>
#include <variant>

#include "hip/hip_abi.h"
#include "hip/launch/launch.h"
#include "hip/memory/copy.h"

namespace vrocm::hip {

class Stream;
class Event;
struct Graph;

struct KernelOperation {
    KernelLaunch launch;
    const void* func = nullptr;  // as the program named it
    dim3 grid_blocks;
    int priority = 0;
    hipAccessPolicyWindow access_policy{};
};
struct CopyOperation {
    hipMemcpy3DParms parameters{};  // every copy is kept in the most general form
};
struct FillOperation {
    Fill fill;
};
struct HostOperation {
    hipHostFn_t function = nullptr;
    void* data = nullptr;
};
struct EmptyOperation {};
struct EventRecordOperation {
    Event* event = nullptr;
};
struct EventWaitOperation {
    Event* event = nullptr;
};
struct ChildGraphOperation {
    std::shared_ptr<Graph> graph;
};
// Memory of a graph exists as long as any graph or executable that mentions it.
struct GraphMemory;
struct AllocateOperation {
    std::shared_ptr<GraphMemory> memory;
    hipMemAllocNodeParams parameters{};
};
struct FreeOperation {
    std::shared_ptr<GraphMemory> memory;
    void* pointer = nullptr;
};

using Operation =
    std::variant<KernelOperation, CopyOperation, FillOperation, HostOperation, EmptyOperation, EventRecordOperation,
                 EventWaitOperation, ChildGraphOperation, AllocateOperation, FreeOperation>;

// Does it in the stream, or adds it to the graph the stream is capturing into.
void submit(Stream& stream, Operation operation);
// Does it in the stream.
void perform(Stream& stream, const Operation& operation);

// The bytes a copy moves. Throws the error HIP gives for parameters that make no sense.
Copy resolve_copy(const hipMemcpy3DParms& parameters);
hipMemcpy3DParms linear_copy_parameters(void* dst, const void* src, std::size_t bytes, hipMemcpyKind kind);

}  // namespace vrocm::hip

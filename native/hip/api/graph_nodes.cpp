// API: the nodes of graphs: added, queried and changed, in a graph or in an instantiated one.
#include <cstring>

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/graph.h"
#include "hip/memory/allocation.h"
#include "hip/module/program.h"
#include "hip/stream/event.h"

using namespace vrocm::hip;

namespace {

KernelOperation kernel_operation(const hipKernelNodeParams* p) {
    require(p != nullptr);
    require(p->func != nullptr, hipErrorInvalidDeviceFunction);
    require(!(p->kernelParams && p->extra));
    KernelOperation made;
    made.func = p->func;
    made.grid_blocks = p->gridDim;
    made.launch = make_launch(resolve_kernel(p->func, current_device()), {p->gridDim, p->blockDim, p->sharedMemBytes});
    pack_arguments(made.launch, p->kernelParams, p->extra);
    return made;
}

CopyOperation copy_operation(const hipMemcpy3DParms* p) {
    require(p != nullptr);
    resolve_copy(*p);
    return {*p};
}

CopyOperation linear_operation(void* dst, const void* src, std::size_t count, hipMemcpyKind kind) {
    require(dst && src && count);
    const hipMemcpy3DParms parameters = linear_copy_parameters(dst, src, count, kind);
    return copy_operation(&parameters);
}

FillOperation fill_operation(const hipMemsetParams* p) {
    require(p && p->dst && p->width && p->height);
    require(p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
    require(p->height == 1 || p->pitch >= p->width * p->elementSize);
    FillOperation made;
    made.fill.dst = static_cast<std::uint8_t*>(p->dst);
    made.fill.row = p->pitch;
    made.fill.width = p->width;
    made.fill.height = p->height;
    made.fill.value = p->value;
    made.fill.element = p->elementSize;
    check_range(made.fill.dst, made.fill.bytes_spanned());
    return made;
}

HostOperation host_operation(const hipHostNodeParams* p) {
    require(p && p->fn);
    return {p->fn, p->userData};
}

ChildGraphOperation child_operation(hipGraph_t graph) {
    return {to_graph(graph).clone()};
}

Event* event_of(hipEvent_t event) {
    require(event != nullptr);
    return &to_event(event);
}

AllocateOperation allocate_operation(hipMemAllocNodeParams* p) {
    require(p && p->bytesize && p->poolProps.allocType == hipMemAllocationTypePinned &&
            p->poolProps.location.type == hipMemLocationTypeDevice);
    AllocateOperation made;
    made.memory = std::make_shared<GraphMemory>(HipRuntime::get().device(p->poolProps.location.id), p->bytesize);
    p->dptr = made.memory->pointer;
    made.parameters = *p;
    return made;
}

FreeOperation free_operation(Graph& graph, void* pointer) {
    require(pointer != nullptr);
    FreeOperation made{nullptr, pointer};
    for (const auto& node : graph.nodes)
        if (auto* allocation = std::get_if<AllocateOperation>(&node->operation);
            allocation && allocation->memory->pointer == pointer)
            made.memory = allocation->memory;
    return made;
}

template <class Make>
hipError_t add(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count, Make&& make) {
    return enter([&] {
        require(out && (count == 0 || dependencies));
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        std::vector<Node*> after;
        for (size_t i = 0; i < count; ++i) {
            after.push_back(&to_node(dependencies[i]));
            require(after.back()->graph == &known);
            for (size_t j = 0; j < i; ++j) require(after[j] != after[i]);
        }
        *out = node_handle(&known.add(make(known), after));
    });
}

// The operation of a node as a certain kind. Throws hipErrorInvalidValue when it is of another.
template <class Kind>
Kind& as(Node& node) {
    Kind* operation = std::get_if<Kind>(&node.operation);
    require(operation != nullptr);
    return *operation;
}

Node& exec_node(hipGraphExec_t executable, hipGraphNode_t node) {
    InstantiatedGraph& known = to_executable(executable);
    auto found = known.from_original.find(reinterpret_cast<Node*>(node));
    require(found != known.from_original.end());
    return *found->second;
}

// Replaces a node's operation by one of the same kind.
template <class Kind, class Make>
hipError_t set(hipGraphNode_t node, Make&& make) {
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Node& known = to_node(node);
        as<Kind>(known);
        known.operation = make(known);
    });
}
template <class Kind, class Make>
hipError_t set_in(hipGraphExec_t executable, hipGraphNode_t node, Make&& make) {
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Node& known = exec_node(executable, node);
        as<Kind>(known);
        known.operation = make(known);
    });
}
template <class Kind, class Give>
hipError_t get(hipGraphNode_t node, Give&& give) {
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Node& known = to_node(node);
        give(known, as<Kind>(known));
    });
}

Operation operation_from(Graph& graph, hipGraphNodeParams& p) {
    switch (p.type) {
        case hipGraphNodeTypeKernel:
            return kernel_operation(&p.kernel);
        case hipGraphNodeTypeMemcpy:
            return copy_operation(&p.memcpy.copyParams);
        case hipGraphNodeTypeMemset:
            return fill_operation(&p.memset);
        case hipGraphNodeTypeHost:
            return host_operation(&p.host);
        case hipGraphNodeTypeGraph:
            return child_operation(p.graph.graph);
        case hipGraphNodeTypeEmpty:
            return EmptyOperation{};
        case hipGraphNodeTypeWaitEvent:
            return EventWaitOperation{event_of(p.eventWait.event)};
        case hipGraphNodeTypeEventRecord:
            return EventRecordOperation{event_of(p.eventRecord.event)};
        case hipGraphNodeTypeMemAlloc:
            return allocate_operation(&p.alloc);
        case hipGraphNodeTypeMemFree:
            return free_operation(graph, p.free.dptr);
        default:
            refuse("this type of graph node", "external semaphores and batched memory operations do not exist here");
    }
}

void set_kernel_attribute(KernelOperation& kernel, hipLaunchAttributeID attribute, const hipLaunchAttributeValue& v) {
    switch (attribute) {
        case hipLaunchAttributeCooperative:
            kernel.launch.cooperative = v.cooperative != 0;
            break;
        case hipLaunchAttributePriority:
            kernel.priority = v.priority;
            break;
        case hipLaunchAttributeAccessPolicyWindow:
            kernel.access_policy = v.accessPolicyWindow;
            break;
        default:
            fail(hipErrorInvalidValue);
    }
}

}  // namespace

extern "C" {

hipError_t hipGraphAddNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                           hipGraphNodeParams* parameters) {
    VROCM_API(hipGraphAddNode, out, graph, deps, count, parameters);
    return add(out, graph, deps, count, [&](Graph& known) {
        require(parameters != nullptr);
        return operation_from(known, *parameters);
    });
}

hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* parameters) {
    VROCM_API(hipGraphNodeSetParams, node, parameters);
    return enter([&] {
        require(parameters != nullptr);
        std::lock_guard lock(graph_mutex());
        Node& known = to_node(node);
        require(known.type() == parameters->type);
        known.operation = operation_from(*known.graph, *parameters);
    });
}

hipError_t hipGraphExecNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipGraphNodeParams* parameters) {
    VROCM_API(hipGraphExecNodeSetParams, executable, node, parameters);
    return enter([&] {
        require(parameters != nullptr);
        std::lock_guard lock(graph_mutex());
        Node& known = exec_node(executable, node);
        require(known.type() == parameters->type);
        known.operation = operation_from(*known.graph, *parameters);
    });
}

// ---- kernels ---------------------------------------------------------------------------------------

hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                 const hipKernelNodeParams* p) {
    VROCM_API(hipGraphAddKernelNode, out, graph, deps, count, p);
    return add(out, graph, deps, count, [&](Graph&) { return kernel_operation(p); });
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* p) {
    VROCM_API(hipGraphKernelNodeGetParams, node, p);
    return get<KernelOperation>(node, [&](Node& known, KernelOperation& kernel) {
        require(p != nullptr);
        *p = {};
        p->func = const_cast<void*>(kernel.func);
        p->gridDim = kernel.grid_blocks;
        p->blockDim = dim3(kernel.launch.block[0], kernel.launch.block[1], kernel.launch.block[2]);
        p->sharedMemBytes = kernel.launch.dynamic_shared;
        known.parameter_pointers.clear();
        for (const KernelArgument& argument : kernel.launch.function->metadata->arguments)
            if (!argument.is_hidden())
                known.parameter_pointers.push_back(kernel.launch.arguments.data() + argument.offset);
        p->kernelParams = known.parameter_pointers.data();
    });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* p) {
    VROCM_API(hipGraphKernelNodeSetParams, node, p);
    return set<KernelOperation>(node, [&](Node&) { return kernel_operation(p); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node,
                                           const hipKernelNodeParams* p) {
    VROCM_API(hipGraphExecKernelNodeSetParams, executable, node, p);
    return set_in<KernelOperation>(executable, node, [&](Node&) { return kernel_operation(p); });
}
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          const hipKernelNodeAttrValue* value) {
    VROCM_API(hipGraphKernelNodeSetAttribute, node, attribute, value);
    return get<KernelOperation>(node, [&](Node&, KernelOperation& kernel) {
        require(value != nullptr);
        set_kernel_attribute(kernel, attribute, *value);
    });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipKernelNodeAttrID attribute,
                                          hipKernelNodeAttrValue* value) {
    VROCM_API(hipGraphKernelNodeGetAttribute, node, attribute, value);
    return get<KernelOperation>(node, [&](Node&, KernelOperation& kernel) {
        require(value != nullptr);
        if (attribute == hipLaunchAttributeCooperative)
            value->cooperative = kernel.launch.cooperative;
        else if (attribute == hipLaunchAttributePriority)
            value->priority = kernel.priority;
        else if (attribute == hipLaunchAttributeAccessPolicyWindow)
            value->accessPolicyWindow = kernel.access_policy;
        else
            fail(hipErrorInvalidValue);
    });
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t source, hipGraphNode_t target) {
    VROCM_API(hipGraphKernelNodeCopyAttributes, source, target);
    return get<KernelOperation>(source, [&](Node&, KernelOperation& from) {
        auto& to = as<KernelOperation>(to_node(target));
        to.launch.cooperative = from.launch.cooperative;
        to.priority = from.priority;
        to.access_policy = from.access_policy;
    });
}

// ---- copies ----------------------------------------------------------------------------------------

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                 const hipMemcpy3DParms* p) {
    VROCM_API(hipGraphAddMemcpyNode, out, graph, deps, count, p);
    return add(out, graph, deps, count, [&](Graph&) { return copy_operation(p); });
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* p) {
    VROCM_API(hipGraphMemcpyNodeGetParams, node, p);
    return get<CopyOperation>(node, [&](Node&, CopyOperation& copy) {
        require(p != nullptr);
        *p = copy.parameters;
    });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* p) {
    VROCM_API(hipGraphMemcpyNodeSetParams, node, p);
    return set<CopyOperation>(node, [&](Node&) { return copy_operation(p); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipMemcpy3DParms* p) {
    VROCM_API(hipGraphExecMemcpyNodeSetParams, executable, node, p);
    return set_in<CopyOperation>(executable, node, [&](Node&) { return copy_operation(p); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                   void* dst, const void* src, size_t size, hipMemcpyKind kind) {
    VROCM_API(hipGraphAddMemcpyNode1D, out, graph, deps, count, dst, src, size, kind);
    return add(out, graph, deps, count, [&](Graph&) { return linear_operation(dst, src, size, kind); });
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src, size_t size,
                                         hipMemcpyKind kind) {
    VROCM_API(hipGraphMemcpyNodeSetParams1D, node, dst, src, size, kind);
    return set<CopyOperation>(node, [&](Node&) { return linear_operation(dst, src, size, kind); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t executable, hipGraphNode_t node, void* dst, const void* src,
                                             size_t size, hipMemcpyKind kind) {
    VROCM_API(hipGraphExecMemcpyNodeSetParams1D, executable, node, dst, src, size, kind);
    return set_in<CopyOperation>(executable, node, [&](Node&) { return linear_operation(dst, src, size, kind); });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps,
                                           size_t count, void* dst, const void* symbol, size_t size, size_t offset,
                                           hipMemcpyKind kind) {
    VROCM_API(hipGraphAddMemcpyNodeFromSymbol, out, graph, deps, count, dst, symbol, size, offset, kind);
    return add(out, graph, deps, count,
               [&](Graph&) { return linear_operation(dst, symbol_place(symbol, size, offset), size, kind); });
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst, const void* symbol, size_t size,
                                                 size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipGraphMemcpyNodeSetParamsFromSymbol, node, dst, symbol, size, offset, kind);
    return set<CopyOperation>(
        node, [&](Node&) { return linear_operation(dst, symbol_place(symbol, size, offset), size, kind); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t executable, hipGraphNode_t node, void* dst,
                                                     const void* symbol, size_t size, size_t offset,
                                                     hipMemcpyKind kind) {
    VROCM_API(hipGraphExecMemcpyNodeSetParamsFromSymbol, executable, node, dst, symbol, size, offset, kind);
    return set_in<CopyOperation>(
        executable, node, [&](Node&) { return linear_operation(dst, symbol_place(symbol, size, offset), size, kind); });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps,
                                         size_t count, const void* symbol, const void* src, size_t size, size_t offset,
                                         hipMemcpyKind kind) {
    VROCM_API(hipGraphAddMemcpyNodeToSymbol, out, graph, deps, count, symbol, src, size, offset, kind);
    return add(out, graph, deps, count,
               [&](Graph&) { return linear_operation(symbol_place(symbol, size, offset), src, size, kind); });
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol, const void* src, size_t size,
                                               size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipGraphMemcpyNodeSetParamsToSymbol, node, symbol, src, size, offset, kind);
    return set<CopyOperation>(
        node, [&](Node&) { return linear_operation(symbol_place(symbol, size, offset), src, size, kind); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t executable, hipGraphNode_t node, const void* symbol,
                                                   const void* src, size_t size, size_t offset, hipMemcpyKind kind) {
    VROCM_API(hipGraphExecMemcpyNodeSetParamsToSymbol, executable, node, symbol, src, size, offset, kind);
    return set_in<CopyOperation>(
        executable, node, [&](Node&) { return linear_operation(symbol_place(symbol, size, offset), src, size, kind); });
}

// ---- fills, host functions, children, events ---------------------------------------------------------

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                 const hipMemsetParams* p) {
    VROCM_API(hipGraphAddMemsetNode, out, graph, deps, count, p);
    return add(out, graph, deps, count, [&](Graph&) { return fill_operation(p); });
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* p) {
    VROCM_API(hipGraphMemsetNodeGetParams, node, p);
    return get<FillOperation>(node, [&](Node&, FillOperation& o) {
        require(p != nullptr);
        *p = {o.fill.dst, o.fill.element, o.fill.height, o.fill.row, o.fill.value, o.fill.width};
    });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* p) {
    VROCM_API(hipGraphMemsetNodeSetParams, node, p);
    return set<FillOperation>(node, [&](Node&) { return fill_operation(p); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, const hipMemsetParams* p) {
    VROCM_API(hipGraphExecMemsetNodeSetParams, executable, node, p);
    return set_in<FillOperation>(executable, node, [&](Node&) { return fill_operation(p); });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                               const hipHostNodeParams* p) {
    VROCM_API(hipGraphAddHostNode, out, graph, deps, count, p);
    return add(out, graph, deps, count, [&](Graph&) { return host_operation(p); });
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* p) {
    VROCM_API(hipGraphHostNodeGetParams, node, p);
    return get<HostOperation>(node, [&](Node&, HostOperation& o) {
        require(p != nullptr);
        *p = {o.function, o.data};
    });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* p) {
    VROCM_API(hipGraphHostNodeSetParams, node, p);
    return set<HostOperation>(node, [&](Node&) { return host_operation(p); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, const hipHostNodeParams* p) {
    VROCM_API(hipGraphExecHostNodeSetParams, executable, node, p);
    return set_in<HostOperation>(executable, node, [&](Node&) { return host_operation(p); });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                     hipGraph_t child) {
    VROCM_API(hipGraphAddChildGraphNode, out, graph, deps, count, child);
    return add(out, graph, deps, count, [&](Graph& known) {
        require(&to_graph(child) != &known);
        return child_operation(child);
    });
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* graph) {
    VROCM_API(hipGraphChildGraphNodeGetGraph, node, graph);
    return get<ChildGraphOperation>(node, [&](Node&, ChildGraphOperation& child) {
        require(graph != nullptr);
        *graph = graph_handle(child.graph.get());
    });
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t executable, hipGraphNode_t node, hipGraph_t child) {
    VROCM_API(hipGraphExecChildGraphNodeSetParams, executable, node, child);
    return set_in<ChildGraphOperation>(executable, node, [&](Node& known) {
        require(to_graph(child).nodes.size() == as<ChildGraphOperation>(known).graph->nodes.size());
        return child_operation(child);
    });
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count) {
    VROCM_API(hipGraphAddEmptyNode, out, graph, deps, count);
    return add(out, graph, deps, count, [&](Graph&) { return EmptyOperation{}; });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                      hipEvent_t event) {
    VROCM_API(hipGraphAddEventRecordNode, out, graph, deps, count, event);
    return add(out, graph, deps, count, [&](Graph&) { return EventRecordOperation{event_of(event)}; });
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
    VROCM_API(hipGraphEventRecordNodeGetEvent, node, event);
    return get<EventRecordOperation>(node, [&](Node&, EventRecordOperation& o) {
        require(event != nullptr);
        *event = reinterpret_cast<hipEvent_t>(o.event);
    });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
    VROCM_API(hipGraphEventRecordNodeSetEvent, node, event);
    return set<EventRecordOperation>(node, [&](Node&) { return EventRecordOperation{event_of(event)}; });
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node, hipEvent_t event) {
    VROCM_API(hipGraphExecEventRecordNodeSetEvent, executable, node, event);
    return set_in<EventRecordOperation>(executable, node, [&](Node&) { return EventRecordOperation{event_of(event)}; });
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                    hipEvent_t event) {
    VROCM_API(hipGraphAddEventWaitNode, out, graph, deps, count, event);
    return add(out, graph, deps, count, [&](Graph&) { return EventWaitOperation{event_of(event)}; });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event) {
    VROCM_API(hipGraphEventWaitNodeGetEvent, node, event);
    return get<EventWaitOperation>(node, [&](Node&, EventWaitOperation& o) {
        require(event != nullptr);
        *event = reinterpret_cast<hipEvent_t>(o.event);
    });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
    VROCM_API(hipGraphEventWaitNodeSetEvent, node, event);
    return set<EventWaitOperation>(node, [&](Node&) { return EventWaitOperation{event_of(event)}; });
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t executable, hipGraphNode_t node, hipEvent_t event) {
    VROCM_API(hipGraphExecEventWaitNodeSetEvent, executable, node, event);
    return set_in<EventWaitOperation>(executable, node, [&](Node&) { return EventWaitOperation{event_of(event)}; });
}

// ---- memory ------------------------------------------------------------------------------------------

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                   hipMemAllocNodeParams* p) {
    VROCM_API(hipGraphAddMemAllocNode, out, graph, deps, count, p);
    return add(out, graph, deps, count, [&](Graph&) { return allocate_operation(p); });
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* p) {
    VROCM_API(hipGraphMemAllocNodeGetParams, node, p);
    return get<AllocateOperation>(node, [&](Node&, AllocateOperation& o) {
        require(p != nullptr);
        *p = o.parameters;
    });
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* deps, size_t count,
                                  void* pointer) {
    VROCM_API(hipGraphAddMemFreeNode, out, graph, deps, count, pointer);
    return add(out, graph, deps, count, [&](Graph& known) { return free_operation(known, pointer); });
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* out) {
    VROCM_API(hipGraphMemFreeNodeGetParams, node, out);
    return get<FreeOperation>(node, [&](Node&, FreeOperation& o) {
        require(out != nullptr);
        std::memcpy(out, &o.pointer, sizeof o.pointer);
    });
}

hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
    VROCM_API(hipDeviceGetGraphMemAttribute, device, attribute, value);
    return enter([&] {
        require(value != nullptr);
        HipRuntime::get().device(device);
        std::lock_guard lock(graph_mutex());
        const GraphMemoryUse& use = graph_memory_use(device);
        require(attribute >= hipGraphMemAttrUsedMemCurrent && attribute <= hipGraphMemAttrReservedMemHigh);
        const bool high = attribute == hipGraphMemAttrUsedMemHigh || attribute == hipGraphMemAttrReservedMemHigh;
        const std::uint64_t bytes = high ? use.high : use.current;
        std::memcpy(value, &bytes, sizeof bytes);
    });
}
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attribute, void* value) {
    VROCM_API(hipDeviceSetGraphMemAttribute, device, attribute, value);
    return enter([&] {
        require(value != nullptr);
        HipRuntime::get().device(device);
        std::uint64_t bytes;
        std::memcpy(&bytes, value, sizeof bytes);
        // Only the high-water marks can be set, and only back.
        require((attribute == hipGraphMemAttrUsedMemHigh || attribute == hipGraphMemAttrReservedMemHigh) && bytes == 0);
        std::lock_guard lock(graph_mutex());
        GraphMemoryUse& use = graph_memory_use(device);
        use.high = use.current;
    });
}
hipError_t hipDeviceGraphMemTrim(int device) {
    VROCM_API(hipDeviceGraphMemTrim, device);
    return enter([&] { HipRuntime::get().device(device); });  // graphs hold no memory beyond their nodes'
}
}

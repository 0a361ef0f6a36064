// API: graphs as a whole: structure, instantiation, launch, update.
#include "hip/graph/graph.h"

#include <cstdio>
#include <cstring>

#include "hip/call/enter.h"
#include "hip/graph/capture.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

// Most queries are asked twice: first for the number, then for the handles.
void give_nodes(const std::vector<Node*>& nodes, hipGraphNode_t* out, size_t* count) {
    require(count != nullptr);
    if (out) {
        for (size_t i = 0; i < *count; ++i) out[i] = i < nodes.size() ? node_handle(nodes[i]) : nullptr;
        if (*count > nodes.size()) *count = nodes.size();
    } else {
        *count = nodes.size();
    }
}

hipGraphExec_t instantiate(Graph& graph, unsigned long long flags) {
    constexpr unsigned long long known = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
                                         hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;
    require((flags & ~known) == 0);
    if (flags & hipGraphInstantiateFlagDeviceLaunch)
        refuse("hipGraphInstantiateFlagDeviceLaunch", "graphs are launched by the host");
    auto made = std::make_unique<InstantiatedGraph>();
    made->graph = graph.clone();
    made->order = made->graph->order();
    made->flags = flags;
    require(made->order.size() == graph.nodes.size());  // a cycle cannot be run
    for (const auto& node : made->graph->nodes) made->from_original[node->original] = node.get();
    return publish_executable(std::move(made));
}

hipError_t launch(Stream& (*resolve)(hipStream_t), hipGraphExec_t handle, hipStream_t stream_handle) {
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        InstantiatedGraph& executable = to_executable(handle);
        Stream& stream = resolve(stream_handle);
        if (is_capturing(stream))
            capture_operation(stream, ChildGraphOperation{executable.graph->clone()});
        else
            run_executable(executable, stream);
    });
}

const char* type_name(hipGraphNodeType type) {
    switch (type) {
        case hipGraphNodeTypeKernel:
            return "KERNEL";
        case hipGraphNodeTypeMemcpy:
            return "MEMCPY";
        case hipGraphNodeTypeMemset:
            return "MEMSET";
        case hipGraphNodeTypeHost:
            return "HOST";
        case hipGraphNodeTypeGraph:
            return "GRAPH";
        case hipGraphNodeTypeEmpty:
            return "EMPTY";
        case hipGraphNodeTypeWaitEvent:
            return "EVENT_WAIT";
        case hipGraphNodeTypeEventRecord:
            return "EVENT_RECORD";
        case hipGraphNodeTypeMemAlloc:
            return "MEM_ALLOC";
        case hipGraphNodeTypeMemFree:
            return "MEM_FREE";
        default:
            return "NODE";
    }
}

void write_dot(const Graph& graph, std::FILE* out) {
    std::fprintf(out, "digraph graph_ {\n");
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = *graph.nodes[i];
        std::string label = type_name(node.type());
        if (auto* kernel = std::get_if<KernelOperation>(&node.operation))
            label += "\\n" + kernel->launch.function->metadata->name;
        std::fprintf(out, "  \"%p\" [label=\"%zu\\n%s\"];\n", static_cast<const void*>(&node), i, label.c_str());
    }
    for (const auto& node : graph.nodes)
        for (Node* dependent : node->dependents)
            std::fprintf(out, "  \"%p\" -> \"%p\";\n", static_cast<const void*>(node.get()),
                         static_cast<const void*>(dependent));
    std::fprintf(out, "}\n");
}

Node& in_executable(InstantiatedGraph& executable, hipGraphNode_t node) {
    auto found = executable.from_original.find(reinterpret_cast<Node*>(node));
    require(found != executable.from_original.end());
    return *found->second;
}

}  // namespace

extern "C" {

hipError_t hipGraphCreate(hipGraph_t* graph, unsigned int flags) {
    VROCM_API(hipGraphCreate, graph, flags);
    return enter([&] {
        require(graph && flags == 0);
        std::lock_guard lock(graph_mutex());
        *graph = publish_graph(std::make_shared<Graph>());
    });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
    VROCM_API(hipGraphDestroy, graph);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        destroy_graph(graph);
    });
}

hipError_t hipGraphClone(hipGraph_t* clone, hipGraph_t original) {
    VROCM_API(hipGraphClone, clone, original);
    return enter([&] {
        require(clone != nullptr);
        std::lock_guard lock(graph_mutex());
        *clone = publish_graph(to_graph(original).clone());
    });
}

hipError_t hipGraphNodeFindInClone(hipGraphNode_t* out, hipGraphNode_t original, hipGraph_t clone) {
    VROCM_API(hipGraphNodeFindInClone, out, original, clone);
    return enter([&] {
        require(out != nullptr);
        std::lock_guard lock(graph_mutex());
        const Node& wanted = to_node(original);
        for (const auto& node : to_graph(clone).nodes)
            if (node->original == &wanted) {
                *out = node_handle(node.get());
                return;
            }
        fail(hipErrorInvalidValue);
    });
}

hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                   size_t count) {
    VROCM_API(hipGraphAddDependencies, graph, from, to, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        require(count == 0 || (from && to));
        for (size_t i = 0; i < count; ++i) {
            Node &first = to_node(from[i]), &second = to_node(to[i]);
            require(first.graph == &known && second.graph == &known && &first != &second);
            for (Node* dependency : second.dependencies) require(dependency != &first);
            add_edge(first, second);
        }
    });
}

hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                      size_t count) {
    VROCM_API(hipGraphRemoveDependencies, graph, from, to, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        require(count == 0 || (from && to));
        for (size_t i = 0; i < count; ++i) {
            Node &first = to_node(from[i]), &second = to_node(to[i]);
            require(first.graph == &known && second.graph == &known);
            bool there = false;
            for (Node* dependency : second.dependencies) there |= dependency == &first;
            require(there);
            remove_edge(first, second);
        }
    });
}

hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* count) {
    VROCM_API(hipGraphGetEdges, graph, from, to, count);
    return enter([&] {
        require(count && (from != nullptr) == (to != nullptr));
        std::lock_guard lock(graph_mutex());
        std::vector<Node*> firsts, seconds;
        for (const auto& node : to_graph(graph).nodes)
            for (Node* dependent : node->dependents) {
                firsts.push_back(node.get());
                seconds.push_back(dependent);
            }
        size_t same = *count;
        give_nodes(firsts, from, count);
        give_nodes(seconds, to, &same);
    });
}

hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
    VROCM_API(hipGraphGetNodes, graph, nodes, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        std::vector<Node*> all;
        for (const auto& node : to_graph(graph).nodes) all.push_back(node.get());
        give_nodes(all, nodes, count);
    });
}

hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* count) {
    VROCM_API(hipGraphGetRootNodes, graph, nodes, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        std::vector<Node*> roots;
        for (const auto& node : to_graph(graph).nodes)
            if (node->dependencies.empty()) roots.push_back(node.get());
        give_nodes(roots, nodes, count);
    });
}

hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* out, size_t* count) {
    VROCM_API(hipGraphNodeGetDependencies, node, out, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        give_nodes(to_node(node).dependencies, out, count);
    });
}

hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* out, size_t* count) {
    VROCM_API(hipGraphNodeGetDependentNodes, node, out, count);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        give_nodes(to_node(node).dependents, out, count);
    });
}

hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* type) {
    VROCM_API(hipGraphNodeGetType, node, type);
    return enter([&] {
        require(type != nullptr);
        std::lock_guard lock(graph_mutex());
        *type = to_node(node).type();
    });
}

hipError_t hipGraphDestroyNode(hipGraphNode_t node) {
    VROCM_API(hipGraphDestroyNode, node);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Node& known = to_node(node);
        known.graph->remove(known);
    });
}

hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags) {
    VROCM_API(hipGraphDebugDotPrint, graph, path, flags);
    return enter([&] {
        require(path != nullptr);
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        std::FILE* out = std::fopen(path, "w");
        require(out != nullptr, hipErrorOperatingSystem);
        write_dot(known, out);
        std::fclose(out);
    });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t* error_node, char* log,
                               size_t log_size) {
    VROCM_API(hipGraphInstantiate, executable, graph, error_node, log, log_size);
    return enter([&] {
        require(executable != nullptr);
        if (error_node) *error_node = nullptr;
        if (log && log_size) log[0] = '\0';
        std::lock_guard lock(graph_mutex());
        *executable = instantiate(to_graph(graph), 0);
    });
}

hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* executable, hipGraph_t graph, unsigned long long flags) {
    VROCM_API(hipGraphInstantiateWithFlags, executable, graph, flags);
    return enter([&] {
        require(executable != nullptr);
        std::lock_guard lock(graph_mutex());
        *executable = instantiate(to_graph(graph), flags);
    });
}

hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* executable, hipGraph_t graph,
                                         hipGraphInstantiateParams* parameters) {
    VROCM_API(hipGraphInstantiateWithParams, executable, graph, parameters);
    return enter([&] {
        require(executable && parameters);
        parameters->errNode_out = nullptr;
        parameters->result_out = hipGraphInstantiateError;
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        if (known.order().size() != known.nodes.size()) {
            parameters->result_out = hipGraphInstantiateInvalidStructure;
            fail(hipErrorInvalidValue);
        }
        *executable = instantiate(known, parameters->flags);
        parameters->result_out = hipGraphInstantiateSuccess;
    });
}

hipError_t hipGraphUpload(hipGraphExec_t executable, hipStream_t stream) {
    VROCM_API(hipGraphUpload, executable, stream);
    return enter([&] {  // nothing to prepare: nodes are ready to run
        std::lock_guard lock(graph_mutex());
        to_executable(executable);
        to_stream(stream);
    });
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
    VROCM_API(hipGraphLaunch, executable, stream);
    return launch(to_stream, executable, stream);
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t executable, hipStream_t stream) {
    VROCM_API(hipGraphLaunch_spt, executable, stream);
    return launch(to_stream_per_thread, executable, stream);
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
    VROCM_API(hipGraphExecDestroy, executable);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        destroy_executable(executable);
    });
}

hipError_t hipGraphExecGetFlags(hipGraphExec_t executable, unsigned long long* flags) {
    VROCM_API(hipGraphExecGetFlags, executable, flags);
    return enter([&] {
        require(flags != nullptr);
        std::lock_guard lock(graph_mutex());
        *flags = to_executable(executable).flags;
    });
}

hipError_t hipGraphExecUpdate(hipGraphExec_t executable, hipGraph_t graph, hipGraphNode_t* error_node,
                              hipGraphExecUpdateResult* result) {
    VROCM_API(hipGraphExecUpdate, executable, graph, error_node, result);
    return enter([&] {
        require(result != nullptr);
        std::lock_guard lock(graph_mutex());
        Node* offending = nullptr;
        *result = update_executable(to_executable(executable), to_graph(graph), offending);
        if (error_node) *error_node = node_handle(offending);
        require(*result == hipGraphExecUpdateSuccess, hipErrorGraphExecUpdateFailure);
    });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t executable, hipGraphNode_t node, unsigned int enabled) {
    VROCM_API(hipGraphNodeSetEnabled, executable, node, enabled);
    return enter([&] {
        std::lock_guard lock(graph_mutex());
        Node& known = in_executable(to_executable(executable), node);
        const hipGraphNodeType type = known.type();
        require(type == hipGraphNodeTypeKernel || type == hipGraphNodeTypeMemcpy || type == hipGraphNodeTypeMemset);
        known.enabled = enabled != 0;
    });
}

hipError_t hipGraphNodeGetEnabled(hipGraphExec_t executable, hipGraphNode_t node, unsigned int* enabled) {
    VROCM_API(hipGraphNodeGetEnabled, executable, node, enabled);
    return enter([&] {
        require(enabled != nullptr);
        std::lock_guard lock(graph_mutex());
        *enabled = in_executable(to_executable(executable), node).enabled;
    });
}

hipError_t hipUserObjectCreate(hipUserObject_t* object, void* data, hipHostFn_t destroy, unsigned int references,
                               unsigned int flags) {
    VROCM_API(hipUserObjectCreate, object, data, destroy, references, flags);
    return enter([&] {
        require(object && data && destroy && references && flags == hipUserObjectNoDestructorSync);
        *object = reinterpret_cast<hipUserObject_t>(new UserObject{data, destroy, references});
    });
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
    VROCM_API(hipUserObjectRelease, object, count);
    return enter([&] {
        require(object && count);
        std::lock_guard lock(graph_mutex());
        release(*reinterpret_cast<UserObject*>(object), count);
    });
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
    VROCM_API(hipUserObjectRetain, object, count);
    return enter([&] {
        require(object && count);
        std::lock_guard lock(graph_mutex());
        retain(*reinterpret_cast<UserObject*>(object), count);
    });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count, unsigned int flags) {
    VROCM_API(hipGraphRetainUserObject, graph, object, count, flags);
    return enter([&] {
        require(object && count && (flags == 0 || flags == hipGraphUserObjectMove));
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        auto* user = reinterpret_cast<UserObject*>(object);
        if (flags != hipGraphUserObjectMove) retain(*user, count);
        known.user_objects.emplace_back(user, count);
    });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
    VROCM_API(hipGraphReleaseUserObject, graph, object, count);
    return enter([&] {
        require(object && count);
        std::lock_guard lock(graph_mutex());
        Graph& known = to_graph(graph);
        auto* user = reinterpret_cast<UserObject*>(object);
        for (auto held = known.user_objects.begin(); held != known.user_objects.end(); ++held) {
            if (held->first != user || held->second < count) continue;
            held->second -= count;
            if (held->second == 0) known.user_objects.erase(held);
            release(*user, count);
            return;
        }
        fail(hipErrorInvalidValue);
    });
}
}

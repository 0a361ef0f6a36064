// Graphs: operations and the order they need. Instantiated graphs are clones with a fixed order.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "hip/stream/operation.h"

namespace vrocm::hip {

class Device;

// Guards all graphs, nodes and captures; they are edited rarely and by few threads.
std::recursive_mutex& graph_mutex();

struct GraphMemory {
    GraphMemory(Device& device, std::size_t size);
    ~GraphMemory();
    void* pointer = nullptr;
    std::size_t size = 0;
    int device = 0;
};

struct Node {
    Graph* graph = nullptr;
    Operation operation;
    std::vector<Node*> dependencies, dependents;
    const Node* original = nullptr;  // of a clone
    bool enabled = true;
    std::vector<void*> parameter_pointers;  // what hipGraphKernelNodeGetParams hands out

    hipGraphNodeType type() const;
};

struct UserObject {
    void* data;
    hipHostFn_t destroy;
    unsigned references;
};

struct Graph : std::enable_shared_from_this<Graph> {
    std::vector<std::unique_ptr<Node>> nodes;  // in the order they were added
    std::vector<std::pair<UserObject*, unsigned>> user_objects;
    const Graph* original = nullptr;
    ~Graph();

    Node& add(Operation operation, const std::vector<Node*>& dependencies);
    void remove(Node& node);
    std::shared_ptr<Graph> clone() const;
    // Nodes so that each comes after what it depends on; empty when there is a cycle. Nodes that do not
    // depend on each other keep the order in which they were added, so that runs repeat.
    std::vector<Node*> order() const;
};

void add_edge(Node& from, Node& to);
void remove_edge(Node& from, Node& to);

struct InstantiatedGraph {
    std::shared_ptr<Graph> graph;  // a clone
    std::vector<Node*> order;
    std::unordered_map<const Node*, Node*> from_original;
    unsigned long long flags = 0;
};

void run_graph(const Graph& graph, Stream& stream);
void run_executable(const InstantiatedGraph& executable, Stream& stream);
hipGraphExecUpdateResult update_executable(InstantiatedGraph& executable, const Graph& graph, Node*& offending);

// Handles. Throw hipErrorInvalidValue for what is not (any longer) a graph, node or executable.
Graph& to_graph(hipGraph_t handle);
std::shared_ptr<Graph> to_shared_graph(hipGraph_t handle);
Node& to_node(hipGraphNode_t handle);
InstantiatedGraph& to_executable(hipGraphExec_t handle);
hipGraph_t publish_graph(std::shared_ptr<Graph> graph);
hipGraphExec_t publish_executable(std::unique_ptr<InstantiatedGraph> executable);
void destroy_graph(hipGraph_t handle);
void destroy_executable(hipGraphExec_t handle);
inline hipGraph_t graph_handle(Graph* graph) {
    return reinterpret_cast<hipGraph_t>(graph);
}
inline hipGraphNode_t node_handle(Node* node) {
    return reinterpret_cast<hipGraphNode_t>(node);
}

void retain(UserObject& object, unsigned count);
void release(UserObject& object, unsigned count);

// Bytes of memory that graphs hold on a device, for hipDeviceGetGraphMemAttribute.
struct GraphMemoryUse {
    std::uint64_t current = 0, high = 0;
};
GraphMemoryUse& graph_memory_use(int device);

}  // namespace vrocm::hip

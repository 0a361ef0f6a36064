#include "hip/graph/graph.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/memory/allocation.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

namespace {

struct LiveGraphs {
    std::unordered_map<const Graph*, std::shared_ptr<Graph>> graphs;  // those the program must destroy
    std::unordered_set<const Graph*> all;                             // and those inside nodes and executables
    std::unordered_set<const Node*> nodes;
    std::unordered_map<const InstantiatedGraph*, std::unique_ptr<InstantiatedGraph>> executables;
    std::map<int, GraphMemoryUse> memory;
};
LiveGraphs& live_graphs() {
    static LiveGraphs* instance = new LiveGraphs;
    return *instance;
}

}  // namespace

std::recursive_mutex& graph_mutex() {
    static auto* mutex = new std::recursive_mutex;
    return *mutex;
}

GraphMemoryUse& graph_memory_use(int device) {
    return live_graphs().memory[device];
}

GraphMemory::GraphMemory(Device& owner, std::size_t bytes) : size(bytes), device(owner.id()) {
    pointer = allocate_device(owner, bytes, HipAllocation::Kind::Device);
    GraphMemoryUse& use = graph_memory_use(device);
    use.current += size;
    use.high = std::max(use.high, use.current);
}

GraphMemory::~GraphMemory() {
    try {
        free_memory(pointer);
    } catch (const Error&) {  // the program freed it itself
    }
    graph_memory_use(device).current -= size;
}

hipGraphNodeType Node::type() const {
    struct Visitor {
        hipGraphNodeType operator()(const KernelOperation&) const { return hipGraphNodeTypeKernel; }
        hipGraphNodeType operator()(const CopyOperation&) const { return hipGraphNodeTypeMemcpy; }
        hipGraphNodeType operator()(const FillOperation&) const { return hipGraphNodeTypeMemset; }
        hipGraphNodeType operator()(const HostOperation&) const { return hipGraphNodeTypeHost; }
        hipGraphNodeType operator()(const EmptyOperation&) const { return hipGraphNodeTypeEmpty; }
        hipGraphNodeType operator()(const EventRecordOperation&) const { return hipGraphNodeTypeEventRecord; }
        hipGraphNodeType operator()(const EventWaitOperation&) const { return hipGraphNodeTypeWaitEvent; }
        hipGraphNodeType operator()(const ChildGraphOperation&) const { return hipGraphNodeTypeGraph; }
        hipGraphNodeType operator()(const AllocateOperation&) const { return hipGraphNodeTypeMemAlloc; }
        hipGraphNodeType operator()(const FreeOperation&) const { return hipGraphNodeTypeMemFree; }
    };
    return std::visit(Visitor{}, operation);
}

void add_edge(Node& from, Node& to) {
    to.dependencies.push_back(&from);
    from.dependents.push_back(&to);
}

void remove_edge(Node& from, Node& to) {
    std::erase(to.dependencies, &from);
    std::erase(from.dependents, &to);
}

Graph::~Graph() {
    for (const auto& node : nodes) live_graphs().nodes.erase(node.get());
    live_graphs().all.erase(this);
    for (auto& [object, count] : user_objects) release(*object, count);
}

Node& Graph::add(Operation operation, const std::vector<Node*>& dependencies) {
    auto made = std::make_unique<Node>();
    Node& node = *made;
    node.graph = this;
    node.operation = std::move(operation);
    nodes.push_back(std::move(made));
    live_graphs().nodes.insert(&node);
    live_graphs().all.insert(this);
    for (Node* dependency : dependencies) {
        require(dependency->graph == this);
        if (std::find(node.dependencies.begin(), node.dependencies.end(), dependency) == node.dependencies.end())
            add_edge(*dependency, node);
    }
    return node;
}

void Graph::remove(Node& node) {
    while (!node.dependencies.empty()) remove_edge(*node.dependencies.back(), node);
    while (!node.dependents.empty()) remove_edge(node, *node.dependents.back());
    live_graphs().nodes.erase(&node);
    std::erase_if(nodes, [&](const auto& owned) { return owned.get() == &node; });
}

std::shared_ptr<Graph> Graph::clone() const {
    auto made = std::make_shared<Graph>();
    made->original = this;
    live_graphs().all.insert(made.get());
    std::unordered_map<const Node*, Node*> copies;
    for (const auto& node : nodes) {
        Node& copy = made->add(node->operation, {});
        copy.original = node.get();
        copy.enabled = node->enabled;
        if (auto* child = std::get_if<ChildGraphOperation>(&copy.operation)) child->graph = child->graph->clone();
        copies[node.get()] = &copy;
    }
    for (const auto& node : nodes)
        for (Node* dependency : node->dependencies) add_edge(*copies.at(dependency), *copies.at(node.get()));
    for (auto& [object, count] : user_objects) {
        retain(*object, count);
        made->user_objects.emplace_back(object, count);
    }
    return made;
}

std::vector<Node*> Graph::order() const {
    std::unordered_map<const Node*, std::size_t> missing;
    std::vector<Node*> ordered;
    std::vector<bool> placed(nodes.size(), false);
    for (const auto& node : nodes) missing[node.get()] = node->dependencies.size();
    for (bool progress = true; progress && ordered.size() < nodes.size();) {
        progress = false;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (placed[i] || missing[nodes[i].get()] != 0) continue;
            placed[i] = progress = true;
            ordered.push_back(nodes[i].get());
            for (Node* dependent : nodes[i]->dependents) --missing[dependent];
        }
    }
    if (ordered.size() != nodes.size()) ordered.clear();
    return ordered;
}

void run_graph(const Graph& graph, Stream& stream) {
    for (Node* node : graph.order()) perform(stream, node->operation);
}

void run_executable(const InstantiatedGraph& executable, Stream& stream) {
    for (Node* node : executable.order)
        if (node->enabled) perform(stream, node->operation);
}

namespace {

hipGraphExecUpdateResult update_node(Node& node, const Node& wanted) {
    if (node.operation.index() != wanted.operation.index()) return hipGraphExecUpdateErrorNodeTypeChanged;
    if (auto* child = std::get_if<ChildGraphOperation>(&node.operation)) {
        const Graph& from = *std::get<ChildGraphOperation>(wanted.operation).graph;
        if (from.nodes.size() != child->graph->nodes.size()) return hipGraphExecUpdateErrorTopologyChanged;
        for (std::size_t i = 0; i < from.nodes.size(); ++i)
            if (auto result = update_node(*child->graph->nodes[i], *from.nodes[i]); result != hipGraphExecUpdateSuccess)
                return result;
        return hipGraphExecUpdateSuccess;
    }
    if (auto* copy = std::get_if<CopyOperation>(&node.operation)) {
        const auto& other = std::get<CopyOperation>(wanted.operation);
        if (copy->parameters.kind != other.parameters.kind) return hipGraphExecUpdateErrorParametersChanged;
    }
    node.operation = wanted.operation;
    return hipGraphExecUpdateSuccess;
}

}  // namespace

hipGraphExecUpdateResult update_executable(InstantiatedGraph& executable, const Graph& graph, Node*& offending) {
    offending = nullptr;
    const Graph& mine = *executable.graph;
    if (mine.nodes.size() != graph.nodes.size()) return hipGraphExecUpdateErrorTopologyChanged;
    std::unordered_map<const Node*, std::size_t> my_index, its_index;
    for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
        my_index[mine.nodes[i].get()] = i;
        its_index[graph.nodes[i].get()] = i;
    }
    for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
        const Node& a = *mine.nodes[i];
        Node& b = *graph.nodes[i];
        offending = &b;
        if (a.dependencies.size() != b.dependencies.size()) return hipGraphExecUpdateErrorTopologyChanged;
        for (std::size_t d = 0; d < a.dependencies.size(); ++d)
            if (my_index.at(a.dependencies[d]) != its_index.at(b.dependencies[d]))
                return hipGraphExecUpdateErrorTopologyChanged;
    }
    for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
        offending = graph.nodes[i].get();
        const auto result = update_node(*mine.nodes[i], *graph.nodes[i]);
        if (result != hipGraphExecUpdateSuccess) return result;
        executable.from_original[graph.nodes[i].get()] = mine.nodes[i].get();
    }
    offending = nullptr;
    return hipGraphExecUpdateSuccess;
}

Graph& to_graph(hipGraph_t handle) {
    auto* graph = reinterpret_cast<Graph*>(handle);
    require(graph && live_graphs().all.count(graph) != 0);
    return *graph;
}

std::shared_ptr<Graph> to_shared_graph(hipGraph_t handle) {
    return to_graph(handle).shared_from_this();
}

Node& to_node(hipGraphNode_t handle) {
    auto* node = reinterpret_cast<Node*>(handle);
    require(node && live_graphs().nodes.count(node) != 0);
    return *node;
}

InstantiatedGraph& to_executable(hipGraphExec_t handle) {
    auto* executable = reinterpret_cast<InstantiatedGraph*>(handle);
    require(executable && live_graphs().executables.count(executable) != 0);
    return *executable;
}

hipGraph_t publish_graph(std::shared_ptr<Graph> graph) {
    Graph* raw = graph.get();
    live_graphs().all.insert(raw);
    live_graphs().graphs.emplace(raw, std::move(graph));
    return graph_handle(raw);
}

hipGraphExec_t publish_executable(std::unique_ptr<InstantiatedGraph> executable) {
    InstantiatedGraph* raw = executable.get();
    live_graphs().executables.emplace(raw, std::move(executable));
    return reinterpret_cast<hipGraphExec_t>(raw);
}

void destroy_graph(hipGraph_t handle) {
    auto found = live_graphs().graphs.find(reinterpret_cast<Graph*>(handle));
    require(found != live_graphs().graphs.end());
    auto ended = std::move(found->second);  // nodes unregister themselves while the map is consistent
    live_graphs().graphs.erase(found);
}

void destroy_executable(hipGraphExec_t handle) {
    auto found = live_graphs().executables.find(reinterpret_cast<InstantiatedGraph*>(handle));
    require(found != live_graphs().executables.end());
    auto ended = std::move(found->second);
    live_graphs().executables.erase(found);
}

void retain(UserObject& object, unsigned count) {
    object.references += count;
}

void release(UserObject& object, unsigned count) {
    require(count <= object.references);
    object.references -= count;
    if (object.references == 0) {
        object.destroy(object.data);
        delete &object;
    }
}

}  // namespace vrocm::hip

// API: stream capture.
#include "hip/graph/capture.h"

#include "hip/call/enter.h"
#include "hip/stream/stream.h"

using namespace vrocm::hip;

namespace {

void check_mode(hipStreamCaptureMode mode) {
    require(mode >= hipStreamCaptureModeGlobal && mode <= hipStreamCaptureModeRelaxed);
}

std::vector<Node*> to_nodes(const hipGraphNode_t* nodes, std::size_t count) {
    require(count == 0 || nodes != nullptr);
    std::vector<Node*> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(&to_node(nodes[i]));
    return made;
}

}  // namespace

extern "C" {

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    VROCM_API(hipStreamBeginCapture, stream, mode);
    return enter([&] {
        check_mode(mode);
        begin_capture(to_stream(stream), mode, nullptr, {});
    });
}

hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* dependencyData, size_t count,
                                        hipStreamCaptureMode mode) {
    VROCM_API(hipStreamBeginCaptureToGraph, stream, graph, dependencies, dependencyData, count, mode);
    return enter([&] {
        check_mode(mode);
        std::lock_guard lock(graph_mutex());
        begin_capture(to_stream(stream), mode, to_shared_graph(graph), to_nodes(dependencies, count));
    });
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* out) {
    VROCM_API(hipStreamEndCapture, handle, out);
    return enter([&] {
        require(out != nullptr);
        *out = nullptr;
        Stream& stream = to_stream(handle);
        std::lock_guard lock(graph_mutex());
        const bool existing = stream.capture && stream.capture->into_existing_graph;
        std::shared_ptr<Graph> graph = end_capture(stream);
        *out = existing ? graph_handle(graph.get()) : publish_graph(std::move(graph));
    });
}

hipError_t hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id) {
    VROCM_API(hipStreamGetCaptureInfo, handle, status, id);
    return hipStreamGetCaptureInfo_v2(handle, status, id, nullptr, nullptr, nullptr);
}

hipError_t hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus* status, unsigned long long* id,
                                      hipGraph_t* graph, const hipGraphNode_t** dependencies, size_t* count) {
    VROCM_API(hipStreamGetCaptureInfo_v2, handle, status, id, graph, dependencies, count);
    return enter([&] {
        require(status != nullptr);
        Stream& stream = to_stream(handle);
        std::lock_guard lock(graph_mutex());
        *status = capture_status(stream);
        if (*status != hipStreamCaptureStatusActive) return;
        if (id) *id = stream.capture->id;
        if (graph) *graph = graph_handle(stream.capture->graph.get());
        if (dependencies) *dependencies = reinterpret_cast<const hipGraphNode_t*>(stream.capture_tail.data());
        if (count) *count = stream.capture_tail.size();
    });
}

hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* status) {
    VROCM_API(hipStreamIsCapturing, stream, status);
    return enter([&] {
        require(status != nullptr);
        *status = capture_status(to_stream(stream));
    });
}

hipError_t hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t* dependencies, size_t count,
                                              unsigned int flags) {
    VROCM_API(hipStreamUpdateCaptureDependencies, handle, dependencies, count, flags);
    return enter([&] {
        require(flags == hipStreamAddCaptureDependencies || flags == hipStreamSetCaptureDependencies);
        Stream& stream = to_stream(handle);
        std::lock_guard lock(graph_mutex());
        require(capture_status(stream) == hipStreamCaptureStatusActive, hipErrorIllegalState);
        std::vector<Node*> nodes = to_nodes(dependencies, count);
        for (Node* node : nodes) require(node->graph == stream.capture->graph.get());
        if (flags == hipStreamSetCaptureDependencies) stream.capture_tail.clear();
        for (Node* node : nodes) stream.capture_tail.push_back(node);
    });
}

hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode) {
    VROCM_API(hipThreadExchangeStreamCaptureMode, mode);
    return enter([&] {
        require(mode != nullptr);
        check_mode(*mode);
        std::swap(*mode, thread_state().capture_mode);
    });
}
}

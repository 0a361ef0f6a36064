#include "hip/graph/capture.h"

#include <algorithm>

#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/stream/event.h"
#include "hip/stream/stream.h"
#include "hip/thread_state.h"

namespace vrocm::hip {

namespace {

std::vector<std::shared_ptr<StreamCapture>>& active_captures() {
    static auto* captures = new std::vector<std::shared_ptr<StreamCapture>>;
    return *captures;
}
std::atomic<int> active_count{0};  // so that calls outside any capture need no lock
unsigned long long next_id = 1;

void require_valid(const StreamCapture& capture) {
    require(!capture.invalidated, hipErrorStreamCaptureInvalidated);
}

void append_unique(std::vector<Node*>& into, const std::vector<Node*>& nodes) {
    for (Node* node : nodes)
        if (std::find(into.begin(), into.end(), node) == into.end()) into.push_back(node);
}

}  // namespace

bool is_capturing(Stream& stream) {
    if (active_count.load(std::memory_order_acquire) == 0) return false;
    std::lock_guard lock(graph_mutex());
    if (stream.capture) return true;
    // Work in the default stream would have to wait for blocking streams that are capturing.
    if (stream.kind() == Stream::Kind::Null)
        for (const auto& capture : active_captures())
            for (Stream* other : capture->streams)
                if (&other->device() == &stream.device() && !(other->flags() & hipStreamNonBlocking) &&
                    capture->mode != hipStreamCaptureModeRelaxed) {
                    capture->invalidated = true;
                    fail(hipErrorStreamCaptureImplicit);
                }
    return false;
}

void capture_operation(Stream& stream, Operation operation) {
    std::lock_guard lock(graph_mutex());
    require_valid(*stream.capture);
    Node& node = stream.capture->graph->add(std::move(operation), stream.capture_tail);
    stream.capture_tail = {&node};
}

void capture_event_record(Stream& stream, Event& event) {
    std::lock_guard lock(graph_mutex());
    require_valid(*stream.capture);
    event.mark_captured(stream.capture, stream.capture_tail);
}

bool capture_event_wait(Stream& stream, Event& event) {
    if (active_count.load(std::memory_order_acquire) == 0) return false;
    std::lock_guard lock(graph_mutex());
    std::vector<Node*> after;
    std::shared_ptr<StreamCapture> source = event.captured(after);
    if (source && std::find(active_captures().begin(), active_captures().end(), source) == active_captures().end())
        source.reset();
    if (!source) {
        if (!stream.capture) return false;
        stream.capture->invalidated = true;
        fail(hipErrorStreamCaptureIsolation);  // work outside the graph cannot be waited for inside it
    }
    if (!stream.capture) {
        stream.capture = source;
        source->streams.push_back(&stream);
    } else if (stream.capture != source) {
        stream.capture->invalidated = source->invalidated = true;
        fail(hipErrorStreamCaptureMerge);
    }
    append_unique(stream.capture_tail, after);
    return true;
}

void begin_capture(Stream& stream, hipStreamCaptureMode mode, std::shared_ptr<Graph> into,
                   const std::vector<Node*>& dependencies) {
    std::lock_guard lock(graph_mutex());
    require(stream.kind() != Stream::Kind::Null, hipErrorStreamCaptureUnsupported);
    require(!stream.capture, hipErrorIllegalState);
    auto capture = std::make_shared<StreamCapture>();
    capture->into_existing_graph = into != nullptr;
    capture->graph = into ? into : std::make_shared<Graph>();
    capture->origin = &stream;
    capture->mode = mode;
    capture->thread = std::this_thread::get_id();
    capture->id = next_id++;
    capture->streams = {&stream};
    stream.capture = capture;
    stream.capture_tail = dependencies;
    active_captures().push_back(capture);
    ++active_count;
}

std::shared_ptr<Graph> end_capture(Stream& stream) {
    std::lock_guard lock(graph_mutex());
    std::shared_ptr<StreamCapture> capture = stream.capture;
    require(capture != nullptr, hipErrorIllegalState);
    require(capture->origin == &stream, hipErrorStreamCaptureUnmatched);
    require(capture->mode == hipStreamCaptureModeRelaxed || capture->thread == std::this_thread::get_id(),
            hipErrorStreamCaptureWrongThread);
    // Everything the other streams captured must have come back to the origin.
    bool joined = true;
    for (Stream* other : capture->streams)
        if (other != &stream)
            for (Node* node : other->capture_tail)
                joined &= !node->dependents.empty() || std::find(stream.capture_tail.begin(), stream.capture_tail.end(),
                                                                 node) != stream.capture_tail.end();
    for (Stream* member : capture->streams) {
        member->capture.reset();
        member->capture_tail.clear();
    }
    std::erase(active_captures(), capture);
    --active_count;
    require_valid(*capture);
    require(joined, hipErrorStreamCaptureUnjoined);
    return capture->graph;
}

hipStreamCaptureStatus capture_status(Stream& stream) {
    std::lock_guard lock(graph_mutex());
    if (!stream.capture) return hipStreamCaptureStatusNone;
    return stream.capture->invalidated ? hipStreamCaptureStatusInvalidated : hipStreamCaptureStatusActive;
}

void forbid_during_capture(Stream& stream) {
    if (active_count.load(std::memory_order_acquire) == 0) return;
    std::lock_guard lock(graph_mutex());
    if (stream.capture) {
        stream.capture->invalidated = true;
        fail(hipErrorStreamCaptureUnsupported);
    }
    is_capturing(stream);  // the default stream must not be waited for either
}

void forbid_during_any_capture() {
    if (active_count.load(std::memory_order_acquire) == 0) return;
    std::lock_guard lock(graph_mutex());
    const hipStreamCaptureMode mine = thread_state().capture_mode;
    if (mine == hipStreamCaptureModeRelaxed) return;
    for (const auto& capture : active_captures()) {
        const bool same_thread = capture->thread == std::this_thread::get_id();
        const bool concerns_me = capture->mode == hipStreamCaptureModeGlobal
                                     ? (mine == hipStreamCaptureModeGlobal || same_thread)
                                     : capture->mode == hipStreamCaptureModeThreadLocal && same_thread;
        if (!concerns_me) continue;
        capture->invalidated = true;
        fail(hipErrorStreamCaptureUnsupported);
    }
}

}  // namespace vrocm::hip

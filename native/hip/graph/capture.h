// Stream capture: what streams are asked to do becomes a graph instead of being done.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "hip/graph/graph.h"

namespace vrocm::hip {

class Event;

struct StreamCapture {
    std::shared_ptr<Graph> graph;
    Stream* origin = nullptr;
    hipStreamCaptureMode mode = hipStreamCaptureModeGlobal;
    std::thread::id thread;
    unsigned long long id = 0;
    bool invalidated = false;
    bool into_existing_graph = false;
    std::vector<Stream*> streams;  // origin and those that joined through events
};

bool is_capturing(Stream& stream);
// Adds the operation after everything the stream has captured.
void capture_operation(Stream& stream, Operation operation);
void capture_event_record(Stream& stream, Event& event);
// True when the wait became part of a capture (of this stream or of the event).
bool capture_event_wait(Stream& stream, Event& event);

void begin_capture(Stream& stream, hipStreamCaptureMode mode, std::shared_ptr<Graph> into,
                   const std::vector<Node*>& dependencies);
std::shared_ptr<Graph> end_capture(Stream& stream);
hipStreamCaptureStatus capture_status(Stream& stream);

// Calls that would wait for a capturing stream, or touch the default stream while one captures that is
// ordered with it. They fail and spoil the capture, as HIP defines.
void forbid_during_capture(Stream& stream);
void forbid_during_any_capture();  // hipMalloc and other calls that are not safe in mode Global

}  // namespace vrocm::hip

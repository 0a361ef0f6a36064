// An event: what a stream had been asked to do when it was recorded.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hip/hip_abi.h"
#include "hip/stream/completion.h"

namespace vrocm::hip {

class Stream;
struct StreamCapture;
struct Node;

class Event {
  public:
    Event(unsigned flags, int device) : flags_(flags), device_(device) {}

    void record(Stream& stream);
    // Stands for the beginning or the end of one operation (hipExtLaunchKernel).
    void record_operation(Stream& stream, CompletionPtr completion, bool its_start);

    bool recorded() const;
    bool done() const;
    void synchronize() const;
    std::vector<CompletionPtr> completions() const;
    // When everything recorded had ended: never before the moment of recording. Ticks; only once done.
    std::uint64_t time() const;

    unsigned flags() const { return flags_; }
    int device() const { return device_; }

    // When the last recording was into a graph being captured: which, and after which of its nodes.
    void mark_captured(const std::shared_ptr<StreamCapture>& capture, const std::vector<Node*>& after);
    std::shared_ptr<StreamCapture> captured(std::vector<Node*>& after) const;

  private:
    mutable std::mutex mutex_;
    const unsigned flags_;
    int device_;
    bool recorded_ = false;
    bool at_start_ = false;
    std::uint64_t recorded_at_ = 0;
    std::vector<CompletionPtr> waits_for_;
    CompletionPtr operation_;
    std::weak_ptr<StreamCapture> captured_by_;
    std::vector<Node*> captured_after_;
};

Event& to_event(hipEvent_t handle);  // throws hipErrorInvalidHandle
hipEvent_t create_event(unsigned flags, int device);
void destroy_event(hipEvent_t handle);

}  // namespace vrocm::hip

#include "hip/stream/event.h"

#include <algorithm>
#include <unordered_map>

#include "abi/vrocm/clock.h"
#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/runtime.h"
#include "hip/stream/stream.h"

namespace vrocm::hip {

void Event::record(Stream& stream) {
    std::vector<CompletionPtr> pending;
    if (vrocm_clock_is_virtual())
        pending.push_back(stream.marker());
    else
        pending = stream.pending();
    std::lock_guard lock(mutex_);
    recorded_ = true;
    recorded_at_ = now_ticks();
    waits_for_ = std::move(pending);
    operation_.reset();
    captured_by_.reset();
    captured_after_.clear();
}

void Event::record_operation(Stream&, CompletionPtr completion, bool its_start) {
    std::lock_guard lock(mutex_);
    recorded_ = true;
    at_start_ = its_start;
    waits_for_ = {completion};
    operation_ = std::move(completion);
    captured_by_.reset();
    captured_after_.clear();
}

void Event::mark_captured(const std::shared_ptr<StreamCapture>& capture, const std::vector<Node*>& after) {
    std::lock_guard lock(mutex_);
    captured_by_ = capture;
    captured_after_ = after;
}

std::shared_ptr<StreamCapture> Event::captured(std::vector<Node*>& after) const {
    std::lock_guard lock(mutex_);
    after = captured_after_;
    return captured_by_.lock();
}

bool Event::recorded() const {
    std::lock_guard lock(mutex_);
    return recorded_;
}

std::vector<CompletionPtr> Event::completions() const {
    std::lock_guard lock(mutex_);
    return waits_for_;
}

bool Event::done() const {
    const auto all = completions();
    return std::all_of(all.begin(), all.end(), [](const CompletionPtr& c) { return c->done(); });
}

void Event::synchronize() const {
    for (const CompletionPtr& completion : completions()) completion->wait();
    if (HipRuntime* runtime = HipRuntime::get_if_initialised()) {
        Device& device = runtime->device(device_);
        std::lock_guard lock(device.submission());
        for (Stream* stream : device.streams()) stream->flush_printf();
    }
}

std::uint64_t Event::time() const {
    std::lock_guard lock(mutex_);
    std::uint64_t start = 0, end = 0;
    if (operation_) {
        operation_->times(start, end);
        return at_start_ ? start : end;
    }
    std::uint64_t latest = vrocm_clock_is_virtual() ? 0 : recorded_at_;
    for (const CompletionPtr& completion : waits_for_) {
        completion->times(start, end);
        latest = std::max(latest, end);
    }
    return latest;
}

namespace {

struct LiveEvents {
    std::mutex mutex;
    std::unordered_map<const Event*, std::unique_ptr<Event>> events;
};
LiveEvents& live_events() {
    static LiveEvents* instance = new LiveEvents;
    return *instance;
}

}  // namespace

Event& to_event(hipEvent_t handle) {
    auto* event = reinterpret_cast<Event*>(handle);
    std::lock_guard lock(live_events().mutex);
    require(live_events().events.count(event) != 0, hipErrorInvalidHandle);
    return *event;
}

hipEvent_t create_event(unsigned flags, int device) {
    auto made = std::make_unique<Event>(flags, device);
    Event* raw = made.get();
    std::lock_guard lock(live_events().mutex);
    live_events().events.emplace(raw, std::move(made));
    return reinterpret_cast<hipEvent_t>(raw);
}

void destroy_event(hipEvent_t handle) {
    std::unique_ptr<Event> ended;
    std::lock_guard lock(live_events().mutex);
    auto found = live_events().events.find(reinterpret_cast<Event*>(handle));
    require(found != live_events().events.end(), hipErrorInvalidHandle);
    ended = std::move(found->second);
    live_events().events.erase(found);
}

}  // namespace vrocm::hip

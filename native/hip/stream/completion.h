// The end of one operation of a stream, as an HSA signal that goes from 1 to 0.
#pragma once

#include <cstdint>
#include <memory>

#include "abi/hsa/hsa.h"

namespace vrocm::hip {

struct Completion {
    enum class Kind : std::uint8_t { Dispatch, Copy, Host };

    hsa_signal_t signal{};
    hsa_agent_t agent{};
    Kind kind = Kind::Host;
    std::uint64_t stream = 0;                    // id of the stream it belongs to
    std::uint64_t serial = 0;                    // position in that stream: a later one implies all earlier ones
    const hsa_queue_t* queue = nullptr;          // of Kind::Dispatch: what carries it out
    std::uint64_t packet = 0;                    // position in that queue: likewise
    std::uint64_t host_start = 0, host_end = 0;  // ticks, of Kind::Host

    bool done() const;  // at this thread's time; may wait for the GPU to get that far
    // Never waits: what nobody has asked for yet may be done without being known to be.
    bool known_done() const;
    // Whatever the virtual time: what it used may be used again.
    bool really_done() const;
    bool failed() const;  // done, but a copy touched memory that is not there
    // Blocks until done, or until a fault has made sure that it may never be.
    void wait() const;
    // When the operation began and ended, in ticks of the system clock. Only once done.
    void times(std::uint64_t& start, std::uint64_t& end) const;
    void finish();  // for operations that the runtime itself carries out
};
using CompletionPtr = std::shared_ptr<Completion>;

// Signals are reused: creating one costs far more than resetting it.
CompletionPtr make_completion(Completion::Kind kind, hsa_agent_t agent);

std::uint64_t now_ticks();
double ticks_to_milliseconds(std::uint64_t ticks);

}  // namespace vrocm::hip

// What the GPUs do in virtual time: operations that wait for each other and share the machines they run on.
// Pure logic: no clock, no lock, no thread. Times are virtual nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace vrocm::hsa {

using OperationId = std::uint64_t;  // 0: none

// What operations on one GPU compete for. The first five are those of sim::DispatchTime.
enum Resource : unsigned {
    WaveSlots,
    VectorIssue,
    LdsBandwidth,
    L2Bandwidth,
    MemoryBandwidth,
    LinkIn,   // from the host
    LinkOut,  // to the host
    LinkPeer,
    kResources
};
using ResourceUse = std::array<std::uint32_t, kResources>;  // thousandths of the whole

constexpr unsigned kNoPool = ~0u;

struct Operation {
    unsigned pool = kNoPool;  // the GPU whose resources it uses; none: nothing is shared
    ResourceUse use{};
    std::uint64_t submitted = 0;     // when it was asked for
    std::uint64_t arrival = 0;       // from then until it is seen by who carries it out
    std::uint64_t idle_arrival = 0;  // the same when nothing it follows ended within `idle_after` before
    std::uint64_t idle_after = 0;
    std::uint64_t setup = 0;               // from the moment it may start to its start
    std::uint64_t work = 0;                // from start to end when it is alone
    std::uint64_t finish = 0;              // from its end until that can be seen
    std::uint64_t previous = 0;            // the latest end of all that it follows and that are settled already
    std::vector<OperationId> after_end;    // not settled yet: it starts after their ends were seen
    std::vector<OperationId> after_start;  // ... after their starts
    bool after_any = false;                // one end of `after_end` is enough
    bool alone = false;                    // it follows the end of the last one of its pool that is alone, too
};

struct OperationTimes {
    std::uint64_t start = 0, end = 0, seen = 0;
};

class Timeline {
  public:
    using Settled = std::function<void(OperationId, const OperationTimes&)>;
    explicit Timeline(Settled settled) : settled_(std::move(settled)) {}

    // An operation whose duration is known. One that should have started in the part that is settled already is
    // taken as running alone until now.
    OperationId add(const Operation& operation);

    // Everything up to here is settled.
    std::uint64_t now() const { return now_; }
    // The next moment at which something starts or ends, or kNever.
    std::uint64_t next_event() const;
    // Settles everything up to a time.
    void advance(std::uint64_t to);

    bool started(OperationId id) const;
    bool open(OperationId id) const { return nodes_.count(id) != 0; }
    bool idle() const { return nodes_.empty(); }
    void clear();

    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  private:
    enum class State { Waiting, Scheduled, Running, Finishing };
    struct Node {
        Operation operation;
        State state = State::Waiting;
        std::size_t missing = 0;
        std::uint64_t latest = 0;  // of what it follows
        OperationTimes times;
        double left = 0;  // nanoseconds of work when alone
        double speed = 1;
        std::vector<OperationId> enders, starters;  // that follow its end, its start
    };
    struct Event {
        std::uint64_t time;
        OperationId id;
        bool operator>(const Event& other) const { return time != other.time ? time > other.time : id > other.id; }
    };
    struct Pool {
        std::uint64_t changed = 0;  // when the set of running operations did: `left` is as of then
        std::vector<OperationId> running;
    };

    struct Alone {
        OperationId id = 0;
        std::uint64_t seen = 0;  // once it is settled
    };

    void line_up(OperationId id, Node& node);
    void schedule(OperationId id, Node& node);
    void start(OperationId id, Node& node);
    void end(OperationId id, Node& node, std::uint64_t time);
    void settle(OperationId id);
    void satisfied(OperationId id, std::uint64_t time);
    void bring_up_to(Pool& pool, std::uint64_t time);
    void share(Pool& pool);
    std::uint64_t end_of(const Pool& pool, const Node& node) const;
    bool next_ending(Event& event, unsigned& pool) const;

    Settled settled_;
    std::uint64_t now_ = 0;
    OperationId last_id_ = 0;
    std::map<OperationId, Node> nodes_;
    std::map<unsigned, Pool> pools_;
    std::map<unsigned, Alone> alone_;                                        // the last one of each pool
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;  // scheduled starts, ends being seen
};

// How a resource is shared by those that ask for so much of it (thousandths): nobody gets more than asked for, and
// what is left is split evenly. Gives each one's fraction of what it asked for.
std::vector<double> fair_fractions(const std::vector<std::uint32_t>& asked);

}  // namespace vrocm::hsa

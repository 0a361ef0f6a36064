#include "hsa/time/timeline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vrocm::hsa {

std::vector<double> fair_fractions(const std::vector<std::uint32_t>& asked) {
    constexpr double kWhole = 1000;
    std::vector<double> fractions(asked.size(), 1);
    std::vector<std::size_t> order(asked.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return asked[a] != asked[b] ? asked[a] < asked[b] : a < b; });
    double left = kWhole;
    std::size_t sharers = asked.size();
    for (std::size_t i : order) {
        const double share = left / static_cast<double>(sharers--);
        const double given = std::min<double>(asked[i], share);
        if (asked[i]) fractions[i] = given / asked[i];
        left -= given;
    }
    return fractions;
}

OperationId Timeline::add(const Operation& operation) {
    const OperationId id = ++last_id_;
    Node& node = nodes_[id];
    node.operation = operation;
    node.latest = operation.previous;
    for (OperationId before : operation.after_end) {
        const auto found = nodes_.find(before);
        if (found == nodes_.end()) continue;
        found->second.enders.push_back(id);
        ++node.missing;
    }
    for (OperationId before : operation.after_start) {
        const auto found = nodes_.find(before);
        if (found == nodes_.end()) continue;
        if (found->second.state == State::Running || found->second.state == State::Finishing) {
            node.latest = std::max(node.latest, found->second.times.start);
            continue;
        }
        found->second.starters.push_back(id);
        ++node.missing;
    }
    if (operation.alone) line_up(id, node);
    if (node.missing == 0) schedule(id, node);
    return id;
}

// As under a profiler, which lets kernels run one after another.
void Timeline::line_up(OperationId id, Node& node) {
    Alone& last = alone_[node.operation.pool];
    const auto found = nodes_.find(last.id);
    if (found == nodes_.end()) {
        node.latest = std::max(node.latest, last.seen);
    } else {
        found->second.enders.push_back(id);
        ++node.missing;
    }
    last = {id, last.seen};
}

void Timeline::schedule(OperationId id, Node& node) {
    const Operation& o = node.operation;
    const bool was_idle = node.latest + o.idle_after < o.submitted;
    const std::uint64_t arrived = o.submitted + (was_idle ? o.idle_arrival : o.arrival);
    node.times.start = std::max(arrived, node.latest) + o.setup;
    node.left = static_cast<double>(o.work);
    node.state = State::Scheduled;
    if (node.times.start < now_) node.left = std::max(0.0, node.left - static_cast<double>(now_ - node.times.start));
    events_.push({std::max(node.times.start, now_), id});
}

void Timeline::start(OperationId id, Node& node) {
    node.state = State::Running;
    const auto starters = std::move(node.starters);
    if (node.operation.pool == kNoPool) {
        end(id, node, std::max(node.times.start + node.operation.work, now_));
    } else {
        Pool& pool = pools_[node.operation.pool];
        bring_up_to(pool, now_);
        pool.running.push_back(id);
        share(pool);
    }
    const std::uint64_t began = node.times.start;
    for (OperationId follower : starters) satisfied(follower, began);
}

void Timeline::end(OperationId id, Node& node, std::uint64_t time) {
    node.state = State::Finishing;
    node.times.end = time;
    node.times.seen = time + node.operation.finish;
    events_.push({node.times.seen, id});
}

void Timeline::settle(OperationId id) {
    auto taken = nodes_.extract(id);
    Node& node = taken.mapped();
    for (OperationId follower : node.enders) satisfied(follower, node.times.seen);
    if (node.operation.alone) alone_[node.operation.pool].seen = node.times.seen;
    settled_(id, node.times);
}

void Timeline::satisfied(OperationId id, std::uint64_t time) {
    const auto found = nodes_.find(id);
    if (found == nodes_.end() || found->second.state != State::Waiting) return;
    Node& node = found->second;
    node.latest = std::max(node.latest, time);
    if (--node.missing == 0 || node.operation.after_any) schedule(id, node);
}

// Work is only ever taken off when the set of running operations changes, so that rounding does not depend on how
// far and how often the timeline was asked to go.
void Timeline::bring_up_to(Pool& pool, std::uint64_t time) {
    const double passed = static_cast<double>(time - pool.changed);
    for (OperationId id : pool.running) {
        Node& node = nodes_.at(id);
        node.left = std::max(0.0, node.left - passed * node.speed);
    }
    pool.changed = time;
}

void Timeline::share(Pool& pool) {
    for (OperationId id : pool.running) nodes_.at(id).speed = 1;
    if (pool.running.size() < 2) return;
    std::vector<std::uint32_t> asked(pool.running.size());
    for (unsigned r = 0; r < kResources; ++r) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < asked.size(); ++i) {
            asked[i] = nodes_.at(pool.running[i]).operation.use[r];
            sum += asked[i];
        }
        if (sum <= 1000) continue;
        const std::vector<double> fractions = fair_fractions(asked);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            Node& node = nodes_.at(pool.running[i]);
            node.speed = std::min(node.speed, fractions[i]);
        }
    }
}

std::uint64_t Timeline::end_of(const Pool& pool, const Node& node) const {
    return std::max(now_, pool.changed + static_cast<std::uint64_t>(std::ceil(node.left / node.speed)));
}

bool Timeline::next_ending(Event& event, unsigned& which) const {
    bool found = false;
    for (const auto& [number, pool] : pools_)
        for (OperationId id : pool.running) {
            const Event candidate{end_of(pool, nodes_.at(id)), id};
            if (found && !(event > candidate)) continue;
            event = candidate;
            which = number;
            found = true;
        }
    return found;
}

std::uint64_t Timeline::next_event() const {
    std::uint64_t next = events_.empty() ? kNever : events_.top().time;
    Event ending{};
    unsigned pool = 0;
    if (next_ending(ending, pool)) next = std::min(next, ending.time);
    return next;
}

void Timeline::advance(std::uint64_t to) {
    for (;;) {
        Event ending{};
        unsigned which = 0;
        const bool running = next_ending(ending, which);
        const bool waiting = !events_.empty();
        if (running && ending.time <= to && (!waiting || ending.time <= events_.top().time)) {
            now_ = std::max(now_, ending.time);
            Pool& pool = pools_[which];
            bring_up_to(pool, now_);
            std::erase(pool.running, ending.id);
            share(pool);
            end(ending.id, nodes_.at(ending.id), now_);
            continue;
        }
        if (!waiting || events_.top().time > to) break;
        const Event event = events_.top();
        events_.pop();
        now_ = std::max(now_, event.time);
        Node& node = nodes_.at(event.id);
        if (node.state == State::Scheduled)
            start(event.id, node);
        else
            settle(event.id);
    }
    if (to != kNever) now_ = std::max(now_, to);
}

bool Timeline::started(OperationId id) const {
    const auto found = nodes_.find(id);
    return found == nodes_.end() || found->second.state == State::Running || found->second.state == State::Finishing;
}

void Timeline::clear() {
    nodes_.clear();
    pools_.clear();
    alone_.clear();
    events_ = {};
}

}  // namespace vrocm::hsa

// Something that a checker keeps for each workgroup that runs.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/wave/workgroup.h"

namespace vrocm::sim::checkers {

// State: begin() makes a used one as good as new.
template <class State>
class GroupStates {
  public:
    State& of(const Workgroup& group) {
        if (recent_ && recent_index_ == group.index) return *recent_;
        auto& state = states_[group.index];
        if (!state) {
            state = spare_.empty() ? std::make_unique<State>() : std::move(spare_.back());
            if (!spare_.empty()) spare_.pop_back();
            state->begin(group);
        }
        recent_ = state.get();
        recent_index_ = group.index;
        return *recent_;
    }
    void end(const Workgroup& group) {
        recent_ = nullptr;
        const auto it = states_.find(group.index);
        if (it == states_.end()) return;
        spare_.push_back(std::move(it->second));
        states_.erase(it);
    }

  private:
    std::unordered_map<std::uint64_t, std::unique_ptr<State>> states_;
    std::vector<std::unique_ptr<State>> spare_;
    State* recent_ = nullptr;
    std::uint64_t recent_index_ = 0;
};

}  // namespace vrocm::sim::checkers

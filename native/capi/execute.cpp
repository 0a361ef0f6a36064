// vrocm_execute: a bare wave for tests and tools.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "capi/answer.h"
#include "capi/vrocm_sim.h"
#include "sim/code/code_map.h"
#include "sim/dispatch/limits.h"
#include "sim/dispatch/threads.h"
#include "sim/memory/address_space.h"
#include "sim/wave/fault_report.h"
#include "sim/wave/workgroup.h"

using namespace vrocm;
using namespace vrocm::sim;
using vrocm::capi::say;
using vrocm::capi::Shared;

namespace {

class Loaded {
  public:
    Loaded(isa::Arch arch, const std::vector<std::uint32_t>& words, std::size_t size) {
        auto code = std::make_shared<LoadedCode>();
        code->arch = arch;
        code->load_base = reinterpret_cast<std::uint64_t>(words.data());
        code->load_size = size;
        region_ = CodeMap::process().add(code);
    }
    ~Loaded() { CodeMap::process().remove(region_->loaded().load_base); }
    Loaded(const Loaded&) = delete;
    Loaded& operator=(const Loaded&) = delete;
    CodeRegion& region() { return *region_; }
    std::uint64_t base() const { return region_->loaded().load_base; }

  private:
    std::shared_ptr<CodeRegion> region_;
};

constexpr std::size_t kLdsBytes = sizeof(vrocm_state::lds);
constexpr std::uint32_t kScratchPerLane = 4096;

void load_state(Workgroup& group, const vrocm_state& state) {
    Wave& wave = group.waves[0];
    wave.v = group.wave_registers(0);
    std::memcpy(wave.v, state.v, sizeof state.v);
    std::memcpy(wave.s, state.s, sizeof state.s);
    wave.scc = state.scc != 0;
    wave.mode.bits = state.mode;
    std::memcpy(group.lds.data(), state.lds, kLdsBytes);
    wave.group = &group;
    wave.lds = group.lds.data();
    wave.lds_size = kLdsBytes;
    wave.scratch = group.scratch.data();
    wave.scratch_per_lane = kScratchPerLane;
    wave.memory = &AddressSpace::process();
}

void store_state(const Workgroup& group, vrocm_state& state) {
    const Wave& wave = group.waves[0];
    std::memcpy(state.v, wave.v, sizeof state.v);
    std::memcpy(state.s, wave.s, sizeof state.s);
    state.scc = wave.scc;
    state.mode = wave.mode.bits;
    std::memcpy(state.lds, group.lds.data(), kLdsBytes);
}

// Runs to the end, a fault or the limit; gives the address of the last instruction executed.
std::uint64_t run(Wave& wave, std::uint64_t limit) {
    std::uint64_t last = wave.next->pc;
    for (const Op* op = wave.next; op;) {
        if (wave.instructions == limit) {
            Fault fault;
            fault.kind = Fault::Kind::Hang;
            fault.text = "it has run " + std::to_string(limit) + " wave instructions";
            raise(wave, op, std::move(fault));
            break;
        }
        last = op->pc;
        ++wave.instructions;
        op = op->fn(wave, op);
        if (op || wave.state == WaveState::Done || wave.state == WaveState::Faulted) continue;
        wave.state = WaveState::Ready;  // alone at a barrier, or asleep
        op = wave.next;
    }
    return last;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int vrocm_execute(const char* arch, const uint8_t* code, size_t size,
                                                                    vrocm_state* state, void* memory,
                                                                    size_t memory_size, uint64_t instruction_limit,
                                                                    char* message, size_t message_size) {
    const std::string name = arch ? arch : "";
    if (name != "gfx942" && name != "gfx90a")
        return say(Fault::Kind::Unsupported, "unknown architecture " + name, message, message_size);
    if (!code || size < 4 || !state) return say(Fault::Kind::IllegalInstruction, "no code", message, message_size);
    std::vector<std::uint32_t> words((size + 3) / 4);
    std::memcpy(words.data(), code, size);
    Loaded loaded(name == "gfx942" ? isa::Arch::gfx942 : isa::Arch::gfx90a, words, size / 4 * 4);
    Shared code_memory(words.data(), size, false, "code"), data(memory, memory_size, true, "test");

    Workgroup group(1);
    group.wave_count = 1;
    std::fill_n(group.size, 3, 1u);
    group.size[0] = kLanes;
    group.scratch = Pages(std::size_t{kScratchPerLane} * kLanes);
    load_state(group, *state);
    Wave& wave = group.waves[0];
    wave.next = loaded.region().at(loaded.base());
    const std::uint64_t limit = instruction_limit ? instruction_limit : Limits().instructions;
    std::uint64_t last = 0;
    run_parts(1, [&](unsigned) { last = run(wave, limit); });
    store_state(group, *state);
    state->pc_reached = last - loaded.base();
    if (wave.state != WaveState::Faulted) return say(Fault::Kind::None, "", message, message_size);
    return say(wave.fault.kind, describe(wave.fault, "test code", &group, &wave).text(), message, message_size);
}

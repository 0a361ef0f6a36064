#include "sim/observe/thread_trace.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>

#include "sim/wave/workgroup.h"

namespace vrocm::sim {

namespace {

using timing::Cycle;

constexpr std::uint32_t kLife = 1u << 31, kStart = 1u << 30, kTaken = 1u << 28;
constexpr unsigned kSlotAt = 24, kSimdAt = 22;
constexpr std::uint32_t kMostCodes = 1u << kSimdAt;

// The number by which the timing model knows a wave: engine (place in engines_), unit, whether it is traced, SIMD,
// slot.
constexpr std::uint32_t kTraced = 1u << 7;

constexpr std::uint32_t slot_bits(std::uint32_t wave) {
    return (wave & 15) << kSlotAt | (wave >> 4 & 3) << kSimdAt;
}

std::uint32_t clock_word(Cycle at) {
    return static_cast<std::uint32_t>(std::min<Cycle>(at, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

ThreadTrace::ThreadTrace(const ThreadTraceOptions& options, const GpuModel& model)
    : options_(options),
      engines_per_die_(std::max(model.shader_engines / model.xccs, 1u)),
      clock_mhz_(model.clock_mhz),
      most_records_(options.buffer_bytes / sizeof(Record)),
      chosen_(std::size_t{engines_per_die_} * model.xccs, -1) {
    for (unsigned number = 0; number < chosen_.size() && number < 64; ++number) {
        if (!(options.engine_mask >> number & 1)) continue;
        chosen_[number] = static_cast<int>(engines_.size());
        engines_.emplace_back().number = number;
    }
}

bool ThreadTrace::wants(const timing::WavePlace& place) {
    return chosen_[place.xcd * engines_per_die_ + place.engine] >= 0;
}

void ThreadTrace::add(Engine& engine, const Record& record, Cycle last) {
    if (engine.records.size() >= most_records_ || last > std::numeric_limits<std::uint32_t>::max()) {
        ++engine.lost;
        return;
    }
    engine.records.push_back(record);
    engine.last = std::max(engine.last, last);
}

std::uint32_t ThreadTrace::begin_wave(const timing::WavePlace& place, const Wave& wave, Cycle at) {
    const auto chosen = static_cast<std::uint32_t>(chosen_[place.xcd * engines_per_die_ + place.engine]);
    const bool traced = place.unit == options_.target_unit && (options_.simd_mask >> place.simd & 1);
    const std::uint32_t id = chosen << 16 | place.unit << 8 | (traced ? kTraced : 0) | place.simd << 4 | place.slot;
    Engine& engine = engines_[chosen];
    if (traced) ++engine.live;
    const auto group = static_cast<std::uint32_t>(wave.group->index);
    add(engine, {{kLife | kStart | slot_bits(id) | place.unit, clock_word(at), wave.index_in_group, group}}, at);
    return id;
}

void ThreadTrace::instruction(std::uint32_t wave, const Op* op, const timing::Cost& cost, Cycle attempt, Cycle issue,
                              Cycle next, bool taken) {
    if (!(wave & kTraced)) return;
    const std::uint32_t first = slot_bits(wave) | (taken ? kTaken : 0) | code(op, cost);
    add(engines_[wave >> 16], {{first, clock_word(attempt), clock_word(issue), clock_word(next)}}, next);
}

void ThreadTrace::end_wave(std::uint32_t wave, Cycle at) {
    Engine& engine = engines_[wave >> 16];
    if (wave & kTraced) {
        --engine.live;
        ++engine.ended;
    }
    add(engine, {{kLife | slot_bits(wave) | (wave >> 8 & 0xff), clock_word(at), 0, 0}}, at);
}

bool ThreadTrace::wants_more(std::uint64_t instructions) const {
    if (instructions >= options_.instructions) return false;
    return std::any_of(engines_.begin(), engines_.end(), [this](const Engine& engine) {
        return engine.live != 0 && engine.ended < options_.waves && engine.lost == 0;
    });
}

std::uint32_t ThreadTrace::code(const Op* op, const timing::Cost& cost) {
    if (op->index >= code_of_.size()) code_of_.resize(op->index + op->index / 2 + 256);
    std::uint32_t& number = code_of_[op->index];
    if (number == 0) {
        if (codes_.size() == kMostCodes) return kMostCodes - 1;  // larger than any code object there is
        codes_.push_back({op->pc, cost.cycles});
        number = static_cast<std::uint32_t>(codes_.size());
    }
    return number - 1;
}

void ThreadTrace::write(const std::string& path, const About& about) const {
    for (const Engine& engine : engines_) {
        const std::string name = path + "_se_" + std::to_string(engine.number) + ".att";
        if (!write_engine(engine, name, about))
            std::fprintf(stderr, "vrocm: the thread trace %s cannot be written: %s\n", name.c_str(),
                         std::strerror(errno));
    }
}

bool ThreadTrace::write_engine(const Engine& engine, const std::string& path, const About& about) const {
    std::FILE* file = std::fopen(path.c_str(), "wbe");
    if (!file) return false;
    FileHeader header{};
    std::memcpy(header.magic, "VROCMATT", sizeof header.magic);
    header.version = 1;
    header.size = sizeof header;
    header.dispatch = about.dispatch;
    header.agent = about.agent;
    header.kernel = about.kernel;
    header.records = engine.records.size();
    header.codes = codes_.size();
    header.lost = engine.lost;
    header.last = engine.last;
    header.engine = engine.number;
    header.target_unit = options_.target_unit;
    header.simd_mask = options_.simd_mask;
    header.clock_mhz = clock_mhz_;
    const auto put = [file](const void* data, std::size_t size, std::size_t count) {
        return std::fwrite(data, size, count, file) == count;
    };
    const bool written = put(&header, sizeof header, 1) &&
                         put(engine.records.data(), sizeof(Record), engine.records.size()) &&
                         put(codes_.data(), sizeof(Code), codes_.size());
    return std::fclose(file) == 0 && written;
}

}  // namespace vrocm::sim

#include "sim/counters/raw_counts.h"

#include <array>
#include <cmath>

namespace vrocm::sim::counters {

namespace {

using timing::Class;

// How much more of each kind of work the whole dispatch had than its simulated part.
class Extrapolation {
  public:
    explicit Extrapolation(const Collected& c) {
        if (!c.partial) return;
        const auto simulated = [&](auto... kinds) { return (c.counts.by_class[static_cast<unsigned>(kinds)] + ...); };
        const Mix& mix = c.mix;
        set(Scale::Time, c.cycles, c.simulated_cycles);
        set(Scale::Instructions, mix.insts, c.counts.instructions);
        set(Scale::Lds, mix.insts_lds, simulated(Class::Lds));
        set(Scale::ScalarMemory, mix.insts_smem, simulated(Class::Smem));
        const std::uint64_t reads = mix.buffer_read + mix.segment_read + mix.flat_read + mix.cache_control,
                            writes = mix.buffer_write + mix.segment_write + mix.flat_write,
                            atomics = mix.buffer_atomic + mix.segment_atomic + mix.flat_atomic;
        const std::uint64_t seen_reads = simulated(Class::VmemRead, Class::FlatRead),
                            seen_writes = simulated(Class::VmemWrite, Class::FlatWrite),
                            seen_atomics = simulated(Class::VmemAtomic, Class::FlatAtomic);
        set(Scale::Reads, reads, seen_reads);
        set(Scale::Writes, writes, seen_writes);
        set(Scale::Atomics, atomics, seen_atomics);
        set(Scale::Memory, reads + writes + atomics, seen_reads + seen_writes + seen_atomics);
    }
    // A whole number, as hardware counts.
    double operator()(Scale scale, std::uint64_t count) const {
        return std::round(factor_[static_cast<unsigned>(scale)] * static_cast<double>(count));
    }

  private:
    void set(Scale scale, std::uint64_t whole, std::uint64_t part) {
        if (part) factor_[static_cast<unsigned>(scale)] = static_cast<double>(whole) / static_cast<double>(part);
    }
    std::array<double, static_cast<unsigned>(Scale::Atomics) + 1> factor_ = {1, 1, 1, 1, 1, 1, 1, 1, 1};
};

// The same for each unit by itself, under names that end with [].
void add_instances(std::vector<RawCount>& values, const Collected& c, const Extrapolation& whole) {
    const auto add = [&](std::string_view name, std::size_t unit, Scale scale, std::uint64_t count) {
        values.push_back({name, whole(scale, count), static_cast<std::uint32_t>(unit)});
    };
#define RAW(name, field, scale)
#define RAW_L1(name, field, scale) \
    for (std::size_t i = 0; i < c.l1.size(); ++i) add(#name "[]", i, Scale::scale, c.l1[i].field);
#define RAW_L2(name, field, scale) \
    for (std::size_t i = 0; i < c.l2.size(); ++i) add(#name "[]", i, Scale::scale, c.l2[i].field);
#include "sim/counters/raw_counts.def"
#undef RAW
#undef RAW_L1
#undef RAW_L2
}

}  // namespace

std::vector<RawCount> raw_counts(const Collected& c) {
    std::vector<RawCount> values;
    const auto add = [&values](std::string_view name, double value) { values.push_back({name, value}); };
    add("waves", static_cast<double>(c.waves));
    add("waves_lt_64", static_cast<double>(c.waves_lt_64));
    add("workgroups", static_cast<double>(c.workgroups));
    add("items", static_cast<double>(c.items));
    add("fetch_windows", static_cast<double>(c.fetches));
#define ACCESS(name) add(#name, static_cast<double>(c.accesses.name));
#include "sim/counters/access_fields.def"
#undef ACCESS
#define MIX(name) add(#name, static_cast<double>(c.mix.name));
#include "sim/counters/mix_fields.def"
#undef MIX
    if (!c.timed) return values;
    add("extrapolated", c.partial ? 1 : 0);
    add("cycles", static_cast<double>(c.cycles));
    const Extrapolation whole(c);
#define RAW(name, field, scale) add(#name, whole(Scale::scale, c.counts.field));
#define RAW_L1(name, field, scale) add(#name, whole(Scale::scale, c.counts.l1.field));
#define RAW_L2(name, field, scale) add(#name, whole(Scale::scale, c.counts.l2.field));
#include "sim/counters/raw_counts.def"
#undef RAW
#undef RAW_L1
#undef RAW_L2
    add_instances(values, c, whole);
    return values;
}

}  // namespace vrocm::sim::counters

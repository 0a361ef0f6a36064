#include "sim/counters/raw_counts.h"

#include <array>
#include <cmath>

namespace vrocm::sim::counters {

namespace {

using timing::Class;

// What the whole dispatch had of each count: that of its simulated part, and for each piece of work that was not
// simulated what such pieces had in the stretch that stands for them. Starts and ends of dispatches are not like that
// stretch: they are counted once.
class Extrapolation {
  public:
    explicit Extrapolation(const Collected& c) {
        if (!c.partial) return;
        const Mix& mix = c.mix;
        const std::uint64_t reads = mix.buffer_read + mix.segment_read + mix.flat_read + mix.cache_control,
                            writes = mix.buffer_write + mix.segment_write + mix.flat_write,
                            atomics = mix.buffer_atomic + mix.segment_atomic + mix.flat_atomic;
        const auto set_classes = [&](Scale scale, std::uint64_t whole, auto... kinds) {
            const auto of = [&](const timing::Counts& counts) {
                return (counts.by_class[static_cast<unsigned>(kinds)] + ...);
            };
            set(scale, whole, of(c.counts), of(c.steady));
        };
        set(Scale::Time, c.cycles, c.simulated_cycles, c.steady_cycles);
        set(Scale::Instructions, mix.insts, c.counts.instructions, c.steady.instructions);
        set_classes(Scale::Lds, mix.insts_lds, Class::Lds);
        set_classes(Scale::ScalarMemory, mix.insts_smem, Class::Smem);
        set_classes(Scale::Reads, reads, Class::VmemRead, Class::FlatRead);
        set_classes(Scale::Writes, writes, Class::VmemWrite, Class::FlatWrite);
        set_classes(Scale::WrittenBack, writes, Class::VmemWrite, Class::FlatWrite);
        growth_[static_cast<unsigned>(Scale::WrittenBack)].known = false;
        set_classes(Scale::Atomics, atomics, Class::VmemAtomic, Class::FlatAtomic);
        set_classes(Scale::Memory, reads + writes + atomics, Class::VmemRead, Class::FlatRead, Class::VmemWrite,
                    Class::FlatWrite, Class::VmemAtomic, Class::FlatAtomic);
    }
    // A whole number, as hardware counts. `part`: of the simulated part, or of one unit's share of it.
    double operator()(Scale scale, std::uint64_t count, std::uint64_t steady, std::uint64_t part) const {
        return std::round(static_cast<double>(part) * factor(scale, count, steady));
    }
    double operator()(Scale scale, std::uint64_t count, std::uint64_t steady) const {
        return (*this)(scale, count, steady, count);
    }

  private:
    struct Growth {
        double all = 1;     // the whole, for each of the simulated part
        double steady = 0;  // what is missing, for each of the stretch that stands for it
        bool known = false;
    };
    void set(Scale scale, std::uint64_t whole, std::uint64_t part, std::uint64_t steady) {
        Growth& growth = growth_[static_cast<unsigned>(scale)];
        if (part) growth.all = static_cast<double>(whole) / static_cast<double>(part);
        growth.known = steady != 0;
        if (growth.known && whole > part)
            growth.steady = static_cast<double>(whole - part) / static_cast<double>(steady);
    }
    double factor(Scale scale, std::uint64_t count, std::uint64_t steady) const {
        const Growth& growth = growth_[static_cast<unsigned>(scale)];
        if (!growth.known || count == 0) return growth.all;
        return 1 + growth.steady * static_cast<double>(steady) / static_cast<double>(count);
    }
    std::array<Growth, static_cast<unsigned>(Scale::WrittenBack) + 1> growth_{};
};

// The same for each unit by itself, under names that end with [].
void add_instances(std::vector<RawCount>& values, const Collected& c, const Extrapolation& whole) {
    const auto add = [&](std::string_view name, std::size_t unit, double count) {
        values.push_back({name, count, static_cast<std::uint32_t>(unit)});
    };
#define RAW(name, field, scale)
#define RAW_L1(name, field, scale)                \
    for (std::size_t i = 0; i < c.l1.size(); ++i) \
        add(#name "[]", i, whole(Scale::scale, c.counts.l1.field, c.steady.l1.field, c.l1[i].field));
#define RAW_L2(name, field, scale)                \
    for (std::size_t i = 0; i < c.l2.size(); ++i) \
        add(#name "[]", i, whole(Scale::scale, c.counts.l2.field, c.steady.l2.field, c.l2[i].field));
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
#define RAW(name, field, scale) add(#name, whole(Scale::scale, c.counts.field, c.steady.field));
#define RAW_L1(name, field, scale) add(#name, whole(Scale::scale, c.counts.l1.field, c.steady.l1.field));
#define RAW_L2(name, field, scale) add(#name, whole(Scale::scale, c.counts.l2.field, c.steady.l2.field));
#include "sim/counters/raw_counts.def"
#undef RAW
#undef RAW_L1
#undef RAW_L2
    add_instances(values, c, whole);
    return values;
}

}  // namespace vrocm::sim::counters

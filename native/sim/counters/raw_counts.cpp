#include "sim/counters/raw_counts.h"

namespace vrocm::sim::counters {

namespace {

using timing::Class;

double ratio(std::uint64_t whole, std::uint64_t part) {
    return part ? static_cast<double>(whole) / static_cast<double>(part) : 1.0;
}

// How much more of each kind of work the whole dispatch had than its simulated part.
class Extrapolation {
  public:
    explicit Extrapolation(const Collected& c) {
        if (!c.partial) return;
        const auto simulated = [&](auto... kinds) { return (c.counts.by_class[static_cast<unsigned>(kinds)] + ...); };
        const Mix& mix = c.mix;
        time_ = ratio(c.cycles, c.simulated_cycles);
        instructions_ = ratio(mix.insts, c.counts.instructions);
        matrix_ = ratio(mix.insts_mfma, simulated(Class::Matrix));
        lds_ = ratio(mix.insts_lds, simulated(Class::Lds));
        scalar_memory_ = ratio(mix.insts_smem, simulated(Class::Smem));
        const std::uint64_t vector_memory = mix.buffer_read + mix.buffer_write + mix.buffer_atomic + mix.segment_read +
                                            mix.segment_write + mix.segment_atomic + mix.flat_read + mix.flat_write +
                                            mix.flat_atomic;
        vector_memory_ = ratio(vector_memory, simulated(Class::VmemRead, Class::VmemWrite, Class::VmemAtomic,
                                                        Class::FlatRead, Class::FlatWrite, Class::FlatAtomic));
    }
    double operator()(Scale scale, std::uint64_t count) const { return factor(scale) * static_cast<double>(count); }

  private:
    double factor(Scale scale) const {
        switch (scale) {
            case Scale::Once:
                return 1;
            case Scale::Time:
                return time_;
            case Scale::Instructions:
                return instructions_;
            case Scale::Matrix:
                return matrix_;
            case Scale::Lds:
                return lds_;
            case Scale::ScalarMemory:
                return scalar_memory_;
            case Scale::VectorMemory:
                return vector_memory_;
        }
        return 1;
    }
    double time_ = 1, instructions_ = 1, matrix_ = 1, lds_ = 1, scalar_memory_ = 1, vector_memory_ = 1;
};

// The same for each unit by itself, under names that end with [].
void add_instances(std::vector<RawCount>& values, const Collected& c, const Extrapolation& whole) {
    const auto add = [&](std::string_view name, std::size_t unit, std::uint64_t count) {
        values.push_back({name, whole(Scale::VectorMemory, count), static_cast<std::uint32_t>(unit)});
    };
#define RAW(name, field, scale)
#define RAW_L1(name, field) \
    for (std::size_t i = 0; i < c.l1.size(); ++i) add(#name "[]", i, c.l1[i].field);
#define RAW_L2(name, field) \
    for (std::size_t i = 0; i < c.l2.size(); ++i) add(#name "[]", i, c.l2[i].field);
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
#define RAW_L1(name, field) add(#name, whole(Scale::VectorMemory, c.counts.l1.field));
#define RAW_L2(name, field) add(#name, whole(Scale::VectorMemory, c.counts.l2.field));
#include "sim/counters/raw_counts.def"
#undef RAW
#undef RAW_L1
#undef RAW_L2
    add_instances(values, c, whole);
    return values;
}

}  // namespace vrocm::sim::counters

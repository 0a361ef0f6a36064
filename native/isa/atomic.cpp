// Kinds of read-modify-write instructions, read off their mnemonics once.
#include <array>
#include <string_view>

#include "isa/flags.h"
#include "isa/table.h"

namespace vrocm::isa {
namespace {

struct Stem {
    std::string_view name;
    AtomicKind integer, floating;
};

// What is left of a mnemonic after its address space: the stem decides, its type makes it integer or float.
constexpr Stem kStems[] = {
    {"swap", AtomicKind::Swap, AtomicKind::Swap},
    {"cmpswap", AtomicKind::CmpSwap, AtomicKind::CmpSwap},
    {"cmpst", AtomicKind::CmpSwap, AtomicKind::FloatCmpSwap},
    {"add", AtomicKind::Add, AtomicKind::FloatAdd},
    {"pk_add", AtomicKind::FloatAdd, AtomicKind::FloatAdd},
    {"sub", AtomicKind::Sub, AtomicKind::Sub},
    {"rsub", AtomicKind::RevSub, AtomicKind::RevSub},
    {"min", AtomicKind::Min, AtomicKind::FloatMin},
    {"max", AtomicKind::Max, AtomicKind::FloatMax},
    {"smin", AtomicKind::Min, AtomicKind::Min},
    {"umin", AtomicKind::Min, AtomicKind::Min},
    {"smax", AtomicKind::Max, AtomicKind::Max},
    {"umax", AtomicKind::Max, AtomicKind::Max},
    {"and", AtomicKind::And, AtomicKind::And},
    {"or", AtomicKind::Or, AtomicKind::Or},
    {"xor", AtomicKind::Xor, AtomicKind::Xor},
    {"inc", AtomicKind::Inc, AtomicKind::Inc},
    {"dec", AtomicKind::Dec, AtomicKind::Dec},
    {"mskor", AtomicKind::MaskedOr, AtomicKind::MaskedOr},
    {"wrxchg", AtomicKind::Swap, AtomicKind::Swap},
    {"wrxchg2", AtomicKind::Swap, AtomicKind::Swap},
    {"wrxchg2st64", AtomicKind::Swap, AtomicKind::Swap},
    {"condxchg32", AtomicKind::CondSwap, AtomicKind::CondSwap},
    {"wrap", AtomicKind::Wrap, AtomicKind::Wrap},
    {"append", AtomicKind::Append, AtomicKind::Append},
    {"consume", AtomicKind::Append, AtomicKind::Append},
};

std::string_view without_address_space(std::string_view name) {
    constexpr std::string_view marker = "atomic_";
    std::size_t at = name.find(marker);
    if (at != std::string_view::npos) return name.substr(at + marker.size());
    return name.substr(name.find('_') + 1);  // ds_
}

// Is `name` the stem, possibly followed by a type?
bool starts_with_word(std::string_view name, std::string_view stem) {
    return name.starts_with(stem) && (name.size() == stem.size() || name[stem.size()] == '_');
}

AtomicKind classify(const Row& r) {
    if (!(r.info.flags & flag::Atomic)) return AtomicKind::None;
    std::string_view name = without_address_space(r.info.mnemonic);
    bool floating = name.ends_with("_f32") || name.ends_with("_f64");
    for (const Stem& stem : kStems) {
        if (starts_with_word(name, stem.name)) return floating ? stem.floating : stem.integer;
    }
    return AtomicKind::None;
}

}  // namespace

AtomicKind atomic_kind(Op op) {
    static const auto kinds = [] {
        std::array<AtomicKind, static_cast<std::size_t>(Op::Count_)> result;
        for (std::size_t i = 0; i < result.size(); ++i) result[i] = classify(row(static_cast<Op>(i)));
        return result;
    }();
    return kinds[static_cast<std::size_t>(op)];
}

}  // namespace vrocm::isa

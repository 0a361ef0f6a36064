#include "isa/table.h"

#include <vector>

namespace vrocm::isa {
namespace {

constexpr std::size_t kOps = static_cast<std::size_t>(Op::Count_);

using enum Type;

constexpr std::array<Type, 5> operands() {
    return {None, None, None, None, None};
}
template <class... Rest>
constexpr std::array<Type, 5> operands(Type first, Rest... rest) {
    return {first, rest...};
}

const std::array<Row, kOps>& rows() {
    using namespace flag;
    static const std::array<Row, kOps> table = {{
#define OPS(...) operands(__VA_ARGS__)
#define INST(name, format, gfx90a, gfx942, types, flags) \
    Row{InstInfo{#name, Format::format, flags}, {gfx90a, gfx942}, types},
#include "isa/tables/instructions.def"
#undef INST
#undef OPS
    }};
    return table;
}

// Opcodes of a format are at most 10 bits wide (VOP3).
struct Lookup {
    std::vector<Op> ops[2][18];
    Lookup() {
        for (std::size_t i = 0; i < kOps; ++i) {
            const Row& r = rows()[i];
            Format format = r.info.format == Format::MFMA ? Format::VOP3P : r.info.format;
            for (unsigned arch = 0; arch < 2; ++arch) {
                if (r.opcode[arch] < 0) continue;
                auto& list = ops[arch][static_cast<unsigned>(format)];
                if (list.empty()) list.assign(1024, Op::Count_);
                list[static_cast<unsigned>(r.opcode[arch])] = static_cast<Op>(i);
            }
        }
    }
};

struct Gfx90aNames {
    std::array<std::string_view, kOps> names;
    Gfx90aNames() {
        for (std::size_t i = 0; i < kOps; ++i) names[i] = rows()[i].info.mnemonic;
#define GFX90A_NAME(op, name) names[static_cast<std::size_t>(Op::op)] = name;
#include "isa/tables/gfx90a_names.def"
#undef GFX90A_NAME
    }
};

}  // namespace

const Row& row(Op op) {
    static const auto& table = rows();
    return table[static_cast<std::size_t>(op)];
}

const InstInfo& info(Op op) {
    return row(op).info;
}

Op find(Arch arch, Format format, unsigned opcode) {
    static const Lookup lookup;
    const auto& list = lookup.ops[static_cast<unsigned>(arch)][static_cast<unsigned>(format)];
    return opcode < list.size() ? list[opcode] : Op::Count_;
}

std::string_view mnemonic(Arch arch, Op op) {
    if (arch == Arch::gfx942) return info(op).mnemonic;
    static const Gfx90aNames gfx90a;
    return gfx90a.names[static_cast<std::size_t>(op)];
}

unsigned dwords(Type type) {
    switch (type) {
        case None:
            return 0;
        case B64:
        case I64:
        case U64:
        case F64:
        case PkF32:
        case PkB32:
            return 2;
        case B96:
            return 3;
        case B128:
            return 4;
        case B256:
            return 8;
        case B512:
            return 16;
        case B1024:
            return 32;
        default:
            return 1;
    }
}

}  // namespace vrocm::isa

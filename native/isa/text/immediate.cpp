// Immediates that the assembler writes symbolically: hardware registers, messages, wait counters,
// GPR index modes, LDS swizzles, DPP controls and buffer formats.
#include <array>
#include <bit>

#include "isa/decoder.h"
#include "isa/text/printer.h"
#include "isa/traits.h"

namespace vrocm::isa {
namespace {

std::string number(std::uint32_t value) {
    return std::to_string(value);
}

std::string call(std::string_view name, std::initializer_list<std::string> arguments, std::string_view separator) {
    std::string text{name};
    text += '(';
    bool first = true;
    for (const std::string& argument : arguments) {
        if (!first) text += separator;
        text += argument;
        first = false;
    }
    return text + ')';
}

std::string_view hwreg_name(Arch arch, unsigned id) {
    static constexpr std::array<std::string_view, 25> names = {"",
                                                               "HW_REG_MODE",
                                                               "HW_REG_STATUS",
                                                               "HW_REG_TRAPSTS",
                                                               "HW_REG_HW_ID",
                                                               "HW_REG_GPR_ALLOC",
                                                               "HW_REG_LDS_ALLOC",
                                                               "HW_REG_IB_STS",
                                                               "",
                                                               "",
                                                               "",
                                                               "",
                                                               "",
                                                               "",
                                                               "",
                                                               "HW_REG_SH_MEM_BASES",
                                                               "HW_REG_TBA_LO",
                                                               "HW_REG_TBA_HI",
                                                               "HW_REG_TMA_LO",
                                                               "HW_REG_TMA_HI",
                                                               "HW_REG_XCC_ID",
                                                               "HW_REG_SQ_PERF_SNAPSHOT_DATA",
                                                               "HW_REG_SQ_PERF_SNAPSHOT_DATA1",
                                                               "HW_REG_SQ_PERF_SNAPSHOT_PC_LO",
                                                               "HW_REG_SQ_PERF_SNAPSHOT_PC_HI"};
    constexpr unsigned first_snapshot = 20;
    if (id >= names.size() || (id >= first_snapshot && !traits(arch).snapshot_registers)) return {};
    return names[id];
}

}  // namespace

// id[5:0], offset[10:6], size-1[15:11]
std::string hwreg_text(Arch arch, std::uint32_t immediate) {
    unsigned id = bits(immediate, 5, 0), offset = bits(immediate, 10, 6), size = bits(immediate, 15, 11) + 1;
    std::string name{hwreg_name(arch, id)};
    if (name.empty()) name = number(id);
    if (offset == 0 && size == 32) return call("hwreg", {name}, "");
    return call("hwreg", {name, number(offset), number(size)}, ", ");
}

// id[3:0], operation[6:4], stream[9:8]
std::string sendmsg_text(std::uint32_t immediate) {
    static constexpr std::string_view messages[16] = {"",
                                                      "MSG_INTERRUPT",
                                                      "MSG_GS",
                                                      "MSG_GS_DONE",
                                                      "MSG_SAVEWAVE",
                                                      "MSG_STALL_WAVE_GEN",
                                                      "MSG_HALT_WAVES",
                                                      "MSG_ORDERED_PS_DONE",
                                                      "MSG_EARLY_PRIM_DEALLOC",
                                                      "MSG_GS_ALLOC_REQ",
                                                      "MSG_GET_DOORBELL",
                                                      "",
                                                      "",
                                                      "",
                                                      "",
                                                      "MSG_SYSMSG"};
    static constexpr std::string_view gs_operations[8] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
    static constexpr std::string_view system_operations[8] = {"", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "",
                                                              "SYSMSG_OP_TTRACE_PC"};
    constexpr unsigned gs = 2, gs_done = 3, system = 15;
    unsigned id = bits(immediate, 3, 0), operation = bits(immediate, 6, 4), stream = bits(immediate, 9, 8);
    if (immediate & 0xfc80) return number(immediate);
    std::string name{messages[id]};
    if (id == gs || id == gs_done) {
        std::string operation_name{gs_operations[operation]};
        if (operation >= 1 && operation <= 3) {
            return call("sendmsg", {name, operation_name, number(stream)}, ", ");
        }
        if (operation == 0 && id == gs_done && stream == 0) return call("sendmsg", {name, operation_name}, ", ");
    } else if (id == system) {
        std::string operation_name{system_operations[operation]};
        if (!operation_name.empty() && stream == 0) return call("sendmsg", {name, operation_name}, ", ");
    } else if (!name.empty() && operation == 0 && stream == 0) {
        return call("sendmsg", {name}, "");
    }
    return call("sendmsg", {number(id), number(operation), number(stream)}, ", ");
}

// vmcnt[3:0] with its high bits in [15:14], expcnt[6:4], lgkmcnt[11:8]
std::string waitcnt_text(std::uint32_t immediate) {
    unsigned vmcnt = bits(immediate, 3, 0) | bits(immediate, 15, 14) << 4;
    unsigned expcnt = bits(immediate, 6, 4), lgkmcnt = bits(immediate, 11, 8);
    bool none = vmcnt == 63 && expcnt == 7 && lgkmcnt == 15;
    std::string text;
    auto add = [&](bool present, std::string_view name, unsigned count) {
        if (!present && !none) return;
        if (!text.empty()) text += ' ';
        text += call(name, {number(count)}, "");
    };
    add(vmcnt != 63, "vmcnt", vmcnt);
    add(expcnt != 7, "expcnt", expcnt);
    add(lgkmcnt != 15, "lgkmcnt", lgkmcnt);
    return text;
}

std::string gpr_index_text(std::uint32_t immediate) {
    static constexpr std::string_view modes[4] = {"SRC0", "SRC1", "SRC2", "DST"};
    std::string text = "gpr_idx(";
    bool first = true;
    for (unsigned i = 0; i < 4; ++i) {
        if (!bit(immediate, i)) continue;
        if (!first) text += ',';
        text += modes[i];
        first = false;
    }
    return text + ')';
}

namespace {

// and[4:0], or[9:5], xor[14:10] over groups of 32 lanes.
std::string bitmask_swizzle(std::uint32_t offset) {
    unsigned and_mask = bits(offset, 4, 0), or_mask = bits(offset, 9, 5), xor_mask = bits(offset, 14, 10);
    if (and_mask == 31 && or_mask == 0 && std::has_single_bit(xor_mask)) {
        return call("swizzle", {"SWAP", number(xor_mask)}, ",");
    }
    if (and_mask == 31 && or_mask == 0 && xor_mask != 0 && std::has_single_bit(xor_mask + 1)) {
        return call("swizzle", {"REVERSE", number(xor_mask + 1)}, ",");
    }
    unsigned group = 32 - and_mask;
    if (group > 1 && std::has_single_bit(group) && or_mask < group && xor_mask == 0) {
        return call("swizzle", {"BROADCAST", number(group), number(or_mask)}, ",");
    }
    std::string mask = "\"";
    for (int i = 4; i >= 0; --i) {
        unsigned a = and_mask >> i & 1, o = or_mask >> i & 1, x = xor_mask >> i & 1;
        if (o && (a || x)) return number(offset);  // another spelling of a simpler mask
        if (!a && x) return number(offset);
        mask += a ? (x ? 'i' : 'p') : (o ? '1' : '0');
    }
    return call("swizzle", {"BITMASK_PERM", mask + '"'}, ",");
}

}  // namespace

std::string swizzle_text(std::uint32_t offset) {
    if (!bit(offset, 15)) return bitmask_swizzle(offset);
    if (bits(offset, 15, 8) == 0x80) {
        return call("swizzle",
                    {"QUAD_PERM", number(bits(offset, 1, 0)), number(bits(offset, 3, 2)), number(bits(offset, 5, 4)),
                     number(bits(offset, 7, 6))},
                    ",");
    }
    if (bits(offset, 15, 5) == 0x700) return call("swizzle", {"FFT", number(bits(offset, 4, 0))}, ",");
    if (bits(offset, 15, 11) == 0b11000 && bits(offset, 4, 0) == 0) {
        return call("swizzle", {"ROTATE", number(bit(offset, 10)), number(bits(offset, 9, 5))}, ",");
    }
    return number(offset);
}

std::string dpp_control_text(std::uint32_t control) {
    unsigned low = control & 0xf;
    switch (control >> 4) {
        case 0x10:
            return "row_shl:" + number(low);
        case 0x11:
            return "row_shr:" + number(low);
        case 0x12:
            return "row_ror:" + number(low);
        case 0x13: {
            static constexpr std::string_view names[4] = {"wave_shl:1", "wave_rol:1", "wave_shr:1", "wave_ror:1"};
            return std::string{names[low / 4]};
        }
        case 0x14: {
            static constexpr std::string_view names[4] = {"row_mirror", "row_half_mirror", "row_bcast:15",
                                                          "row_bcast:31"};
            return std::string{names[low]};
        }
        case 0x15:
            return "row_newbcast:" + number(low);
        default:
            return "quad_perm:[" + number(control & 3) + ',' + number(control >> 2 & 3) + ',' +
                   number(control >> 4 & 3) + ',' + number(control >> 6 & 3) + ']';
    }
}

std::string buffer_format_text(unsigned dfmt, unsigned nfmt) {
    static constexpr std::string_view data[16] = {
        "INVALID",    "8",          "16",      "8_8",   "32",          "16_16",    "10_11_11",    "11_11_10",
        "10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15"};
    static constexpr std::string_view numeric[8] = {"UNORM", "SNORM", "USCALED",    "SSCALED",
                                                    "UINT",  "SINT",  "RESERVED_6", "FLOAT"};
    constexpr unsigned default_data = 1, default_numeric = 0;
    if (dfmt == default_data && nfmt == default_numeric) return {};
    std::string text = "format:[";
    if (dfmt != default_data) (text += "BUF_DATA_FORMAT_") += data[dfmt];
    if (dfmt != default_data && nfmt != default_numeric) text += ',';
    if (nfmt != default_numeric) (text += "BUF_NUM_FORMAT_") += numeric[nfmt];
    return text + ']';
}

}  // namespace vrocm::isa

// Static facts about instructions, as bits of InstInfo::flags, and the kinds of atomic operations.
#pragma once

#include <cstdint>

#include "isa/inst.h"

namespace vrocm::isa {

namespace flag {
inline constexpr std::uint64_t bit(unsigned n) {
    return std::uint64_t{1} << n;
}

// Memory
inline constexpr std::uint64_t Load = bit(0);
inline constexpr std::uint64_t Store = bit(1);
inline constexpr std::uint64_t Atomic = bit(2);       // read-modify-write; returns the old value if sc0 or ReturnsOld
inline constexpr std::uint64_t ReturnsOld = bit(3);   // DS: the _rtn forms
inline constexpr std::uint64_t ToLds = bit(4);        // load that writes LDS, not a register
inline constexpr std::uint64_t FromLds = bit(5);      // store that reads LDS
inline constexpr std::uint64_t D16 = bit(6);          // touches the low half of the data register
inline constexpr std::uint64_t D16Hi = bit(7);        // touches the high half of the data register
inline constexpr std::uint64_t TypedFormat = bit(8);  // converts through a buffer format
inline constexpr std::uint64_t Gws = bit(9);          // global wave sync
inline constexpr std::uint64_t CacheControl = bit(10);
inline constexpr std::uint64_t Clock = bit(11);  // reads a clock

// Control flow
inline constexpr std::uint64_t Branch = bit(12);
inline constexpr std::uint64_t Conditional = bit(13);  // a branch that may fall through
inline constexpr std::uint64_t Terminator = bit(14);   // never falls through
inline constexpr std::uint64_t EndsWave = bit(15);
inline constexpr std::uint64_t Barrier = bit(16);
inline constexpr std::uint64_t Wait = bit(17);  // s_waitcnt
inline constexpr std::uint64_t Message = bit(18);
inline constexpr std::uint64_t Trap = bit(19);

// State read or written besides the listed operands
inline constexpr std::uint64_t ReadsScc = bit(20);
inline constexpr std::uint64_t WritesScc = bit(21);
inline constexpr std::uint64_t ReadsVcc =
    bit(22);  // VOP2: src[2] is a lane mask, VCC in the short forms; SOPP: branches
inline constexpr std::uint64_t WritesVcc = bit(23);    // Inst::sdst is a lane mask, VCC in the short forms
inline constexpr std::uint64_t ImplicitVcc = bit(24);  // reads VCC in every form (v_div_fmas_*)
inline constexpr std::uint64_t WritesExec = bit(25);
inline constexpr std::uint64_t ReadsDst = bit(26);    // the destination is also a source
inline constexpr std::uint64_t IndexedReg = bit(27);  // M0-relative register access and its mode switches

// Kind of work, for timing
inline constexpr std::uint64_t Transcendental = bit(28);
inline constexpr std::uint64_t Packed = bit(29);  // two results per lane
inline constexpr std::uint64_t MixPrecision = bit(30);
inline constexpr std::uint64_t Dot = bit(31);
inline constexpr std::uint64_t Valu16 = bit(32);
inline constexpr std::uint64_t Double = bit(33);  // double precision
inline constexpr std::uint64_t Matrix = bit(34);
inline constexpr std::uint64_t Sparse = bit(35);     // v_smfmac: 4:2 structured sparsity, src[2] is the index
inline constexpr std::uint64_t AccMove = bit(36);    // moves between the vector register files
inline constexpr std::uint64_t CrossLane = bit(37);  // lanes exchange values
inline constexpr std::uint64_t ScalarDst = bit(38);  // vector instruction whose dst is a scalar register

// Encoding
inline constexpr std::uint64_t LiteralK = bit(39);  // always followed by a literal (v_fmaak_*, v_fmamk_*)
inline constexpr std::uint64_t NoE64 = bit(41);
inline constexpr std::uint64_t NoDpp = bit(42);
inline constexpr std::uint64_t NoSdwa = bit(43);

inline constexpr std::uint64_t Clamp = bit(45);       // VOP3 form takes clamp
inline constexpr std::uint64_t Omod = bit(46);        // VOP3 form takes output multipliers
inline constexpr std::uint64_t OpSel = bit(47);       // VOP3 form takes op_sel
inline constexpr std::uint64_t TwoOffsets = bit(48);  // DS: two 8-bit offsets instead of one of 16 bits
}  // namespace flag

inline bool has(Op op, std::uint64_t flags) {
    return (info(op).flags & flags) != 0;
}

// What a read-modify-write does to memory, whatever its width.
enum class AtomicKind : std::uint8_t {
    None,
    Swap,
    CmpSwap,
    Add,
    Sub,
    RevSub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    MaskedOr,
    FloatAdd,
    FloatMin,
    FloatMax,
    FloatCmpSwap,
    CondSwap,
    Wrap,
    Append,
};
AtomicKind atomic_kind(Op op);

// True when memory after a set of such operations depends on the order in which they ran (returned
// old values always do).
inline constexpr bool order_sensitive(AtomicKind kind) {
    switch (kind) {
        case AtomicKind::None:
        case AtomicKind::Add:
        case AtomicKind::Sub:
        case AtomicKind::Min:
        case AtomicKind::Max:
        case AtomicKind::And:
        case AtomicKind::Or:
        case AtomicKind::Xor:
        case AtomicKind::FloatMin:
        case AtomicKind::FloatMax:
        case AtomicKind::Append:
            return false;
        default:
            return true;
    }
}

}  // namespace vrocm::isa

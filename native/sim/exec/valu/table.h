// Which handler runs which instruction. Every file of handlers adds its rows.
#pragma once

#include <array>

#include "sim/exec/valu/lanes.h"

namespace vrocm::sim::VROCM_SIMD_NS {

struct Entry {
    Handler plain = nullptr;
    Handler saturating = nullptr;      // integer instructions with clamp; null: clamp is not defined for it
    bool clamp_has_no_effect = false;  // conversions that saturate anyway, comparisons
    // Applies neg and abs itself: neg | abs << 4 are in Op::sdst, or in Op::dst where sdst is a result.
    Handler signs = nullptr;
    // The source slot in which the handler wants the old value of the destination; 4: it wants none.
    std::uint8_t old_dst = 4;

    Entry& with_signs(Handler handler) {
        signs = handler;
        return *this;
    }
    Entry& reads_dst_as(unsigned slot) {
        old_dst = static_cast<std::uint8_t>(slot);
        return *this;
    }
};

class Table {
  public:
    Entry& operator[](isa::Op op) { return entries_[static_cast<unsigned>(op)]; }
    const Entry& operator[](isa::Op op) const { return entries_[static_cast<unsigned>(op)]; }
    Entry& add(isa::Op op, Handler plain, Handler saturating = nullptr) {
        return (*this)[op] = Entry{plain, saturating};
    }
    Entry& add_unclamped(isa::Op op, Handler plain) { return (*this)[op] = Entry{plain, nullptr, true}; }

  private:
    std::array<Entry, static_cast<unsigned>(isa::Op::Count_)> entries_{};
};

void add_moves(Table& table);            // move.cpp: moves, selects, lane access
void add_integer(Table& table);          // integer/i32.cpp: 32-bit integers and bits
void add_integer16(Table& table);        // integer/i16.cpp
void add_integer64(Table& table);        // integer/i64.cpp
void add_carry(Table& table);            // integer/carry.cpp: arithmetic with a mask of carries
void add_bytes(Table& table);            // integer/bytes.cpp: sums of differences, byte permutation
void add_packed(Table& table);           // packed.cpp: two results per lane
void add_dot(Table& table);              // dot.cpp
void add_f32(Table& table);              // float/arithmetic.cpp
void add_f64(Table& table);              // float/arithmetic.cpp
void add_f16(Table& table);              // float/arithmetic.cpp
void add_minmax(Table& table);           // float/minmax.cpp: min, max, med3 of floats
void add_rounding(Table& table);         // float/rounding.cpp: floor, fract, frexp, ldexp, ...
void add_convert(Table& table);          // float/convert.cpp
void add_convert_fp8(Table& table);      // float/convert_fp8.cpp
void add_transcendental(Table& table);   // float/transcendental.cpp
void add_trig_preop(Table& table);       // float/trig_preop.cpp
void add_division(Table& table);         // float/division.cpp
void add_compare_float(Table& table);    // float/compare.cpp
void add_compare_integer(Table& table);  // integer/compare.cpp

const Table& table();

}  // namespace vrocm::sim::VROCM_SIMD_NS

// Which handler runs which instruction. Every file of handlers adds its rows.
#pragma once

#include <array>

#include "sim/exec/v_lanes.h"

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

void add_moves(Table& table);            // v_move.cpp: moves, selects, lane access
void add_integer(Table& table);          // v_integer.cpp: 32-bit integers and bits
void add_integer16(Table& table);        // v_integer16.cpp
void add_integer64(Table& table);        // v_integer64.cpp
void add_carry(Table& table);            // v_carry.cpp: arithmetic with a mask of carries
void add_bytes(Table& table);            // v_bytes.cpp: sums of differences, byte permutation
void add_packed(Table& table);           // v_packed.cpp: two results per lane
void add_dot(Table& table);              // v_dot.cpp
void add_f32(Table& table);              // v_f32.cpp
void add_f64(Table& table);              // v_f64.cpp
void add_f16(Table& table);              // v_f16.cpp
void add_minmax(Table& table);           // v_minmax.cpp: min, max, med3 of floats
void add_rounding(Table& table);         // v_rounding.cpp: floor, fract, frexp, ldexp, ...
void add_convert(Table& table);          // v_convert.cpp
void add_convert_fp8(Table& table);      // v_convert_fp8.cpp
void add_transcendental(Table& table);   // v_transcendental.cpp
void add_trig_preop(Table& table);       // v_trig_preop.cpp
void add_division(Table& table);         // v_division.cpp
void add_compare_float(Table& table);    // v_compare_float.cpp
void add_compare_integer(Table& table);  // v_compare_integer.cpp

const Table& table();

}  // namespace vrocm::sim::VROCM_SIMD_NS

// Buffer resources: four scalar registers that say where a buffer lies, how long it is and how indexes become
// addresses (CDNA3 ISA, "Buffer Resource Descriptor" and "Buffer Addressing").
#pragma once

#include <cstdint>

#include "sim/wave/wave.h"

namespace vrocm::sim::memory {

struct BufferDescriptor {
    std::uint64_t base;
    std::uint32_t stride, records;
    bool swizzled, adds_lane;
    unsigned index_stride;
    std::uint32_t word3;

    explicit BufferDescriptor(const std::uint32_t* word)
        : base(word[0] | std::uint64_t{word[1] & 0xffff} << 32),
          stride(word[1] >> 16 & 0x3fff),
          records(word[2]),
          swizzled(word[1] >> 31),
          adds_lane(word[3] >> 23 & 1),
          index_stride(8u << (word[3] >> 21 & 3)),
          word3(word[3]) {
        if (adds_lane) stride |= (word[3] >> 15 & 15) << 14;  // the format field holds more bits of the stride
    }

    // Where an element of the buffer lies, relative to base.
    std::uint64_t place(std::uint64_t index, std::uint64_t offset) const {
        if (!swizzled) return offset + index * stride;
        constexpr unsigned kElement = 4;  // bytes that stay together; fixed on gfx9
        return (index / index_stride * stride + offset / kElement * kElement) * index_stride +
               index % index_stride * kElement + offset % kElement;
    }
    // Scalar loads count bytes, or records when there is a stride.
    std::uint64_t scalar_bytes() const { return stride ? std::uint64_t{stride} * records : records; }

    unsigned select(unsigned component) const { return word3 >> (3 * component) & 7; }
    unsigned number_format() const { return word3 >> 12 & 7; }
    unsigned data_format() const { return word3 >> 15 & 15; }
};

}  // namespace vrocm::sim::memory

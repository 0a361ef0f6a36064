// hipArray: device memory with a texel format, kept row by row (there is no tiling here).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "hip/hip_abi.h"

struct hipArray {
    std::uint8_t* data = nullptr;
    hipChannelFormatDesc format{};
    hipArray_Format driver_format = HIP_AD_FORMAT_FLOAT;
    unsigned channels = 1;
    std::size_t texel_bytes = 4;
    hipExtent extent{};  // as asked for: height and depth 0 when there is no such dimension
    unsigned flags = 0;
    std::size_t row_bytes = 0, slice_bytes = 0;
    int device = 0;
    bool owns_memory = true;  // a level of a mipmapped array does not

    std::size_t rows() const { return extent.height ? extent.height : 1; }
    std::size_t slices() const { return extent.depth ? extent.depth : 1; }
};

namespace vrocm::hip {

struct MipmappedArray : hipMipmappedArray {
    std::vector<std::unique_ptr<hipArray>> levels;
};

class Device;
hipArray& to_array(hipArray_const_t handle);  // throws hipErrorInvalidHandle
hipArray* create_array(Device& device, const hipChannelFormatDesc& format, hipExtent extent, unsigned flags);
void destroy_array(hipArray* array);
MipmappedArray& to_mipmapped(hipMipmappedArray_const_t handle);
MipmappedArray* create_mipmapped(Device& device, const hipChannelFormatDesc& format, hipExtent extent, unsigned levels,
                                 unsigned flags);
void destroy_mipmapped(MipmappedArray* array);

// Between the two ways HIP describes texels. Throw hipErrorInvalidValue for formats HIP does not have.
hipArray_Format driver_format(const hipChannelFormatDesc& desc);
hipChannelFormatDesc channel_format(hipArray_Format format, unsigned channels);

}  // namespace vrocm::hip

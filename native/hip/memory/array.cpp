#include "hip/memory/array.h"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "abi/hsa/hsa_ext_amd.h"
#include "hip/device/device.h"
#include "hip/error.h"
#include "hip/memory/allocation.h"

namespace vrocm::hip {

namespace {

constexpr std::size_t kRowAlignment = 256;

struct LiveArrays {
    std::mutex mutex;
    std::unordered_set<const hipArray*> arrays;
    std::unordered_set<const hipMipmappedArray*> mipmapped;
};
LiveArrays& live_arrays() {
    static LiveArrays* instance = new LiveArrays;
    return *instance;
}

// HIP has one, two or four channels of 8, 16 or 32 bits, all alike.
unsigned channel_count(const hipChannelFormatDesc& d) {
    require(d.x == 8 || d.x == 16 || d.x == 32);
    require((d.y == 0 || d.y == d.x) && (d.z == 0 || d.z == d.x) && (d.w == 0 || d.w == d.x));
    const unsigned count = 1u + (d.y != 0) + (d.z != 0) + (d.w != 0);
    require(count != 3 && (d.w == 0 || (d.y && d.z)));
    return count;
}

}  // namespace

hipArray_Format driver_format(const hipChannelFormatDesc& d) {
    channel_count(d);
    switch (d.f) {
        case hipChannelFormatKindUnsigned:
            return d.x == 8    ? HIP_AD_FORMAT_UNSIGNED_INT8
                   : d.x == 16 ? HIP_AD_FORMAT_UNSIGNED_INT16
                               : HIP_AD_FORMAT_UNSIGNED_INT32;
        case hipChannelFormatKindSigned:
            return d.x == 8    ? HIP_AD_FORMAT_SIGNED_INT8
                   : d.x == 16 ? HIP_AD_FORMAT_SIGNED_INT16
                               : HIP_AD_FORMAT_SIGNED_INT32;
        case hipChannelFormatKindFloat:
            require(d.x != 8);
            return d.x == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
        default:
            fail(hipErrorInvalidValue);
    }
}

hipChannelFormatDesc channel_format(hipArray_Format format, unsigned channels) {
    require(channels == 1 || channels == 2 || channels == 4);
    int bits = 0;
    hipChannelFormatKind kind = hipChannelFormatKindNone;
    switch (format) {
        case HIP_AD_FORMAT_UNSIGNED_INT8:
            bits = 8, kind = hipChannelFormatKindUnsigned;
            break;
        case HIP_AD_FORMAT_UNSIGNED_INT16:
            bits = 16, kind = hipChannelFormatKindUnsigned;
            break;
        case HIP_AD_FORMAT_UNSIGNED_INT32:
            bits = 32, kind = hipChannelFormatKindUnsigned;
            break;
        case HIP_AD_FORMAT_SIGNED_INT8:
            bits = 8, kind = hipChannelFormatKindSigned;
            break;
        case HIP_AD_FORMAT_SIGNED_INT16:
            bits = 16, kind = hipChannelFormatKindSigned;
            break;
        case HIP_AD_FORMAT_SIGNED_INT32:
            bits = 32, kind = hipChannelFormatKindSigned;
            break;
        case HIP_AD_FORMAT_HALF:
            bits = 16, kind = hipChannelFormatKindFloat;
            break;
        case HIP_AD_FORMAT_FLOAT:
            bits = 32, kind = hipChannelFormatKindFloat;
            break;
        default:
            fail(hipErrorInvalidValue);
    }
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0, kind};
}

hipArray& to_array(hipArray_const_t handle) {
    std::lock_guard lock(live_arrays().mutex);
    require(handle && live_arrays().arrays.count(handle) != 0, hipErrorInvalidHandle);
    return *const_cast<hipArray*>(handle);
}

hipArray* create_array(Device& device, const hipChannelFormatDesc& format, hipExtent extent, unsigned flags) {
    require(extent.width != 0);
    require(extent.depth == 0 || extent.height != 0 || (flags & hipArrayLayered));
    auto made = std::make_unique<hipArray>();
    made->format = format;
    made->driver_format = driver_format(format);
    made->channels = channel_count(format);
    made->texel_bytes = made->channels * static_cast<unsigned>(format.x) / 8;
    made->extent = extent;
    made->flags = flags;
    made->row_bytes = (extent.width * made->texel_bytes + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
    made->slice_bytes = made->row_bytes * made->rows();
    made->device = device.id();
    made->data = static_cast<std::uint8_t*>(
        allocate_device(device, made->slice_bytes * made->slices(), HipAllocation::Kind::Array));
    std::lock_guard lock(live_arrays().mutex);
    live_arrays().arrays.insert(made.get());
    return made.release();
}

void destroy_array(hipArray* array) {
    {
        std::lock_guard lock(live_arrays().mutex);
        require(array && live_arrays().arrays.erase(array) != 0);
    }
    if (array->owns_memory) {
        remove_allocation(array->data);
        hsa_amd_memory_pool_free(array->data);
    }
    delete array;
}

MipmappedArray& to_mipmapped(hipMipmappedArray_const_t handle) {
    std::lock_guard lock(live_arrays().mutex);
    require(handle && live_arrays().mipmapped.count(handle) != 0, hipErrorInvalidHandle);
    return *static_cast<MipmappedArray*>(const_cast<hipMipmappedArray*>(handle));
}

MipmappedArray* create_mipmapped(Device& device, const hipChannelFormatDesc& format, hipExtent extent, unsigned levels,
                                 unsigned flags) {
    require(levels > 0);
    auto made = std::make_unique<MipmappedArray>();
    made->desc = format;
    made->width = static_cast<unsigned>(extent.width);
    made->height = static_cast<unsigned>(extent.height);
    made->depth = static_cast<unsigned>(extent.depth);
    made->max_mipmap_level = levels - 1;
    made->flags = flags;
    made->format = driver_format(format);
    made->num_channels = channel_count(format);
    auto half = [](std::size_t side) { return side == 0 ? 0 : std::max<std::size_t>(side / 2, 1); };
    for (unsigned level = 0; level < levels; ++level) {
        made->levels.emplace_back(create_array(device, format, extent, flags));
        const bool layered = flags & (hipArrayLayered | hipArrayCubemap);
        extent = make_hipExtent(half(extent.width), half(extent.height), layered ? extent.depth : half(extent.depth));
    }
    made->data = made->levels[0]->data;
    std::lock_guard lock(live_arrays().mutex);
    live_arrays().mipmapped.insert(made.get());
    return made.release();
}

void destroy_mipmapped(MipmappedArray* array) {
    {
        std::lock_guard lock(live_arrays().mutex);
        require(live_arrays().mipmapped.erase(array) != 0);
    }
    for (auto& level : array->levels) destroy_array(level.release());
    delete array;
}

}  // namespace vrocm::hip

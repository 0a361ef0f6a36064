// API: arrays and mipmapped arrays.
#include "hip/memory/array.h"

#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/graph/capture.h"

using namespace vrocm::hip;

namespace {

constexpr unsigned kArrayFlags = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;

void free_array(hipArray_t array) {
    forbid_during_any_capture();
    hipArray& known = to_array(array);
    HipRuntime::get().device(known.device).synchronize();
    destroy_array(&known);
}

}  // namespace

extern "C" {

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width, size_t height,
                          unsigned int flags) {
    VROCM_API(hipMallocArray, array, desc, width, height, flags);
    return hipMalloc3DArray(array, desc, make_hipExtent(width, height, 0), flags);
}

hipError_t hipMalloc3DArray(hipArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent, unsigned int flags) {
    VROCM_API(hipMalloc3DArray, array, desc, extent, flags);
    return enter([&] {
        require(array && desc && (flags & ~kArrayFlags) == 0);
        forbid_during_any_capture();
        *array = create_array(current_device(), *desc, extent, flags);
    });
}

hipError_t hipArrayCreate(hipArray_t* array, const HIP_ARRAY_DESCRIPTOR* d) {
    VROCM_API(hipArrayCreate, array, d);
    return enter([&] {
        require(array && d);
        *array = create_array(current_device(), channel_format(d->Format, d->NumChannels),
                              make_hipExtent(d->Width, d->Height, 0), hipArrayDefault);
    });
}

hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* d) {
    VROCM_API(hipArray3DCreate, array, d);
    return enter([&] {
        require(array && d);
        *array = create_array(current_device(), channel_format(d->Format, d->NumChannels),
                              make_hipExtent(d->Width, d->Height, d->Depth), d->Flags);
    });
}

hipError_t hipFreeArray(hipArray_t array) {
    VROCM_API(hipFreeArray, array);
    return enter([&] {
        if (array) free_array(array);
    });
}

hipError_t hipArrayDestroy(hipArray_t array) {
    VROCM_API(hipArrayDestroy, array);
    return enter([&] {
        require(array != nullptr);
        free_array(array);
    });
}

hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags, hipArray_t array) {
    VROCM_API(hipArrayGetInfo, desc, extent, flags, array);
    return enter([&] {
        const hipArray& a = to_array(array);
        if (desc) *desc = a.format;
        if (extent) *extent = a.extent;
        if (flags) *flags = a.flags;
    });
}

hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* out, hipArray_t array) {
    VROCM_API(hipArrayGetDescriptor, out, array);
    return enter([&] {
        require(out != nullptr);
        const hipArray& a = to_array(array);
        *out = {a.extent.width, a.extent.height, a.driver_format, a.channels};
    });
}

hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* out, hipArray_t array) {
    VROCM_API(hipArray3DGetDescriptor, out, array);
    return enter([&] {
        require(out != nullptr);
        const hipArray& a = to_array(array);
        *out = {a.extent.width, a.extent.height, a.extent.depth, a.driver_format, a.channels, a.flags};
    });
}

hipError_t hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array) {
    VROCM_API(hipGetChannelDesc, desc, array);
    return enter([&] {
        require(desc != nullptr);
        *desc = to_array(array).format;
    });
}

hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w, enum hipChannelFormatKind kind) {
    VROCM_API(hipCreateChannelDesc, x, y, z, w, kind);
    return {x, y, z, w, kind};
}

hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* array, const hipChannelFormatDesc* desc, hipExtent extent,
                                   unsigned int levels, unsigned int flags) {
    VROCM_API(hipMallocMipmappedArray, array, desc, extent, levels, flags);
    return enter([&] {
        require(array && desc && (flags & ~kArrayFlags) == 0);
        *array = create_mipmapped(current_device(), *desc, extent, levels, flags);
    });
}

hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array) {
    VROCM_API(hipFreeMipmappedArray, array);
    return enter([&] {
        MipmappedArray& known = to_mipmapped(array);
        HipRuntime::get().device(known.levels[0]->device).synchronize();
        destroy_mipmapped(&known);
    });
}

hipError_t hipGetMipmappedArrayLevel(hipArray_t* level_array, hipMipmappedArray_const_t array, unsigned int level) {
    VROCM_API(hipGetMipmappedArrayLevel, level_array, array, level);
    return enter([&] {
        require(level_array != nullptr);
        MipmappedArray& known = to_mipmapped(array);
        require(level < known.levels.size());
        *level_array = known.levels[level].get();
    });
}
}

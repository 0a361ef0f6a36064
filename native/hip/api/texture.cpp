// API: textures and surfaces. An object is a descriptor in device memory that kernels sample by hand.
#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "abi/vrocm/check.h"
#include "hip/call/enter.h"
#include "hip/device/device.h"
#include "hip/memory/allocation.h"
#include "hip/memory/array.h"
#include "hip/module/program.h"
#include "vrocm/runtime_abi.h"

using namespace vrocm::hip;

namespace {

// What the program described, kept to be given back.
struct Described {
    hipResourceDesc resource{};
    hipTextureDesc texture{};
    hipResourceViewDesc view{};
    bool has_view = false;
};

struct LiveObjects {
    std::mutex mutex;
    std::unordered_map<const void*, Described> objects;
};
LiveObjects& live_objects() {
    static LiveObjects* instance = new LiveObjects;
    return *instance;
}

void set_format(vrocm_texture& t, const hipChannelFormatDesc& format) {
    driver_format(format);  // refuses what HIP does not have
    t.channels = static_cast<vrocm_u8>(1 + (format.y != 0) + (format.z != 0) + (format.w != 0));
    t.channel_bits = static_cast<vrocm_u8>(format.x);
    t.channel_kind = static_cast<vrocm_u8>(format.f);
    t.texel_bytes = static_cast<vrocm_u8>(t.channels * t.channel_bits / 8);
}

vrocm_texture_level level_of(const hipArray& array) {
    vrocm_texture_level level{};
    level.data = reinterpret_cast<vrocm_u64>(array.data);
    level.row_bytes = array.row_bytes;
    level.slice_bytes = array.slice_bytes;
    level.width = static_cast<vrocm_u32>(array.extent.width);
    level.height = static_cast<vrocm_u32>(array.rows());
    level.depth = static_cast<vrocm_u32>(array.slices());
    return level;
}

void set_array(vrocm_texture& t, const hipArray& array) {
    set_format(t, array.format);
    const bool layered = array.flags & hipArrayLayered, cube = array.flags & hipArrayCubemap;
    t.cubemap = cube;
    t.layers = layered || cube ? static_cast<vrocm_u32>(array.slices()) : 0;
    t.dimensions = array.extent.depth && !layered && !cube ? 3 : array.extent.height ? 2 : 1;
}

void set_resource(vrocm_texture& t, const hipResourceDesc& r) {
    t.levels = 1;
    switch (r.resType) {
        case hipResourceTypeArray:
            set_array(t, to_array(r.res.array.array));
            t.level[0] = level_of(to_array(r.res.array.array));
            return;
        case hipResourceTypeMipmappedArray: {
            const MipmappedArray& array = to_mipmapped(r.res.mipmap.mipmap);
            require(array.levels.size() <= VROCM_TEXTURE_MAX_LEVELS);
            set_array(t, *array.levels[0]);
            t.levels = static_cast<vrocm_u32>(array.levels.size());
            for (std::size_t i = 0; i < array.levels.size(); ++i) t.level[i] = level_of(*array.levels[i]);
            return;
        }
        case hipResourceTypeLinear: {
            require(r.res.linear.devPtr != nullptr);
            set_format(t, r.res.linear.desc);
            t.dimensions = 1;
            t.linear_memory = 1;
            t.level[0].data = reinterpret_cast<vrocm_u64>(r.res.linear.devPtr);
            t.level[0].row_bytes = t.level[0].slice_bytes = r.res.linear.sizeInBytes;
            t.level[0].width = static_cast<vrocm_u32>(r.res.linear.sizeInBytes / t.texel_bytes);
            t.level[0].height = t.level[0].depth = 1;
            return;
        }
        case hipResourceTypePitch2D: {
            require(r.res.pitch2D.devPtr != nullptr);
            set_format(t, r.res.pitch2D.desc);
            require(r.res.pitch2D.width * t.texel_bytes <= r.res.pitch2D.pitchInBytes);
            t.dimensions = 2;
            t.level[0].data = reinterpret_cast<vrocm_u64>(r.res.pitch2D.devPtr);
            t.level[0].row_bytes = r.res.pitch2D.pitchInBytes;
            t.level[0].slice_bytes = r.res.pitch2D.pitchInBytes * r.res.pitch2D.height;
            t.level[0].width = static_cast<vrocm_u32>(r.res.pitch2D.width);
            t.level[0].height = static_cast<vrocm_u32>(r.res.pitch2D.height);
            t.level[0].depth = 1;
            return;
        }
    }
    fail(hipErrorInvalidValue);
}

void set_sampling(vrocm_texture& t, const hipTextureDesc& d) {
    for (int i = 0; i < 3; ++i) t.address_mode[i] = static_cast<vrocm_u8>(d.addressMode[i]);
    t.filter_linear = d.filterMode == hipFilterModeLinear;
    t.read_normalized = d.readMode == hipReadModeNormalizedFloat;
    t.normalized_coords = d.normalizedCoords != 0;
    t.srgb = d.sRGB != 0;
    std::copy_n(d.borderColor, 4, t.border);
    t.mipmap_filter_linear = d.mipmapFilterMode == hipFilterModeLinear;
    t.level_bias = d.mipmapLevelBias;
    t.min_level = d.minMipmapLevelClamp;
    t.max_level = d.maxMipmapLevelClamp;
    t.max_anisotropy = d.maxAnisotropy;
    // Reads as the element's own integers cannot be interpolated.
    const bool integers = t.channel_kind != VROCM_CHANNEL_FLOAT;
    require(!(integers && d.readMode == hipReadModeElementType && d.filterMode == hipFilterModeLinear));
    require(!(integers && t.channel_bits == 32 && d.readMode == hipReadModeNormalizedFloat));
}

void* publish(const vrocm_texture& texture, const Described& described) {
    void* object = allocate_device(current_device(), sizeof(vrocm_texture), HipAllocation::Kind::Device);
    std::memcpy(object, &texture, sizeof texture);
    vrocm_check_written(object, sizeof texture);
    std::lock_guard lock(live_objects().mutex);
    live_objects().objects.emplace(object, described);
    return object;
}

void* create_texture(const hipResourceDesc& resource, const hipTextureDesc& texture, const hipResourceViewDesc* view) {
    vrocm_texture made{};
    set_resource(made, resource);
    set_sampling(made, texture);
    Described described;
    described.resource = resource;
    described.texture = texture;
    if (view) {
        require(view->format == hipResViewFormatNone || resource.resType == hipResourceTypeArray ||
                resource.resType == hipResourceTypeMipmappedArray);
        if (view->format != hipResViewFormatNone)
            refuse("hipResourceViewDesc with a format", "views keep the format of their resource");
        described.view = *view;
        described.has_view = true;
    }
    return publish(made, described);
}

void destroy_object(void* object) {
    if (!object) return;
    {
        std::lock_guard lock(live_objects().mutex);
        require(live_objects().objects.erase(object) != 0);
    }
    free_memory(object);
}

Described described(const void* object) {
    std::lock_guard lock(live_objects().mutex);
    auto found = live_objects().objects.find(object);
    require(found != live_objects().objects.end());
    return found->second;
}

// A texture reference holds an object after binding; the device's copy of the variable must hold it too.
void bind(const textureReference* reference, const hipResourceDesc& resource, const hipChannelFormatDesc& format) {
    require(reference != nullptr);
    hipTextureDesc d{};
    std::copy_n(reference->addressMode, 3, d.addressMode);
    d.filterMode = reference->filterMode;
    d.readMode = reference->readMode;
    d.sRGB = reference->sRGB;
    d.normalizedCoords = reference->normalized;
    d.maxAnisotropy = reference->maxAnisotropy;
    d.mipmapFilterMode = reference->mipmapFilterMode;
    d.mipmapLevelBias = reference->mipmapLevelBias;
    d.minMipmapLevelClamp = reference->minMipmapLevelClamp;
    d.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
    auto* mine = const_cast<textureReference*>(reference);
    if (mine->textureObject) destroy_object(mine->textureObject);
    mine->channelDesc = format;
    mine->textureObject = static_cast<hipTextureObject_t>(create_texture(resource, d, nullptr));
    const Module::Global variable = Program::get().variable(reference, current_device());
    require(variable.address && variable.size >= sizeof(textureReference), hipErrorInvalidTexture);
    std::memcpy(variable.address, mine, sizeof(textureReference));
}

}  // namespace

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* object, const hipResourceDesc* resource,
                                  const hipTextureDesc* texture, const hipResourceViewDesc* view) {
    VROCM_API(hipCreateTextureObject, object, resource, texture, view);
    return enter([&] {
        require(object && resource && texture);
        *object = static_cast<hipTextureObject_t>(create_texture(*resource, *texture, view));
    });
}

hipError_t hipDestroyTextureObject(hipTextureObject_t object) {
    VROCM_API(hipDestroyTextureObject, object);
    return enter([&] { destroy_object(object); });
}

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* out, hipTextureObject_t object) {
    VROCM_API(hipGetTextureObjectResourceDesc, out, object);
    return enter([&] {
        require(out != nullptr);
        *out = described(object).resource;
    });
}

hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* out, hipTextureObject_t object) {
    VROCM_API(hipGetTextureObjectTextureDesc, out, object);
    return enter([&] {
        require(out != nullptr);
        *out = described(object).texture;
    });
}

hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* out, hipTextureObject_t object) {
    VROCM_API(hipGetTextureObjectResourceViewDesc, out, object);
    return enter([&] {
        require(out != nullptr);
        const Described d = described(object);
        require(d.has_view);
        *out = d.view;
    });
}

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t* object, const hipResourceDesc* resource) {
    VROCM_API(hipCreateSurfaceObject, object, resource);
    return enter([&] {
        require(object && resource && resource->resType == hipResourceTypeArray);
        vrocm_texture made{};
        set_resource(made, *resource);
        Described d;
        d.resource = *resource;
        *object = static_cast<hipSurfaceObject_t>(publish(made, d));
    });
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t object) {
    VROCM_API(hipDestroySurfaceObject, object);
    return enter([&] { destroy_object(object); });
}

hipError_t hipBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                          const hipChannelFormatDesc* format, size_t size) {
    VROCM_API(hipBindTexture, offset, reference, pointer, format, size);
    return enter([&] {
        require(pointer && format);
        if (offset) *offset = 0;
        auto allocation = find_allocation(pointer);
        require(allocation != nullptr);
        const auto before = static_cast<std::size_t>(static_cast<const std::uint8_t*>(pointer) - allocation->base);
        hipResourceDesc resource{};
        resource.resType = hipResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<void*>(pointer);
        resource.res.linear.desc = *format;
        resource.res.linear.sizeInBytes = std::min(size, allocation->size - before);
        bind(reference, resource, *format);
    });
}

hipError_t hipBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer,
                            const hipChannelFormatDesc* format, size_t width, size_t height, size_t pitch) {
    VROCM_API(hipBindTexture2D, offset, reference, pointer, format, width, height, pitch);
    return enter([&] {
        require(pointer && format);
        if (offset) *offset = 0;
        hipResourceDesc resource{};
        resource.resType = hipResourceTypePitch2D;
        resource.res.pitch2D = {const_cast<void*>(pointer), *format, width, height, pitch};
        bind(reference, resource, *format);
    });
}

hipError_t hipBindTextureToArray(const textureReference* reference, hipArray_const_t array,
                                 const hipChannelFormatDesc* format) {
    VROCM_API(hipBindTextureToArray, reference, array, format);
    return enter([&] {
        require(array && format);
        hipResourceDesc resource{};
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = const_cast<hipArray_t>(array);
        bind(reference, resource, *format);
    });
}

hipError_t hipUnbindTexture(const textureReference* reference) {
    VROCM_API(hipUnbindTexture, reference);
    return enter([&] {
        require(reference != nullptr);
        auto* mine = const_cast<textureReference*>(reference);
        destroy_object(mine->textureObject);
        mine->textureObject = nullptr;
    });
}

hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
    VROCM_API(hipGetTextureAlignmentOffset, offset, reference);
    return enter([&] {
        require(offset && reference);
        *offset = 0;
    });
}

hipError_t hipGetTextureReference(const textureReference** reference, const void* symbol) {
    VROCM_API(hipGetTextureReference, reference, symbol);
    return enter([&] {
        require(reference && symbol);
        require(Program::get().variable(symbol, current_device()).address != nullptr, hipErrorInvalidTexture);
        *reference = static_cast<const textureReference*>(symbol);
    });
}
}

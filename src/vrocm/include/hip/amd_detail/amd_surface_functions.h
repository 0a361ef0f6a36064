/* Reads and writes of surface objects. x counts bytes, y, z and layers count texels.
 * Out of range: reads give zero and writes do nothing, unless the mode says clamp or trap. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_SURFACE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_SURFACE_FUNCTIONS_H

#include <hip/surface_types.h>
#include <vrocm/device/texture_sampling.h>

namespace hip_detail {

/* Address of a texel, or null where there is none. */
template <class T>
VROCM_DEVICE T* surface_texel(hipSurfaceObject_t object, int x, int y, int slice, int mode) {
    const vrocm_texture* t = vrocm::texture::descriptor(object);
    const vrocm_texture_level& level = t->level[0];
    const int last_x = ((int)level.width - 1) * t->texel_bytes, last_y = (int)level.height - 1;
    const int slices = t->dimensions > 2 ? (int)level.depth : t->layers > 0 ? (int)t->layers * (t->cubemap ? 6 : 1) : 1;
    const bool inside = x >= 0 && x <= last_x && y >= 0 && y <= last_y && slice >= 0 && slice < slices;
    if (!inside) {
        if (mode == hipBoundaryModeTrap) __builtin_trap();
        if (mode != hipBoundaryModeClamp) return nullptr;
        x = x < 0 ? 0 : x > last_x ? last_x : x;
        y = y < 0 ? 0 : y > last_y ? last_y : y;
        slice = slice < 0 ? 0 : slice >= slices ? slices - 1 : slice;
    }
    return (T*)(level.data + (unsigned long)slice * level.slice_bytes + (unsigned long)y * level.row_bytes + x);
}
template <class T>
VROCM_DEVICE T surface_read(hipSurfaceObject_t object, int x, int y, int slice, int mode) {
    const T* texel = surface_texel<T>(object, x, y, slice, mode);
    return texel ? *texel : T();
}
template <class T>
VROCM_DEVICE void surface_write(T value, hipSurfaceObject_t object, int x, int y, int slice, int mode) {
    T* texel = surface_texel<T>(object, x, y, slice, mode);
    if (texel) *texel = value;
}

}  // namespace hip_detail

#define VROCM_UNWRAP(...) __VA_ARGS__
#define VROCM_SURFACE(name, parameters, row, slice)                                            \
    template <class T>                                                                         \
    VROCM_DEVICE T name##read(hipSurfaceObject_t surface, VROCM_UNWRAP parameters,             \
                              int boundaryMode = hipBoundaryModeZero) {                        \
        return hip_detail::surface_read<T>(surface, x, row, slice, boundaryMode);              \
    }                                                                                          \
    template <class T>                                                                         \
    VROCM_DEVICE void name##read(T* data, hipSurfaceObject_t surface, VROCM_UNWRAP parameters, \
                                 int boundaryMode = hipBoundaryModeZero) {                     \
        *data = hip_detail::surface_read<T>(surface, x, row, slice, boundaryMode);             \
    }                                                                                          \
    template <class T>                                                                         \
    VROCM_DEVICE void name##write(T data, hipSurfaceObject_t surface, VROCM_UNWRAP parameters, \
                                  int boundaryMode = hipBoundaryModeZero) {                    \
        hip_detail::surface_write(data, surface, x, row, slice, boundaryMode);                 \
    }
VROCM_SURFACE(surf1D, (int x), 0, 0)
VROCM_SURFACE(surf2D, (int x, int y), y, 0)
VROCM_SURFACE(surf3D, (int x, int y, int z), y, z)
VROCM_SURFACE(surf1DLayered, (int x, int layer), 0, layer)
VROCM_SURFACE(surf2DLayered, (int x, int y, int layer), y, layer)
VROCM_SURFACE(surfCubemap, (int x, int y, int face), y, face)
VROCM_SURFACE(surfCubemapLayered, (int x, int y, int layerFace), y, layerFace)
#undef VROCM_SURFACE
#undef VROCM_UNWRAP

#endif

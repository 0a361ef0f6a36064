/* Fetches from texture references: global variables of type texture<T, dimensions, read mode>. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_FETCH_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_FETCH_FUNCTIONS_H

#include <hip/amd_detail/texture_indirect_functions.h>

namespace hip_detail {
/* Normalised reads give floats, whatever the texture holds. */
template <class T, hipTextureReadMode mode>
struct texture_result {
    using type = T;
};
template <class T>
struct texture_result<T, hipReadModeNormalizedFloat> {
    using type = float;
};
template <class T, unsigned int n>
struct texture_result<HIP_vector_type<T, n>, hipReadModeNormalizedFloat> {
    using type = HIP_vector_type<float, n>;
};
}  // namespace hip_detail

#define VROCM_UNWRAP(...) __VA_ARGS__
#define VROCM_TEXTURE_REFERENCE(name, kind, parameters, arguments)                                                \
    template <class T, hipTextureReadMode mode>                                                                   \
    VROCM_DEVICE typename hip_detail::texture_result<T, mode>::type name(texture<T, kind, mode> t,                \
                                                                         VROCM_UNWRAP parameters) {               \
        return name<typename hip_detail::texture_result<T, mode>::type>(t.textureObject, VROCM_UNWRAP arguments); \
    }
VROCM_TEXTURE_REFERENCE(tex1Dfetch, hipTextureType1D, (int x), (x))
VROCM_TEXTURE_REFERENCE(tex1D, hipTextureType1D, (float x), (x))
VROCM_TEXTURE_REFERENCE(tex2D, hipTextureType2D, (float x, float y), (x, y))
VROCM_TEXTURE_REFERENCE(tex3D, hipTextureType3D, (float x, float y, float z), (x, y, z))
VROCM_TEXTURE_REFERENCE(tex1DLayered, hipTextureType1DLayered, (float x, int layer), (x, layer))
VROCM_TEXTURE_REFERENCE(tex2DLayered, hipTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
VROCM_TEXTURE_REFERENCE(texCubemap, hipTextureTypeCubemap, (float x, float y, float z), (x, y, z))
VROCM_TEXTURE_REFERENCE(tex1DLod, hipTextureType1D, (float x, float level), (x, level))
VROCM_TEXTURE_REFERENCE(tex2DLod, hipTextureType2D, (float x, float y, float level), (x, y, level))
VROCM_TEXTURE_REFERENCE(tex3DLod, hipTextureType3D, (float x, float y, float z, float level), (x, y, z, level))
#undef VROCM_TEXTURE_REFERENCE
#undef VROCM_UNWRAP

#endif

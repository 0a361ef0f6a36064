/* Fetches from texture objects. Each has two forms: tex2D<T>(object, …) and tex2D(&result, object, …). */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H

#include <vrocm/device/texture_sampling.h>

#define VROCM_UNWRAP(...) __VA_ARGS__
/* VROCM_TEXTURE(name, (parameters), (arguments), expression) */
#define VROCM_TEXTURE(name, parameters, arguments, ...)                                            \
    template <class T>                                                                             \
    VROCM_DEVICE T name(hipTextureObject_t textureObject, VROCM_UNWRAP parameters) {               \
        return __VA_ARGS__;                                                                        \
    }                                                                                              \
    template <class T>                                                                             \
    VROCM_DEVICE void name(T* result, hipTextureObject_t textureObject, VROCM_UNWRAP parameters) { \
        *result = name<T>(textureObject, VROCM_UNWRAP arguments);                                  \
    }
#define VROCM_PLACE(...) (vrocm::texture::Place{__VA_ARGS__})
#define VROCM_SAMPLE(...) vrocm::texture::sample<T>(textureObject, VROCM_PLACE(__VA_ARGS__))
#define VROCM_SAMPLE_LOD(lod, ...) vrocm::texture::sample_lod<T>(textureObject, VROCM_PLACE(__VA_ARGS__), lod)
#define VROCM_GRADIENT(dx, dy) vrocm::texture::lod_of_gradient(textureObject, dx, dy)

VROCM_TEXTURE(tex1Dfetch, (int x), (x), vrocm::texture::fetch<T>(textureObject, x))
VROCM_TEXTURE(tex1D, (float x), (x), VROCM_SAMPLE(x, 0.0f, 0.0f, 0))
VROCM_TEXTURE(tex2D, (float x, float y), (x, y), VROCM_SAMPLE(x, y, 0.0f, 0))
VROCM_TEXTURE(tex3D, (float x, float y, float z), (x, y, z), VROCM_SAMPLE(x, y, z, 0))
VROCM_TEXTURE(tex1DLayered, (float x, int layer), (x, layer), VROCM_SAMPLE(x, 0.0f, 0.0f, layer))
VROCM_TEXTURE(tex2DLayered, (float x, float y, int layer), (x, y, layer), VROCM_SAMPLE(x, y, 0.0f, layer))
VROCM_TEXTURE(texCubemap, (float x, float y, float z), (x, y, z),
              vrocm::texture::sample<T>(textureObject, vrocm::texture::on_cube(x, y, z, 0)))
VROCM_TEXTURE(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
              vrocm::texture::sample<T>(textureObject, vrocm::texture::on_cube(x, y, z, layer)))
VROCM_TEXTURE(tex2Dgather, (float x, float y, int component), (x, y, component),
              vrocm::texture::gather<T>(textureObject, x, y, component))

VROCM_TEXTURE(tex1DLod, (float x, float level), (x, level), VROCM_SAMPLE_LOD(level, x, 0.0f, 0.0f, 0))
VROCM_TEXTURE(tex2DLod, (float x, float y, float level), (x, y, level), VROCM_SAMPLE_LOD(level, x, y, 0.0f, 0))
VROCM_TEXTURE(tex3DLod, (float x, float y, float z, float level), (x, y, z, level), VROCM_SAMPLE_LOD(level, x, y, z, 0))
VROCM_TEXTURE(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level),
              VROCM_SAMPLE_LOD(level, x, 0.0f, 0.0f, layer))
VROCM_TEXTURE(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level),
              VROCM_SAMPLE_LOD(level, x, y, 0.0f, layer))
VROCM_TEXTURE(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level),
              vrocm::texture::sample_lod<T>(textureObject, vrocm::texture::on_cube(x, y, z, 0), level))
VROCM_TEXTURE(texCubemapLayeredLod, (float x, float y, float z, int layer, float level), (x, y, z, layer, level),
              vrocm::texture::sample_lod<T>(textureObject, vrocm::texture::on_cube(x, y, z, layer), level))

VROCM_TEXTURE(tex1DGrad, (float x, float dPdx, float dPdy), (x, dPdx, dPdy),
              VROCM_SAMPLE_LOD(VROCM_GRADIENT(float4(dPdx, 0, 0, 0), float4(dPdy, 0, 0, 0)), x, 0.0f, 0.0f, 0))
VROCM_TEXTURE(tex2DGrad, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy),
              VROCM_SAMPLE_LOD(VROCM_GRADIENT(float4(dPdx.x, dPdx.y, 0, 0), float4(dPdy.x, dPdy.y, 0, 0)), x, y, 0.0f,
                               0))
VROCM_TEXTURE(tex3DGrad, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy),
              VROCM_SAMPLE_LOD(VROCM_GRADIENT(dPdx, dPdy), x, y, z, 0))
VROCM_TEXTURE(tex1DLayeredGrad, (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy),
              VROCM_SAMPLE_LOD(VROCM_GRADIENT(float4(dPdx, 0, 0, 0), float4(dPdy, 0, 0, 0)), x, 0.0f, 0.0f, layer))
VROCM_TEXTURE(tex2DLayeredGrad, (float x, float y, int layer, float2 dPdx, float2 dPdy), (x, y, layer, dPdx, dPdy),
              VROCM_SAMPLE_LOD(VROCM_GRADIENT(float4(dPdx.x, dPdx.y, 0, 0), float4(dPdy.x, dPdy.y, 0, 0)), x, y, 0.0f,
                               layer))
#undef VROCM_TEXTURE
#undef VROCM_SAMPLE
#undef VROCM_SAMPLE_LOD
#undef VROCM_GRADIENT
#undef VROCM_PLACE
#undef VROCM_UNWRAP

#endif

/* Texture fetches in software: gfx942 has no image instructions. The descriptor is that of vrocm/runtime_abi.h. */
#ifndef VROCM_DEVICE_TEXTURE_SAMPLING_H
#define VROCM_DEVICE_TEXTURE_SAMPLING_H

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/texture_types.h>
#include <vrocm/device/library_functions.h>
#include <vrocm/device/math_functions.h>
#include <vrocm/runtime_abi.h>

#include <type_traits>

namespace vrocm {
namespace texture {

/* One texel as the memory has it: each channel widened to 32 bits, sign- or zero-extended; 16-bit floats as float. */
struct Texel {
    unsigned int channel[4];
};
/* A position in a mipmap level. `slice` is the layer, or for three dimensions the depth. */
struct Place {
    float x, y, z;
    int layer;
};

VROCM_DEVICE const vrocm_texture* descriptor(const void* object) { return (const vrocm_texture*)object; }

VROCM_DEVICE unsigned int load_channel(const vrocm_texture* t, unsigned long address) {
    if (t->channel_bits == 32) return *(const unsigned int*)address;
    if (t->channel_bits == 16) {
        if (t->channel_kind == VROCM_CHANNEL_FLOAT)
            return __builtin_bit_cast(unsigned int, (float)*(const _Float16*)address);
        return t->channel_kind == VROCM_CHANNEL_SIGNED ? (unsigned int)(int)*(const short*)address
                                                       : *(const unsigned short*)address;
    }
    return t->channel_kind == VROCM_CHANNEL_SIGNED ? (unsigned int)(int)*(const signed char*)address
                                                   : *(const unsigned char*)address;
}
VROCM_DEVICE Texel load_texel(const vrocm_texture* t, const vrocm_texture_level& level, int x, int y, int z) {
    const unsigned long address = level.data + (unsigned long)z * level.slice_bytes +
                                  (unsigned long)y * level.row_bytes + (unsigned long)x * t->texel_bytes;
    Texel texel = {};
    for (int i = 0; i < t->channels; ++i) texel.channel[i] = load_channel(t, address + i * (t->channel_bits / 8));
    return texel;
}

/* Brings a texel index into [0, size); false when the border colour is meant. */
VROCM_DEVICE bool apply_address_mode(int& index, int size, unsigned int mode, bool normalized) {
    if (index >= 0 && index < size) return true;
    /* Wrapping and mirroring are defined for normalised coordinates only; otherwise they clamp. */
    if (!normalized && mode != hipAddressModeBorder) mode = hipAddressModeClamp;
    switch (mode) {
        case hipAddressModeBorder:
            return false;
        case hipAddressModeWrap: {
            const int rest = index % size;
            index = rest < 0 ? rest + size : rest;
            return true;
        }
        case hipAddressModeMirror: {
            int rest = index % (2 * size);
            rest = rest < 0 ? rest + 2 * size : rest;
            index = rest < size ? rest : 2 * size - 1 - rest;
            return true;
        }
        default:
            index = index < 0 ? 0 : size - 1;
            return true;
    }
}
VROCM_DEVICE Texel border_texel(const vrocm_texture* t) {
    Texel texel;
    for (int i = 0; i < 4; ++i)
        texel.channel[i] = t->channel_kind == VROCM_CHANNEL_FLOAT ? __builtin_bit_cast(unsigned int, t->border[i])
                                                                  : (unsigned int)(int)t->border[i];
    return texel;
}
VROCM_DEVICE Texel texel_at(const vrocm_texture* t, const vrocm_texture_level& level, int x, int y, int z, int layer) {
    const bool normalized = t->normalized_coords;
    if (!apply_address_mode(x, level.width, t->address_mode[0], normalized)) return border_texel(t);
    if (t->dimensions > 1 && !apply_address_mode(y, level.height, t->address_mode[1], normalized))
        return border_texel(t);
    if (t->dimensions > 2) {
        if (!apply_address_mode(z, level.depth, t->address_mode[2], normalized)) return border_texel(t);
        return load_texel(t, level, x, y, z);
    }
    const int last = t->layers > 0 ? (int)t->layers * (t->cubemap ? 6 : 1) - 1 : 0;
    layer = layer < 0 ? 0 : layer > last ? last : layer;
    return load_texel(t, level, x, t->dimensions > 1 ? y : 0, layer);
}

/* A channel as a float: as it is, or scaled to [0, 1] and [-1, 1] in normalised read mode. */
VROCM_DEVICE float as_float(const vrocm_texture* t, unsigned int channel, int index) {
    if (t->channel_kind == VROCM_CHANNEL_FLOAT) return __builtin_bit_cast(float, channel);
    if (t->channel_kind == VROCM_CHANNEL_SIGNED) {
        const float largest = t->channel_bits == 8 ? 127.0f : 32767.0f;
        const float value = (float)(int)channel / largest;
        return value < -1.0f ? -1.0f : value;
    }
    const float value = (float)channel / (t->channel_bits == 8 ? 255.0f : 65535.0f);
    if (!t->srgb || index == 3) return value;
    return value <= 0.04045f ? value / 12.92f : __ocml_pow_f32((value + 0.055f) / 1.055f, 2.4f);
}
VROCM_DEVICE float4 as_floats(const vrocm_texture* t, const Texel& texel) {
    return float4(as_float(t, texel.channel[0], 0), as_float(t, texel.channel[1], 1), as_float(t, texel.channel[2], 2),
                  as_float(t, texel.channel[3], 3));
}
VROCM_DEVICE float4 mix(const float4& a, const float4& b, float weight) { return a + (b - a) * weight; }

/* Texel coordinates of a place in a level. */
VROCM_DEVICE Place in_texels(const vrocm_texture* t, const vrocm_texture_level& level, Place place) {
    if (t->normalized_coords) {
        place.x *= (float)level.width;
        place.y *= (float)level.height;
        place.z *= (float)level.depth;
    }
    return place;
}
VROCM_DEVICE Texel nearest(const vrocm_texture* t, const vrocm_texture_level& level, const Place& place) {
    const Place at = in_texels(t, level, place);
    return texel_at(t, level, (int)__builtin_floorf(at.x), (int)__builtin_floorf(at.y), (int)__builtin_floorf(at.z),
                    at.layer);
}
VROCM_DEVICE float4 linear(const vrocm_texture* t, const vrocm_texture_level& level, const Place& place) {
    const Place at = in_texels(t, level, place);
    const float x = at.x - 0.5f, y = at.y - 0.5f, z = at.z - 0.5f;
    const int i = (int)__builtin_floorf(x), j = (int)__builtin_floorf(y), k = (int)__builtin_floorf(z);
    const float a = x - __builtin_floorf(x), b = y - __builtin_floorf(y), c = z - __builtin_floorf(z);
    float4 slices[2];
    const int depth = t->dimensions > 2 ? 2 : 1, height = t->dimensions > 1 ? 2 : 1;
    for (int dz = 0; dz < depth; ++dz) {
        float4 rows[2];
        for (int dy = 0; dy < height; ++dy)
            rows[dy] = mix(as_floats(t, texel_at(t, level, i, j + dy, k + dz, at.layer)),
                           as_floats(t, texel_at(t, level, i + 1, j + dy, k + dz, at.layer)), a);
        slices[dz] = height == 2 ? mix(rows[0], rows[1], b) : rows[0];
    }
    return depth == 2 ? mix(slices[0], slices[1], c) : slices[0];
}
VROCM_DEVICE bool reads_floats(const vrocm_texture* t) {
    return t->channel_kind == VROCM_CHANNEL_FLOAT || t->read_normalized;
}
VROCM_DEVICE float4 filtered(const vrocm_texture* t, const vrocm_texture_level& level, const Place& place) {
    return t->filter_linear ? linear(t, level, place) : as_floats(t, nearest(t, level, place));
}

/* What a fetch returns: the elements of T, from floats or from the integers in memory. */
template <class T>
struct Result {
    static_assert(std::is_arithmetic<T>::value, "textures hold numbers and vectors of one, two or four numbers");
    VROCM_DEVICE static T from(const float4& value) { return (T)value.x; }
    VROCM_DEVICE static T from(const Texel& texel) { return (T)texel.channel[0]; }
};
template <class E, unsigned int n>
struct Result<HIP_vector_type<E, n>> {
    template <class Element>
    VROCM_DEVICE static HIP_vector_type<E, n> make(Element element) {
        HIP_vector_type<E, n> result;
        for (unsigned int i = 0; i < n; ++i) result[i] = (E)element(i);
        return result;
    }
    VROCM_DEVICE static HIP_vector_type<E, n> from(const float4& value) {
        return make([&](unsigned int i) { return value[i]; });
    }
    VROCM_DEVICE static HIP_vector_type<E, n> from(const Texel& texel) {
        return make([&](unsigned int i) { return texel.channel[i]; });
    }
};
/* Integers keep their bits: a signed element takes the low bits, whatever their sign. */

template <class T>
VROCM_DEVICE T sample_level(const vrocm_texture* t, unsigned int level, const Place& place) {
    if (reads_floats(t)) return Result<T>::from(filtered(t, t->level[level], place));
    return Result<T>::from(nearest(t, t->level[level], place));
}
template <class T>
VROCM_DEVICE T sample(const void* object, const Place& place) {
    return sample_level<T>(descriptor(object), 0, place);
}
template <class T>
VROCM_DEVICE T sample_lod(const void* object, const Place& place, float lod) {
    const vrocm_texture* t = descriptor(object);
    lod += t->level_bias;
    lod = lod < t->min_level ? t->min_level : lod > t->max_level ? t->max_level : lod;
    const float last = (float)(t->levels - 1);
    lod = lod < 0.0f ? 0.0f : lod > last ? last : lod;
    if (!t->mipmap_filter_linear || !reads_floats(t)) return sample_level<T>(t, (unsigned int)(lod + 0.5f), place);
    const unsigned int below = (unsigned int)lod;
    const unsigned int above = below + 1 < t->levels ? below + 1 : below;
    return Result<T>::from(
        mix(filtered(t, t->level[below], place), filtered(t, t->level[above], place), lod - (float)below));
}
/* The level at which a step of the gradient's length is one texel. */
VROCM_DEVICE float lod_of_gradient(const void* object, float4 dx, float4 dy) {
    const vrocm_texture* t = descriptor(object);
    const float4 size = t->normalized_coords ? float4((float)t->level[0].width, (float)t->level[0].height,
                                                      (float)t->level[0].depth, 0.0f)
                                             : float4(1.0f);
    dx *= size;
    dy *= size;
    const float a = dx.x * dx.x + dx.y * dx.y + dx.z * dx.z, b = dy.x * dy.x + dy.y * dy.y + dy.z * dy.z;
    return 0.5f * __ocml_log2_f32(a > b ? a : b);
}
template <class T>
VROCM_DEVICE T fetch(const void* object, int x) {
    const vrocm_texture* t = descriptor(object);
    const bool inside = x >= 0 && x < (int)t->level[0].width;
    const Texel texel = inside ? load_texel(t, t->level[0], x, 0, 0) : Texel{};
    return reads_floats(t) ? Result<T>::from(as_floats(t, texel)) : Result<T>::from(texel);
}
/* One component of the four texels that a linear fetch would mix, counter-clockwise from the lower left. */
template <class T>
VROCM_DEVICE T gather(const void* object, float x, float y, int component) {
    const vrocm_texture* t = descriptor(object);
    const Place at = in_texels(t, t->level[0], Place{x, y, 0.0f, 0});
    const int i = (int)__builtin_floorf(at.x - 0.5f), j = (int)__builtin_floorf(at.y - 0.5f);
    const Texel corners[4] = {texel_at(t, t->level[0], i, j + 1, 0, 0), texel_at(t, t->level[0], i + 1, j + 1, 0, 0),
                              texel_at(t, t->level[0], i + 1, j, 0, 0), texel_at(t, t->level[0], i, j, 0, 0)};
    Texel result;
    for (int n = 0; n < 4; ++n) result.channel[n] = corners[n].channel[component & 3];
    return reads_floats(t) ? Result<T>::from(as_floats(t, result)) : Result<T>::from(result);
}
/* The face a direction points at (+x -x +y -y +z -z) and the place on it, in [0, 1]. */
VROCM_DEVICE Place on_cube(float x, float y, float z, int layer) {
    const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
    int face;
    float s, t, major;
    if (ax >= ay && ax >= az) {
        face = x >= 0 ? 0 : 1;
        s = x >= 0 ? -z : z;
        t = -y;
        major = ax;
    } else if (ay >= az) {
        face = y >= 0 ? 2 : 3;
        s = x;
        t = y >= 0 ? z : -z;
        major = ay;
    } else {
        face = z >= 0 ? 4 : 5;
        s = z >= 0 ? x : -x;
        t = -y;
        major = az;
    }
    return Place{(s / major + 1.0f) * 0.5f, (t / major + 1.0f) * 0.5f, 0.0f, layer * 6 + face};
}

}  // namespace texture
}  // namespace vrocm

#endif

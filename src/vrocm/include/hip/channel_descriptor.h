/* hipCreateChannelDesc: the channel format of a C++ element type. */
#ifndef HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H
#define HIP_INCLUDE_HIP_CHANNEL_DESCRIPTOR_H

#include <hip/amd_detail/host_defines.h>
#include <hip/driver_types.h>

#ifdef __cplusplus
extern "C" HIP_PUBLIC_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                                    enum hipChannelFormatKind f);

namespace hip_detail {

/* The element of a vector type (the type of its member x), or the type itself. */
template <class T, class = void>
struct ChannelElement {
    using type = T;
};
template <class T>
struct ChannelElement<T, decltype(void(T::x))> {
    using type = decltype(T::x);
};

template <class T>
struct ChannelKind { /* class types of two bytes are the half types */
    static constexpr hipChannelFormatKind value = sizeof(T) == 2 ? hipChannelFormatKindFloat : hipChannelFormatKindNone;
};
#define VROCM_CHANNEL_KIND(type, kind)                                   \
    template <>                                                          \
    struct ChannelKind<type> {                                           \
        static constexpr hipChannelFormatKind value = kind;              \
    };
VROCM_CHANNEL_KIND(char, hipChannelFormatKindSigned)
VROCM_CHANNEL_KIND(signed char, hipChannelFormatKindSigned)
VROCM_CHANNEL_KIND(short, hipChannelFormatKindSigned)
VROCM_CHANNEL_KIND(int, hipChannelFormatKindSigned)
VROCM_CHANNEL_KIND(long, hipChannelFormatKindSigned)
VROCM_CHANNEL_KIND(unsigned char, hipChannelFormatKindUnsigned)
VROCM_CHANNEL_KIND(unsigned short, hipChannelFormatKindUnsigned)
VROCM_CHANNEL_KIND(unsigned int, hipChannelFormatKindUnsigned)
VROCM_CHANNEL_KIND(unsigned long, hipChannelFormatKindUnsigned)
VROCM_CHANNEL_KIND(float, hipChannelFormatKindFloat)
#undef VROCM_CHANNEL_KIND

}  // namespace hip_detail

template <class T>
static inline hipChannelFormatDesc hipCreateChannelDesc() {
    using Element = typename hip_detail::ChannelElement<T>::type;
    constexpr hipChannelFormatKind kind = hip_detail::ChannelKind<Element>::value;
    constexpr int bits = kind == hipChannelFormatKindNone ? 0 : static_cast<int>(sizeof(Element) * 8);
    constexpr int channels = static_cast<int>(sizeof(T) / sizeof(Element));
    hipChannelFormatDesc desc = {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 3 ? bits : 0, kind};
    return desc;
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
    hipChannelFormatDesc desc = {16, 0, 0, 0, hipChannelFormatKindFloat};
    return desc;
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf1() { return hipCreateChannelDescHalf(); }
static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
    hipChannelFormatDesc desc = {16, 16, 0, 0, hipChannelFormatKindFloat};
    return desc;
}
static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
    hipChannelFormatDesc desc = {16, 16, 16, 16, hipChannelFormatKindFloat};
    return desc;
}
#else
HIP_PUBLIC_API struct hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                                enum hipChannelFormatKind f);
#endif

#endif

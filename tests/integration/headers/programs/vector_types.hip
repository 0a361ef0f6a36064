// Vector types: layout, operators, constructors, and programs' own operators beside them.
#include <type_traits>

#include "check.h"

#define LAYOUT(T, name)                                                                                    \
    static_assert(sizeof(name##1) == sizeof(T) && sizeof(name##2) == 2 * sizeof(T) &&                      \
                      sizeof(name##3) == 3 * sizeof(T) && sizeof(name##4) == 4 * sizeof(T),                \
                  "size");                                                                                 \
    static_assert(alignof(name##2) == 2 * sizeof(T) && alignof(name##3) == sizeof(T) &&                    \
                      alignof(name##4) == 4 * sizeof(T),                                                   \
                  "alignment");                                                                            \
    static_assert(std::is_trivially_copyable<name##4>::value &&                                            \
                      std::is_trivially_default_constructible<name##4>::value,                             \
                  "trivial");
LAYOUT(char, char)
LAYOUT(unsigned char, uchar)
LAYOUT(short, short)
LAYOUT(unsigned short, ushort)
LAYOUT(int, int)
LAYOUT(unsigned, uint)
LAYOUT(long, long)
LAYOUT(unsigned long, ulong)
LAYOUT(long long, longlong)
LAYOUT(unsigned long long, ulonglong)
LAYOUT(float, float)
LAYOUT(double, double)

// A program's own operator is taken, not the header's.
struct Marked {
    float4 v;
};
inline __host__ __device__ float3 operator*(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
inline __host__ __device__ void operator+=(float3& a, float3 b) {
    a.x += 10 * b.x;
    a.y += 10 * b.y;
    a.z += 10 * b.z;
}

template <class V>
__host__ __device__ inline V arithmetic(V a, V b) {
    V r = (a + b) * 3 - b / 2;
    r += a;
    r -= 1;
    r *= b;
    r = -r + 2 * a - (a - b);
    ++r;
    r--;
    return r;
}
template <class V>
__host__ __device__ inline V bits(V a, V b) {
    V r = ((a & b) | (a ^ b)) + (a << 1) - (b >> 1) + ~a % 7;
    r |= b;
    r ^= 5;
    r <<= 1;
    return r;
}
struct All {
    float4 f4;
    double2 d2;
    int4 i4;
    uint3 u3;
    uchar4 c4;
    longlong2 l2;
    float3 cross;
    int relation;
};
__host__ __device__ inline All compute(int i) {
    All r;
    const float4 fa = make_float4(i, i + 1, i * 2, 3), fb(2.5f);
    r.f4 = arithmetic(fa, fb);
    r.d2 = arithmetic(make_double2(i, -i), make_double2(0.5, 3));
    r.i4 = arithmetic(make_int4(i, i + 1, i + 2, i + 3), int4(7)) + bits(make_int4(i, 2, 3, 4), make_int4(5, 6, 7, i));
    r.u3 = bits(make_uint3(i, 1, 2), make_uint3(3, i, 5));
    r.c4 = make_uchar4(i, 2, 3, 250) + make_uchar4(10, 20, 30, 40);
    r.l2 = arithmetic(make_longlong2(i, 1LL << 40), make_longlong2(2, 3));
    r.cross = make_float3(1, i, 3) * make_float3(4, 5, i);
    r.cross += make_float3(1, 2, 3);
    r.relation = (fa == fb) | (fa != fb) << 1 | (int4(i) == i) << 2 | (int2{1, 2} == make_int2(1, 2)) << 3;
    float4 brace = {1, 2, 3, 4};
    brace.x += fa[1];
    brace[2] = brace.w;
    r.f4 += brace;
    return r;
}

int main() {
    constexpr float4 constant = make_float4(1, 2, 3, 4);
    static_assert(constant.z == 3 && (constant + constant).w == 8, "usable in constant expressions");
    const int n = 300;
    DeviceArray<All> out(n);
    All* po = out;
    for_each(n, [=] __device__(int i) { po[i] = compute(i); });
    const std::vector<All> got = out.read();
    for (int i = 0; i < n; ++i) {
        const All want = compute(i);
        EXPECT(got[i].f4 == want.f4);
        EXPECT(got[i].d2 == want.d2);
        EXPECT(got[i].i4 == want.i4);
        EXPECT(got[i].u3 == want.u3);
        EXPECT(got[i].c4 == want.c4);
        EXPECT(got[i].l2 == want.l2);
        EXPECT(got[i].cross == want.cross);
        EXPECT(got[i].relation == want.relation);
    }
    // Against plain arithmetic, for one case by hand.
    const float4 r = arithmetic(make_float4(4, 5, 6, 7), float4(2.0f));
    EXPECT(r.x == -((6 * 3 - 1 + 4 - 1) * 2.0f) + 8 - 2);
    const float3 cross = make_float3(1, 0, 0) * make_float3(0, 1, 0);
    EXPECT(cross.x == 0 && cross.y == 0 && cross.z == 1);
    EXPECT(make_uchar4(250, 0, 0, 0).x + 10 == 260 && (make_uchar4(250, 0, 0, 0) + make_uchar4(10, 0, 0, 0)).x == 4);
    return finish();
}

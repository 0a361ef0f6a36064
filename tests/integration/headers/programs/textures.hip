// Texture and surface objects: fetches, addressing, filtering, read modes, layers, references.
#include "check.h"

constexpr int kWidth = 8, kHeight = 4;

static float texel(int x, int y) { return (float)(x + 10 * y); }

static hipTextureObject_t make_texture(hipArray_t array, hipTextureAddressMode address, hipTextureFilterMode filter,
                                       hipTextureReadMode read, bool normalized) {
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc description = {};
    for (auto& mode : description.addressMode) mode = address;
    description.filterMode = filter;
    description.readMode = read;
    description.normalizedCoords = normalized;
    for (float& value : description.borderColor) value = 7.0f;
    hipTextureObject_t texture;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    return texture;
}

__global__ void sample(hipTextureObject_t texture, const float2* where, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex2D<float>(texture, where[i].x, where[i].y);
}
static std::vector<float> sampled(hipTextureObject_t texture, const std::vector<float2>& where) {
    DeviceArray<float2> places(where);
    DeviceArray<float> out(where.size());
    sample<<<1, 64>>>(texture, places, out, (int)where.size());
    return out.read();
}

__global__ void bytes(hipTextureObject_t element, hipTextureObject_t normalized, float* out) {
    const uchar4 raw = tex2D<uchar4>(element, 1.5f, 0.5f);
    const float4 scaled = tex2D<float4>(normalized, 1.5f, 0.5f);
    out[0] = raw.x, out[1] = raw.y, out[2] = raw.w;
    out[3] = scaled.x, out[4] = scaled.w;
}
__global__ void linear_memory(hipTextureObject_t texture, int* out) { out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x); }
__global__ void surface(hipSurfaceObject_t object, float* out) {
    float value;
    surf2Dread(&value, object, (int)(threadIdx.x * sizeof(float)), 1);
    out[threadIdx.x] = value;
    surf2Dwrite(value * 2, object, (int)(threadIdx.x * sizeof(float)), 2);
}

int main() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    hipArray_t array;
    HIP_CHECK(hipMallocArray(&array, &format, kWidth, kHeight, hipArraySurfaceLoadStore));
    std::vector<float> image(kWidth * kHeight);
    for (int i = 0; i < kWidth * kHeight; ++i) image[i] = texel(i % kWidth, i / kWidth);
    HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, image.data(), kWidth * sizeof(float), kWidth * sizeof(float), kHeight,
                                 hipMemcpyHostToDevice));
    {
        const std::vector<float2> where = {{0.5f, 0.5f}, {3.9f, 2.1f}, {-5.0f, 1.0f}, {100.0f, 100.0f}};
        std::vector<float> got =
            sampled(make_texture(array, hipAddressModeClamp, hipFilterModePoint, hipReadModeElementType, false), where);
        EXPECT(got[0] == texel(0, 0) && got[1] == texel(3, 2) && got[2] == texel(0, 1) && got[3] == texel(7, 3));
        got = sampled(make_texture(array, hipAddressModeBorder, hipFilterModePoint, hipReadModeElementType, false), where);
        EXPECT(got[0] == texel(0, 0) && got[2] == 7.0f && got[3] == 7.0f);
        got = sampled(make_texture(array, hipAddressModeClamp, hipFilterModeLinear, hipReadModeElementType, false),
                      {{1.0f, 0.5f}, {2.75f, 1.5f}, {4.0f, 2.0f}, {0.0f, 0.5f}});
        EXPECT(got[0] == 0.5f && got[1] == texel(2, 1) + 0.25f && got[2] == 3.5f + 15.0f && got[3] == 0.0f);
    }
    {
        const std::vector<float2> where = {{0.5f / 8, 0.5f / 4}, {1.5f / 8 + 1, 0.5f / 4}, {-0.5f / 8, 0.5f / 4},
                                           {1.0f + 0.5f / 8, -1.5f / 4}};
        std::vector<float> got =
            sampled(make_texture(array, hipAddressModeWrap, hipFilterModePoint, hipReadModeElementType, true), where);
        EXPECT(got[0] == texel(0, 0) && got[1] == texel(1, 0) && got[2] == texel(7, 0) && got[3] == texel(0, 2));
        got = sampled(make_texture(array, hipAddressModeMirror, hipFilterModePoint, hipReadModeElementType, true), where);
        EXPECT(got[1] == texel(6, 0) && got[2] == texel(0, 0) && got[3] == texel(7, 1));
    }
    {
        const hipChannelFormatDesc four = hipCreateChannelDesc<uchar4>();
        hipArray_t pixels;
        HIP_CHECK(hipMallocArray(&pixels, &four, 4, 1, 0));
        const uchar4 host[4] = {make_uchar4(0, 0, 0, 0), make_uchar4(255, 51, 0, 102), {}, {}};
        HIP_CHECK(hipMemcpy2DToArray(pixels, 0, 0, host, sizeof(host), sizeof(host), 1, hipMemcpyHostToDevice));
        DeviceArray<float> out(5);
        bytes<<<1, 1>>>(make_texture(pixels, hipAddressModeClamp, hipFilterModePoint, hipReadModeElementType, false),
                        make_texture(pixels, hipAddressModeClamp, hipFilterModeLinear, hipReadModeNormalizedFloat, false), out);
        const std::vector<float> got = out.read();
        EXPECT(got[0] == 255 && got[1] == 51 && got[2] == 102);
        EXPECT(got[3] == 1.0f && std::fabs(got[4] - 0.4f) < 1e-6f);
    }
    {
        std::vector<int> host(32);
        for (int i = 0; i < 32; ++i) host[i] = i * i - 100;
        DeviceArray<int> memory(host), out(40);
        hipResourceDesc resource = {};
        resource.resType = hipResourceTypeLinear;
        resource.res.linear.devPtr = (int*)memory;
        resource.res.linear.desc = hipCreateChannelDesc<int>();
        resource.res.linear.sizeInBytes = host.size() * sizeof(int);
        hipTextureDesc description = {};
        hipTextureObject_t texture;
        HIP_CHECK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
        linear_memory<<<1, 40>>>(texture, out);
        const std::vector<int> got = out.read();
        for (int i = 0; i < 40; ++i) EXPECT(got[i] == (i < 32 ? host[i] : 0));
        HIP_CHECK(hipDestroyTextureObject(texture));
    }
    {
        hipResourceDesc resource = {};
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = array;
        hipSurfaceObject_t object;
        HIP_CHECK(hipCreateSurfaceObject(&object, &resource));
        DeviceArray<float> out(10);
        surface<<<1, 10>>>(object, out);  // two threads are outside
        const std::vector<float> got = out.read();
        for (int i = 0; i < 10; ++i) EXPECT(got[i] == (i < kWidth ? texel(i, 1) : 0.0f));
        std::vector<float> back(kWidth * kHeight);
        HIP_CHECK(hipMemcpy2DFromArray(back.data(), kWidth * sizeof(float), array, 0, 0, kWidth * sizeof(float), kHeight,
                                       hipMemcpyDeviceToHost));
        for (int i = 0; i < kWidth * kHeight; ++i)
            EXPECT(back[i] == (i / kWidth == 2 ? 2 * texel(i % kWidth, 1) : image[i]));
    }
    return finish();
}

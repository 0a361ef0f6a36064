// Texture objects over linear memory, pitched memory and arrays.
#include <hip/hip_runtime.h>

#include "check.h"

__global__ void fetch(hipTextureObject_t texture, float* out) { out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x); }
__global__ void sample(hipTextureObject_t texture, const float2* at, float* out) {
    float2 where = at[threadIdx.x];
    out[threadIdx.x] = tex2D<float>(texture, where.x, where.y);
}

static float* device_copy(const std::vector<float>& values) {
    float* p;
    OK(hipMalloc(&p, values.size() * 4));
    OK(hipMemcpy(p, values.data(), values.size() * 4, hipMemcpyHostToDevice));
    return p;
}

static std::vector<float> sampled(hipTextureObject_t texture, const std::vector<float2>& points) {
    float2* at;
    float* out;
    std::vector<float> got(points.size());
    OK(hipMalloc(&at, points.size() * sizeof(float2)));
    OK(hipMalloc(&out, points.size() * 4));
    OK(hipMemcpy(at, points.data(), points.size() * sizeof(float2), hipMemcpyHostToDevice));
    sample<<<1, static_cast<unsigned>(points.size())>>>(texture, at, out);
    OK(hipMemcpy(got.data(), out, got.size() * 4, hipMemcpyDeviceToHost));
    OK(hipFree(at));
    OK(hipFree(out));
    return got;
}

static void linear() {
    std::vector<float> values = {1, 4, 9, 16}, got(4);
    float *data = device_copy(values), *out;
    OK(hipMalloc(&out, 16));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = hipCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = 16;
    hipTextureDesc description{};
    hipTextureObject_t texture;
    OK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    fetch<<<1, 4>>>(texture, out);
    OK(hipMemcpy(got.data(), out, 16, hipMemcpyDeviceToHost));
    CHECK(got == values);
    hipResourceDesc same;
    OK(hipGetTextureObjectResourceDesc(&same, texture));
    CHECK(same.res.linear.devPtr == data);
    OK(hipDestroyTextureObject(texture));
    GIVES(hipErrorInvalidValue, hipDestroyTextureObject(texture));
    OK(hipFree(data));
    OK(hipFree(out));
}

static void two_dimensions() {
    hipArray_t array;
    hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    OK(hipMallocArray(&array, &format, 4, 2));
    float picture[2][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}};
    OK(hipMemcpy2DToArray(array, 0, 0, picture, 16, 16, 2, hipMemcpyHostToDevice));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc description{};
    description.addressMode[0] = description.addressMode[1] = hipAddressModeClamp;
    hipTextureObject_t texture;
    OK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    std::vector<float> got = sampled(texture, {{0.5f, 0.5f}, {2.5f, 1.5f}, {-5.0f, 0.0f}, {9.0f, 9.0f}});
    CHECK(got[0] == 0 && got[1] == 12 && got[2] == 0 && got[3] == 13);
    OK(hipDestroyTextureObject(texture));
    description.filterMode = hipFilterModeLinear;
    OK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    got = sampled(texture, {{1.0f, 0.5f}, {2.0f, 1.0f}});
    CHECK(std::fabs(got[0] - 0.5f) < 1e-2f && std::fabs(got[1] - 6.5f) < 1e-2f);
    OK(hipDestroyTextureObject(texture));
    description.normalizedCoords = 1;
    description.filterMode = hipFilterModePoint;
    description.addressMode[0] = description.addressMode[1] = hipAddressModeWrap;
    OK(hipCreateTextureObject(&texture, &resource, &description, nullptr));
    got = sampled(texture, {{0.9f, 0.9f}, {1.1f, 0.1f}});
    CHECK(got[0] == 13 && got[1] == 0);
    OK(hipDestroyTextureObject(texture));
    OK(hipFreeArray(array));
}

int main() {
    linear();
    two_dimensions();
    return finish();
}

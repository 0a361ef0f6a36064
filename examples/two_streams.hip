// A pipeline over two streams: chunks are copied in, scaled and copied out on alternating streams; a final kernel
// on the first stream waits for the second through an event. Shows copies, kernels, events and pinned memory.
#include "check.h"

__global__ void scale(float* data, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

__global__ void add_halves(float* data, int half) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < half) data[i] += data[half + i];
}

int main() {
    const int chunk = 65536, chunks = 4, n = chunk * chunks;
    std::vector<float> in = noise(n, 14), want(n / 2);
    for (int i = 0; i < n / 2; ++i) want[i] = 3 * in[i] + 3 * in[n / 2 + i];

    float *pinned = nullptr, *device = nullptr;
    HIP_CHECK(hipHostMalloc(&pinned, n * sizeof(float)));
    HIP_CHECK(hipMalloc(&device, n * sizeof(float)));
    std::copy(in.begin(), in.end(), pinned);
    hipStream_t stream[2];
    hipEvent_t begin, end, second_done;
    for (hipStream_t& s : stream) HIP_CHECK(hipStreamCreate(&s));
    for (hipEvent_t* event : {&begin, &end, &second_done}) HIP_CHECK(hipEventCreate(event));

    HIP_CHECK(hipEventRecord(begin, stream[0]));
    for (int c = 0; c < chunks; ++c) {
        hipStream_t s = stream[c % 2];
        HIP_CHECK(hipMemcpyAsync(device + c * chunk, pinned + c * chunk, chunk * sizeof(float), hipMemcpyHostToDevice, s));
        scale<<<chunk / 256, 256, 0, s>>>(device + c * chunk, 3.0f, chunk);
    }
    HIP_CHECK(hipEventRecord(second_done, stream[1]));
    HIP_CHECK(hipStreamWaitEvent(stream[0], second_done, 0));
    add_halves<<<n / 2 / 256, 256, 0, stream[0]>>>(device, n / 2);
    HIP_CHECK(hipMemcpyAsync(pinned, device, n / 2 * sizeof(float), hipMemcpyDeviceToHost, stream[0]));
    HIP_CHECK(hipEventRecord(end, stream[0]));
    HIP_CHECK(hipEventSynchronize(end));
    float milliseconds = -1;
    HIP_CHECK(hipEventElapsedTime(&milliseconds, begin, end));

    std::vector<float> got(pinned, pinned + n / 2);
    for (hipStream_t s : stream) HIP_CHECK(hipStreamDestroy(s));
    for (hipEvent_t event : {begin, end, second_done}) HIP_CHECK(hipEventDestroy(event));
    HIP_CHECK(hipHostFree(pinned));
    HIP_CHECK(hipFree(device));
    if (!(milliseconds > 0)) return std::puts("two_streams  FAIL  (no elapsed time)"), 1;
    return verdict("two_streams", got, want, 1e-6);
}

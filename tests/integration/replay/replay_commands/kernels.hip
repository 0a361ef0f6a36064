// Kernels of every kind that a proof has to tell apart; the first argument says which one runs.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                   \
    do {                                                                              \
        const hipError_t status = (call);                                             \
        if (status != hipSuccess) {                                                   \
            std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status));       \
            std::exit(1);                                                             \
        }                                                                             \
    } while (0)

struct Body {
    float mass;
    int id;
    double position[2];
};

#ifndef FACTOR
#define FACTOR 2.0f
#endif

// Only writes its output.
__global__ void scale(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = FACTOR * x[i];
}

// Reads what it overwrites.
__global__ void update(float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = out[i] * 2 + 1;
}

// A sum whose order nobody promises.
__global__ void add_up(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out, x[i]);
}

// The last workgroup wins.
__global__ void race(const float* x, float* out, int n) {
    out[0] = static_cast<float>(blockIdx.x);
}

__global__ void move(Body* bodies, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bodies[i].position[0] += bodies[i].mass;
        bodies[i].id += 1;
    }
}

__device__ float totals[4];

__global__ void count(int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&totals[i % 4], 1.0f);
}

struct Options {
    int n;
    float value;
};

__global__ void fill(float* out, Options options) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < options.n) out[i] = options.value;
}

struct Problem {
    const float* input;
    int n;
    float* result;
};

__global__ void through(Problem problem) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < problem.n) problem.result[i] = problem.input[i] + 1;
}

// Leaves memory as it is.
__global__ void look(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] < 0) out[i] = 0;
}

int main(int argc, char** argv) {
    const int n = 10'000;
    const int groups = (n + 255) / 256;
    float* host = static_cast<float*>(std::malloc(n * sizeof(float)));
    for (int i = 0; i < n; ++i) host[i] = static_cast<float>((i * 7919) % 1000) * 0.001f + 0.5f;
    float *x, *out, *unused;
    Body* bodies;
    CHECK(hipMalloc(&x, n * sizeof(float)));
    CHECK(hipMalloc(&unused, 4 << 20));
    CHECK(hipMalloc(&out, n * sizeof(float)));
    CHECK(hipMalloc(&bodies, n * sizeof(Body)));
    CHECK(hipMemcpy(x, host, n * sizeof(float), hipMemcpyHostToDevice));
    CHECK(hipMemset(unused, 0x5a, 4 << 20));
    CHECK(hipMemset(out, 0, n * sizeof(float)));
    CHECK(hipMemset(bodies, 0x3c, n * sizeof(Body)));
    const char* which = argc > 1 ? argv[1] : "scale";
    for (int round = 0; round < 2; ++round) {
        if (!std::strcmp(which, "scale")) scale<<<groups, 256>>>(x, out, n);
        if (!std::strcmp(which, "update")) update<<<groups, 256>>>(out, n);
        if (!std::strcmp(which, "add_up")) add_up<<<groups, 256>>>(x, out, n);
        if (!std::strcmp(which, "race")) race<<<groups, 256>>>(x, out, n);
        if (!std::strcmp(which, "move")) move<<<groups, 256>>>(bodies, n);
        Options options{};
        options.n = n;
        options.value = 3;
        if (!std::strcmp(which, "fill")) fill<<<groups, 256>>>(out, options);
        if (!std::strcmp(which, "count")) count<<<groups, 256>>>(n);
        if (!std::strcmp(which, "through")) through<<<groups, 256>>>(Problem{x, n, out});
        if (!std::strcmp(which, "look")) look<<<groups, 256>>>(x, out, n);
        CHECK(hipDeviceSynchronize());
    }
    return 0;
}

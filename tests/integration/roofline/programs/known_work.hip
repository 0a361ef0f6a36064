// Kernels whose operations and bytes can be worked out by hand; the argument chooses one, which runs twice.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                                             \
    do {                                                                        \
        hipError_t status = (call);                                             \
        if (status != hipSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status)); \
            return 1;                                                           \
        }                                                                       \
    } while (0)

constexpr int kThreads = 256;
constexpr int kBlocks = 608;  // two for each compute unit of an MI300X
constexpr int kRounds = 32;

// Reads and writes 8 bytes a thread.
__global__ void copy_doubles(double* out, const double* in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

// 8 chains of kRounds fused multiply-adds a thread: 2 * 8 * kRounds operations.
__global__ void fma_f32(float* out, float a, float b) {
    float x[8];
    for (int k = 0; k < 8; ++k) x[k] = threadIdx.x + k;
    for (int round = 0; round < kRounds; ++round) {
        for (int k = 0; k < 8; ++k) {
            // Written as an instruction: the compiler must neither pack two of them nor leave any out.
            asm volatile("v_fma_f32 %0, %0, %1, %2" : "+v"(x[k]) : "v"(a), "v"(b));
        }
    }
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum = __builtin_fmaxf(sum, x[k]);
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

using half4 = _Float16 __attribute__((ext_vector_type(4)));
using float16 = float __attribute__((ext_vector_type(16)));

// kRounds * 2 matrix instructions a wave, of 32 * 32 * 8 * 2 operations each.
__global__ void mfma_f16(float* out, float a) {
    half4 left = {_Float16(a), _Float16(a), _Float16(a), _Float16(a)};
    float16 even = {}, odd = {a};  // not the same: the compiler would do it once
    for (int round = 0; round < kRounds; ++round) {
        even = __builtin_amdgcn_mfma_f32_32x32x8f16(left, left, even, 0, 0, 0);
        odd = __builtin_amdgcn_mfma_f32_32x32x8f16(left, left, odd, 0, 0, 0);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = even[0] + odd[1];
}

// kRounds / 2 * 4 reads of 4 bytes a thread from the LDS, each from a bank of its own, and one write.
__global__ void lds_reads(int* out) {
    __shared__ int shared[kThreads];
    shared[threadIdx.x] = threadIdx.x;
    __syncthreads();
    int sum = 0;
    volatile int* words = shared;
    for (int round = 0; round < kRounds / 2; ++round) {
        for (int k = 0; k < 4; ++k) sum += words[(threadIdx.x + 64 * k) % kThreads];
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char** argv) {
    const char* which = argc > 1 ? argv[1] : "";
    constexpr int kDoubles = 1 << 20;
    double *in, *out;
    CHECK(hipMalloc(&in, kDoubles * sizeof(double)));
    CHECK(hipMalloc(&out, kDoubles * sizeof(double)));
    CHECK(hipMemset(in, 0, kDoubles * sizeof(double)));
    for (int launch = 0; launch < 2; ++launch) {
        if (!std::strcmp(which, "copy"))
            copy_doubles<<<kDoubles / kThreads, kThreads>>>(out, in);
        else if (!std::strcmp(which, "fma"))
            fma_f32<<<kBlocks, kThreads>>>((float*)out, 0.5f, 0.25f);
        else if (!std::strcmp(which, "mfma"))
            mfma_f16<<<kBlocks, kThreads>>>((float*)out, 0.5f);
        else if (!std::strcmp(which, "lds"))
            lds_reads<<<kBlocks, kThreads>>>((int*)out);
        else
            return 2;
    }
    CHECK(hipDeviceSynchronize());
    return 0;
}

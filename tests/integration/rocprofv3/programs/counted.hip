// Kernels of which every counter can be worked out by hand: their instructions are written out.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

#define CHECK(call)                                                        \
    do {                                                                   \
        const hipError_t status = (call);                                  \
        if (status != hipSuccess) {                                        \
            std::printf("%s: %s\n", #call, hipGetErrorString(status));     \
            return 1;                                                      \
        }                                                                  \
    } while (0)
#define RUN(text) \
    asm volatile(text :: \
                 : "v0", "v1", "v2", "v3", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "s10", "s11", "s12", \
                   "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12", "a13", "a14", "a15")

// 3 + 2 + 1 of addition, 2 of multiplication, 2 of multiply-add, 1 transcendental of each type, 2 conversions, ...
__global__ void typed() {
    RUN("v_add_f32 v10, v11, v12\n v_sub_f32 v10, v11, v12\n v_subrev_f32 v10, v11, v12");
    RUN("v_add_f16 v10, v11, v12\n v_pk_add_f16 v10, v11, v12");
    RUN("v_add_f64 v[10:11], v[12:13], v[14:15]");
    RUN("v_mul_f32 v10, v11, v12\n v_pk_mul_f32 v[10:11], v[12:13], v[14:15]");
    RUN("v_mul_f16 v10, v11, v12");
    RUN("v_mul_f64 v[10:11], v[12:13], v[14:15]");
    RUN("v_fma_f32 v10, v11, v12, v13\n v_fmac_f32 v10, v11, v12\n v_pk_fma_f32 v[10:11], v[12:13], v[14:15], v[16:17]");
    RUN("v_fma_f16 v10, v11, v12, v13");
    RUN("v_fma_f64 v[10:11], v[12:13], v[14:15], v[16:17]\n v_fmac_f64 v[10:11], v[12:13], v[14:15]");
    RUN("v_rcp_f32 v10, v11\n v_exp_f32 v10, v11\n v_sqrt_f16 v10, v11\n v_rsq_f64 v[10:11], v[12:13]");
    RUN("v_cvt_f32_i32 v10, v11\n v_cvt_f64_f32 v[10:11], v12");
    RUN("v_add_u32 v10, v11, v12\n v_mul_lo_u32 v10, v11, v12\n v_ashrrev_i32 v10, v11, v12");
    RUN("v_mad_u64_u32 v[10:11], s[10:11], v12, v13, v[14:15]\n v_and_b32 v10, v11, v12\n v_mov_b32 v10, v11");
    RUN("s_add_u32 s10, s11, s12\n s_mul_i32 s10, s11, s12\n s_nop 0\n s_branch 0\n s_sleep 1");
}

// Lanes below `lanes` add four times.
__global__ void divergent(unsigned lanes) {
    if (threadIdx.x < lanes) RUN("v_add_f32 v10, v11, v12\n v_add_f32 v10, v11, v12\n v_add_f32 v10, v11, v12\n"
                                 "v_add_f32 v10, v11, v12");
}

// ds_read_b32 of lane * stride, then an atomic of all lanes on one dword, with and without result.
__global__ void local(unsigned stride) {
    __shared__ unsigned place[4096];
    const unsigned at = threadIdx.x * stride * 4;
    asm volatile("ds_read_b32 v10, %0\n s_waitcnt lgkmcnt(0)" ::"v"(at), "v"(&place[0]) : "v10");
}
__global__ void local_wide() {
    __shared__ unsigned place[4096];
    const unsigned at = threadIdx.x * 16;
    asm volatile("ds_read_b128 v[10:13], %0\n ds_read2_b32 v[14:15], %0 offset1:1\n s_waitcnt lgkmcnt(0)" ::"v"(at),
                 "v"(&place[0])
                 : "v10", "v11", "v12", "v13", "v14", "v15");
}
__global__ void local_atomic() {
    __shared__ unsigned place[64];
    const unsigned at = 0;
    asm volatile("ds_add_u32 %0, %0\n ds_add_rtn_u32 v10, %0, %0\n s_waitcnt lgkmcnt(0)" ::"v"(at), "v"(&place[0])
                 : "v10");
}

// A load and a store of a dword, `stride` dwords from lane to lane.
__global__ void strided(const unsigned* from, unsigned* to, unsigned stride) {
    const size_t at = size_t{blockIdx.x * blockDim.x + threadIdx.x} * stride;
    to[at] = from[at];
}

__global__ void adding(unsigned* to, unsigned stride) {
    __hip_atomic_fetch_add(&to[threadIdx.x * stride], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
__global__ void drawing(unsigned* to, unsigned stride, unsigned* old) {
    old[threadIdx.x] =
        __hip_atomic_fetch_add(&to[threadIdx.x * stride], 1u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// A flat load that means the LDS, and one that means memory.
__global__ void flat(const unsigned* memory) {
    __shared__ unsigned place[64];
    const unsigned* local = &place[threadIdx.x];
    asm volatile("flat_load_dword v10, %0\n flat_load_dword v10, %1\n s_waitcnt vmcnt(0) lgkmcnt(0)" ::"v"(local),
                 "v"(memory + threadIdx.x)
                 : "v10");
}

__global__ void matrix() {
    RUN("v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]");
    RUN("v_mfma_f32_16x16x16f16 a[0:3], v[0:1], v[2:3], a[0:3]");
    RUN("v_mfma_f32_32x32x2f32 a[0:15], v0, v1, a[0:15]");
    RUN("v_mfma_f32_4x4x1f32 a[0:3], v0, v1, a[0:3]");
    RUN("v_mfma_f64_16x16x4f64 a[0:7], v[0:1], v[2:3], a[0:7]");
    RUN("v_mfma_f32_32x32x8bf16_1k a[0:15], v[0:1], v[2:3], a[0:15]");
#if defined(__gfx942__)
    RUN("v_mfma_i32_32x32x16_i8 a[0:15], v[0:1], v[2:3], a[0:15]");
    RUN("v_mfma_f32_32x32x16_fp8_fp8 a[0:15], v[0:1], v[2:3], a[0:15]");
    RUN("v_mfma_f32_16x16x32_bf8_fp8 a[0:3], v[0:1], v[2:3], a[0:3]");
    RUN("v_mfma_f32_16x16x8_xf32 a[0:3], v[0:1], v[2:3], a[0:3]");
#else
    RUN("v_mfma_i32_32x32x8i8 a[0:15], v0, v1, a[0:15]");
#endif
}

// A loop long enough that only a part of the grid is simulated in time.
__global__ void looping(const float* from, float* to, unsigned rounds) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = from[at];
    for (unsigned i = 0; i < rounds; ++i) asm volatile("v_add_f32 %0, %0, %0\n v_mul_f32 %0, %0, %0" : "+v"(sum));
    to[at] = sum;
}

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "looping") == 0) {
        const unsigned blocks = 8192;
        float *from, *to;
        CHECK(hipMalloc(&from, blocks * 256 * 4));
        CHECK(hipMalloc(&to, blocks * 256 * 4));
        looping<<<blocks, 256>>>(from, to, 60);
        CHECK(hipDeviceSynchronize());
        return 0;
    }
    if (argc > 1 && std::strcmp(argv[1], "streams") == 0) {
        float* place;
        hipStream_t streams[2];
        CHECK(hipMalloc(&place, 2 * 64 * 4));
        for (hipStream_t& stream : streams) CHECK(hipStreamCreate(&stream));
        for (unsigned i = 0; i < 4; ++i)
            looping<<<1, 64, 0, streams[i % 2]>>>(place + i % 2 * 64, place + i % 2 * 64, 5000);
        CHECK(hipDeviceSynchronize());
        return 0;
    }
    unsigned *a, *b, *c;
    CHECK(hipMalloc(&a, 1 << 20));
    CHECK(hipMalloc(&b, 1 << 20));
    CHECK(hipMalloc(&c, 1 << 20));
    typed<<<3, 96>>>();
    divergent<<<1, 64>>>(10);
    local<<<1, 64>>>(1);
    local<<<1, 64>>>(2);
    local<<<1, 64>>>(32);
    local_wide<<<1, 64>>>();
    local_atomic<<<1, 64>>>();
    strided<<<2, 256>>>(a, b, 1);
    strided<<<1, 64>>>(a, b, 64);
    adding<<<1, 64>>>(c, 0);
    adding<<<1, 64>>>(c, 64);
    drawing<<<1, 64>>>(c, 64, a);
    flat<<<1, 64>>>(a);
    matrix<<<2, 128>>>();
    CHECK(hipDeviceSynchronize());
    return 0;
}

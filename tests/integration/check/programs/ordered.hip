// Orders that barriers do not give: the last workgroup adds what the others left, flags in global memory, threads that
// have returned before a barrier, the same value written by many, padding of structures.
#include "run.h"

__device__ unsigned arrived;

__global__ void last_block_adds(const int* in, int* partial, int* out) {
    __shared__ int sum;
    __shared__ bool last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned i = 0; i < gridDim.x; ++i) total += partial[i];
        *out = total;
    }
}

__global__ void returns_early(int* x, int count) {
    __shared__ int line[256];
    const int i = threadIdx.x;
    if (i >= count) return;
    line[i] = x[i];
    __syncthreads();
    x[i] = line[count - 1 - i];
}

__global__ void marks(int* found, const int* x) {
    if (x[blockIdx.x * blockDim.x + threadIdx.x] >= 0) *found = 1;
}

struct Padded {
    char tag;
    int number;
};
__global__ void copies(const Padded* from, Padded* to) {
    __shared__ Padded line[64];
    line[threadIdx.x].tag = from[threadIdx.x].tag;
    line[threadIdx.x].number = from[threadIdx.x].number;
    __syncthreads();
    to[threadIdx.x] = line[63 - threadIdx.x];
}

struct Wide {  // 8 bytes of padding at the end
    double4 place;
    double3 speed;
};
__global__ void moves(const Wide* from, Wide* to) {
    Wide one = from[threadIdx.x];
    one.place.x += one.speed.x;
    to[threadIdx.x] = one;
}

int main() {
    int *in = device<int>(1024), *partial = nullptr, *out = nullptr, *found = device<int>(1);
    require(hipMalloc(&partial, 4 * sizeof(int)));
    require(hipMalloc(&out, sizeof(int)));
    last_block_adds<<<4, 256>>>(in, partial, out);
    returns_early<<<1, 256>>>(in, 100);
    marks<<<4, 256>>>(found, in);
    Padded *from = device<Padded>(64), *to = nullptr;
    require(hipMalloc(&to, 64 * sizeof(Padded)));
    copies<<<1, 64>>>(from, to);
    Wide *a = device<Wide>(64), *b = nullptr;
    require(hipMalloc(&b, 64 * sizeof(Wide)));
    moves<<<1, 64>>>(a, b);
    moves<<<1, 64>>>(b, a);
    require(hipDeviceSynchronize());
    require(hipFree(a));
    require(hipFree(b));
    for (void* memory : {(void*)in, (void*)partial, (void*)out, (void*)found, (void*)from, (void*)to})
        require(hipFree(memory));
}

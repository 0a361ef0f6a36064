// Reads 16 bytes a lane from the LDS, in order, without conflicts.
#include "launch.h"

using Word4 = unsigned __attribute__((ext_vector_type(4)));

constexpr int kReads = 8;  // in a round

template <Launch kLaunch>
__global__ void lds(void* out, long rounds) {
    __shared__ Word4 words[kThreads];
    words[threadIdx.x] = Word4{threadIdx.x};
    __syncthreads();
    // Addresses of the LDS are the lower half of generic ones.
    unsigned address = (unsigned)(unsigned long)&words[threadIdx.x];
    Word4 x[4] = {};
    for (long round = 0; round < rounds; ++round) {
        asm volatile(
            "ds_read_b128 %0, %4\n"
            "ds_read_b128 %1, %4\n"
            "ds_read_b128 %2, %4\n"
            "ds_read_b128 %3, %4\n"
            "ds_read_b128 %0, %4\n"
            "ds_read_b128 %1, %4\n"
            "ds_read_b128 %2, %4\n"
            "ds_read_b128 %3, %4\n"
            "s_waitcnt lgkmcnt(0)"
            : "=&v"(x[0]), "=&v"(x[1]), "=&v"(x[2]), "=&v"(x[3])
            : "v"(address)
            : "memory");
    }
    if (out == nullptr) return;  // as it is: nothing is written
    for (int part = 0; part < 4; ++part) ((Word4*)out)[part * kThreads + threadIdx.x] = x[part];
}

int main(int argc, char** argv) {
    void* out = nullptr;
    constexpr long kRounds = 4;
    RUN_ROUNDS(lds, compute_units() * 2, (double)kThreads * sizeof(Word4) * kReads, out, kRounds)
    return 0;
}

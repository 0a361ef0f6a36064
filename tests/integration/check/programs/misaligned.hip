// A word is read from an odd address.
#include "run.h"

__global__ void pick(const char* bytes, int* words, int offset) {
    const int i = threadIdx.x;
    words[i] = *reinterpret_cast<const int*>(bytes + 8 * i + offset);
}

int main() {
    char* bytes = device<char>(1024, 1);
    int* words = device<int>(64);
    pick<<<1, 64>>>(bytes, words, kDefect ? 1 : 4);
    require(hipDeviceSynchronize());
    require(hipFree(bytes));
    require(hipFree(words));
}

// Device printf: the test compares standard output with what C's printf gives for the same calls.
#include <hip/hip_runtime.h>

#include <cstdio>

#define LINES(print, text, pointer)                                            \
    print("plain\n");                                                          \
    print("%d %i %5d|%-5d|%05d|%+d\n", 1, -2, 3, 4, 5, 6);                     \
    print("%u %x %X %#o %hhd %hd\n", 7u, 255u, 255u, 8u, 300, 70000);          \
    print("%ld %lld %lu %zu\n", -1L, -9876543210LL, 5UL, sizeof(int));         \
    print("%f %.3f %10.2e|%g %G %a\n", 1.5, 3.14159, 12345.678, 1e-7, 1e20, 0.5); \
    print("%c%c%c %%|%s|%10s|%-6s|%.2s\n", 'a', 'b', 'c', "str", "right", "left", "cut"); \
    print("%*d %.*f\n", 6, 42, 2, 2.71828);                                    \
    print("%s %p\n", text, pointer);

__global__ void on_device(const char* text, void* pointer) { LINES(printf, text, pointer) }
__global__ void in_order() { printf("thread %d of block %d\n", static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x)); }
__global__ void many(int n) {
    for (int i = 0; i < n; ++i) printf("line %d of thread %d\n", i, static_cast<int>(threadIdx.x));
}

int main(int argc, char** argv) {
    char* text;
    if (hipMallocManaged(&text, 64) != hipSuccess) return 1;
    snprintf(text, 64, "%s", "from memory");
    void* pointer = reinterpret_cast<void*>(0x1234);
    if (argc > 1 && argv[1][0] == 'h') {
        LINES(printf, text, pointer)
    } else if (argc > 1 && argv[1][0] == 'm') {
        many<<<1, 64>>>(1000);
        return hipDeviceSynchronize();
    } else if (argc > 1 && argv[1][0] == 'e') {
        in_order<<<1, 1>>>();  // printed although nobody waits
        return 0;
    } else if (argc > 1 && argv[1][0] == 'o') {
        printf("before\n");
        in_order<<<2, 2>>>();
        if (hipDeviceSynchronize() != hipSuccess) return 1;
        printf("after\n");
    } else {
        on_device<<<1, 1>>>(text, pointer);
        return hipDeviceSynchronize();
    }
    return 0;
}

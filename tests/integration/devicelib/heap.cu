// malloc and free in kernels: blocks do not overlap, survive the kernel, come back after free, run out cleanly.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                               \
    do {                                                          \
        hipError_t e = (call);                                    \
        if (e != hipSuccess) {                                    \
            std::printf("%s: %s\n", #call, hipGetErrorString(e)); \
            return 1;                                             \
        }                                                         \
    } while (0)

constexpr int kThreads = 512, kKept = 6, kRounds = 12;

__device__ unsigned hash(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ x >> 16;
}

__device__ bool holds(const unsigned char* p, int size, unsigned char tag) {
    for (int i = 0; i < size; ++i) {
        if (p[i] != tag) return false;
    }
    return true;
}

// Each thread keeps a few blocks of random size and replaces one per round, in its own order, so that lanes of
// a wave allocate and free different sizes at the same time.
__global__ void churn(int* failures) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char* block[kKept] = {};
    int size[kKept] = {};
    for (int round = 0; round < kRounds; ++round) {
        unsigned h = hash(t * 977 + round);
        int slot = h % kKept;
        unsigned char tag = (unsigned char)(t * 31 + slot);
        if (block[slot] != nullptr) {
            if (!holds(block[slot], size[slot], tag)) atomicAdd(failures, 1);
            free(block[slot]);
            block[slot] = nullptr;
        }
        if ((h >> 8) % 8 == 0) continue;
        size[slot] = 1 + (h >> 12) % ((h >> 28) == 0 ? 5000 : 200);
        block[slot] = (unsigned char*)malloc(size[slot]);
        if (block[slot] == nullptr || (unsigned long)block[slot] % 16 != 0) {
            atomicAdd(failures, 1);
            block[slot] = nullptr;
            continue;
        }
        for (int i = 0; i < size[slot]; ++i) block[slot][i] = tag;
    }
    for (int slot = 0; slot < kKept; ++slot) {
        if (block[slot] == nullptr) continue;
        if (!holds(block[slot], size[slot], (unsigned char)(t * 31 + slot))) atomicAdd(failures, 1);
        free(block[slot]);
    }
}

struct Shape {
    int side;
    __device__ explicit Shape(int s) : side(s) {}
    __device__ virtual ~Shape() {}
    __device__ virtual int area() const = 0;
};
struct Square : Shape {
    __device__ explicit Square(int s) : Shape(s) {}
    __device__ int area() const override { return side * side; }
};
struct Line : Shape {
    __device__ explicit Line(int s) : Shape(s) {}
    __device__ int area() const override { return 0; }
};

__global__ void make(Shape** shapes) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t % 3 == 0) {
        shapes[t] = new Line(t);
    } else {
        shapes[t] = new Square(t);
    }
}

__global__ void use(Shape** shapes, int* failures) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int other = (t * 7 + 3) % (gridDim.x * blockDim.x);  // made by another thread
    int expected = other % 3 == 0 ? 0 : other * other;
    if (shapes[other] == nullptr || shapes[other]->area() != expected) atomicAdd(failures, 1);
}

__global__ void destroy(Shape** shapes) {
    delete shapes[blockIdx.x * blockDim.x + threadIdx.x];
}

// Until malloc fails, then everything is given back: the second time as much fits as the first time.
__global__ void exhaust(unsigned long bytes, int* counts) {
    for (int turn = 0; turn < 2; ++turn) {
        void* head = nullptr;
        int count = 0;
        while (void* p = malloc(bytes)) {
            *(void**)p = head;
            head = p;
            ++count;
        }
        counts[turn] = count;
        while (head != nullptr) {
            void* next = *(void**)head;
            free(head);
            head = next;
        }
    }
}

int main() {
    int* failures;
    CHECK(hipMalloc(&failures, 4 * sizeof(int)));
    CHECK(hipMemset(failures, 0, 4 * sizeof(int)));
    Shape** shapes;
    CHECK(hipMalloc(&shapes, kThreads * sizeof(Shape*)));

    for (int i = 0; i < 2; ++i) churn<<<kThreads / 128, 128>>>(failures);
    make<<<kThreads / 64, 64>>>(shapes);
    use<<<kThreads / 64, 64>>>(shapes, failures);
    destroy<<<kThreads / 64, 64>>>(shapes);
    exhaust<<<1, 1>>>(1 << 20, failures + 1);
    CHECK(hipDeviceSynchronize());

    int result[3];
    CHECK(hipMemcpy(result, failures, sizeof result, hipMemcpyDeviceToHost));
    std::printf("failures %d, blocks of 1 MiB: %d then %d\n", result[0], result[1], result[2]);
    bool ok = result[0] == 0 && result[1] > 1 && result[1] == result[2];
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}

// A list through very many allocations: each holds the address of the next.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call) \
    if ((call) != hipSuccess) return std::printf("%s failed\n", #call), 1

struct Node {
    Node* next;
    int value;
};

__global__ void walk(Node* first, int* out) {
    int sum = 0;
    for (Node* n = first; n; n = n->next) sum += n->value++;
    *out = sum;
}

int main(int, char** arguments) {
    const int count = std::atoi(arguments[1]);
    Node* next = nullptr;
    int *out, sum;
    CHECK(hipMalloc(&out, 4));
    for (int i = 0; i < count; ++i) {
        Node *made, host{next, i};
        CHECK(hipMalloc(&made, sizeof(Node)));
        CHECK(hipMemcpy(made, &host, sizeof host, hipMemcpyHostToDevice));
        next = made;
    }
    walk<<<1, 1>>>(next, out);
    CHECK(hipMemcpy(&sum, out, 4, hipMemcpyDeviceToHost));
    std::printf("%d\n", sum);
}

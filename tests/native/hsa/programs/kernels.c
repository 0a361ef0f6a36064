/* Device code of the tests: freestanding C for amdgcn. */
#define KERNEL __attribute__((amdgpu_kernel, visibility("protected"))) void
typedef unsigned int u32;
typedef unsigned long u64;
typedef __attribute__((address_space(4))) const void* constant_pointer;

static u32 flat_id(void) {
    return __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
}

__attribute__((visibility("protected"))) int counter = 7;
__attribute__((visibility("protected"))) int zeroed[100];
__attribute__((visibility("protected"))) int* pointer_to_counter = &counter;
__attribute__((visibility("protected"))) const int table[4] = {10, 20, 30, 40};

/* Groups of 64. */
KERNEL add_one(int* p, u32 n) {
    u32 i = flat_id();
    if (i < n) p[i] += 1;
}

KERNEL scale(float* out, const float* in, float k, u32 n) {
    u32 i = flat_id();
    if (i < n) out[i] = in[i] * k;
}

KERNEL use_globals(int* out) {
    out[0] = counter;
    out[1] = zeroed[99];
    out[2] = *pointer_to_counter;
    out[3] = table[2];
    counter += 1;
}

/* Waits for another kernel or the host. */
KERNEL spin_until(volatile int* flag, int* out) {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) __builtin_amdgcn_s_sleep(1);
    *out = 1;
}

KERNEL set_word(int* p, int value) {
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

/* A signal is {kind, value, ...}: the value is at byte 8. */
KERNEL store_signal(u64* signal, u64 value) {
    __atomic_store_n(signal + 1, value, __ATOMIC_RELEASE);
}

KERNEL trap(int* unused) {
    __builtin_trap();
}

/* 1 KB of group memory, which metadata and descriptor must report. */
KERNEL reverse(int* p) {
    static __attribute__((address_space(3), loader_uninitialized)) int lds[256];
    u32 i = __builtin_amdgcn_workitem_id_x();
    lds[i] = p[i];
    __builtin_amdgcn_s_barrier();
    p[i] = lds[255 - i];
}

/* What the packet processor hands over: the packet and the queue. */
KERNEL show_packet(u64* out) {
    const u32* packet = (const u32*)__builtin_amdgcn_dispatch_ptr();
    out[0] = packet[3]; /* grid x */
    out[1] = (u64)__builtin_amdgcn_queue_ptr();
    out[2] = ((const u64*)packet)[5]; /* kernarg address */
}

struct node {
    struct node* next;
    long value;
};

KERNEL chase(struct node* first, long* sum) {
    long total = 0;
    for (struct node* n = first; n; n = n->next) total += n->value;
    *sum = total;
}

// malloc and free for kernels.
//
// Blocks come in two sizes per power of two (32, 48, 64, 96, ... bytes and a header). A freed block goes
// to the free list of its size; malloc takes from that list, else from the untouched end of the heap, else
// from the list of a larger size. All state lies in vrocm_heap: state[0] is how many bytes of the heap have
// been handed out, state[1 + c] the free list of size class c.
//
// No step waits for another thread, so lanes of one wave cannot block each other: a compare-exchange fails
// only because another one succeeded. A list head is block number (low half) and a count of changes (high
// half), which makes a head that went away and came back look different.
#include "runtime_abi_device.h"

namespace {

constexpr u64 kUnit = 16;  // alignment of blocks, and the unit of block numbers
constexpr u32 kClasses = sizeof(vrocm_heap::state) / 8 - 1;
constexpr u64 kSmallest = 32;

// In front of what malloc returns.
struct Header {
    u32 size_class;
    u32 in_use;
    u64 next;  // block number + 1 of the next free block
};
static_assert(sizeof(Header) == kUnit);
constexpr u32 kInUse = 0x600db10c, kFree = 0xf7eeb10c;

// What a block of this class can hold.
INLINE u64 class_bytes(u32 size_class) {
    u64 octave = kSmallest << (size_class / 2);
    return size_class & 1 ? octave + octave / 2 : octave;
}

// The smallest class that holds `bytes`, or kClasses when none does.
INLINE u32 class_of(u64 bytes) {
    if (bytes <= kSmallest) return 0;
    u32 log = 63 - __builtin_clzl(bytes - 1);  // 2^log < bytes <= 2^(log + 1)
    u32 size_class = 2 * (log - 5) + (bytes - 1 < (3ul << (log - 1)) ? 1 : 2);
    return size_class < kClasses ? size_class : kClasses;
}

INLINE GLOBAL Header* block(GLOBAL vrocm_heap* heap, u64 number) {
    return (GLOBAL Header*)(heap->base + (number - 1) * kUnit);
}

INLINE bool exchange(GLOBAL vrocm_u64* where, u64* expected, u64 desired) {
    return __scoped_atomic_compare_exchange_n(where, (vrocm_u64*)expected, desired, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}

INLINE u64 load(GLOBAL vrocm_u64* where) {
    return __scoped_atomic_load_n(where, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}

constexpr u64 kNumberMask = 0xffffffff;
INLINE u64 next_head(u64 old, u64 number) { return ((old >> 32) + 1) << 32 | number; }

INLINE GLOBAL Header* pop(GLOBAL vrocm_heap* heap, u32 size_class) {
    GLOBAL vrocm_u64* head = &heap->state[1 + size_class];
    u64 old = load(head);
    while (u64 number = old & kNumberMask) {
        GLOBAL Header* b = block(heap, number);
        // May be stale when another thread took the block meanwhile; then the exchange fails.
        u64 next = load((GLOBAL vrocm_u64*)&b->next);
        if (exchange(head, &old, next_head(old, next & kNumberMask))) return b;
    }
    return nullptr;
}

INLINE void push(GLOBAL vrocm_heap* heap, GLOBAL Header* b) {
    GLOBAL vrocm_u64* head = &heap->state[1 + b->size_class];
    u64 number = ((u64)b - heap->base) / kUnit + 1;
    u64 old = load(head);
    do {
        __scoped_atomic_store_n((GLOBAL vrocm_u64*)&b->next, old & kNumberMask, __ATOMIC_RELAXED,
                                __MEMORY_SCOPE_DEVICE);
    } while (!exchange(head, &old, next_head(old, number)));
}

// From the part of the heap that was never used.
INLINE GLOBAL Header* carve(GLOBAL vrocm_heap* heap, u32 size_class) {
    u64 bytes = class_bytes(size_class) + kUnit, size = heap->size;
    u64 end = kNumberMask * kUnit;  // beyond this, block numbers do not fit
    if (size > end) size = end;
    u64 used = load(&heap->state[0]);
    do {
        if (bytes > size || used > size - bytes) return nullptr;
    } while (!exchange(&heap->state[0], &used, used + bytes));
    auto b = (GLOBAL Header*)(heap->base + used);
    b->size_class = size_class;
    return b;
}

}  // namespace

EXPORT u64 __ockl_dm_alloc(u64 bytes) {
    auto heap = hidden_pointer<vrocm_heap>(VROCM_IMPLICITARG_HEAP_V1);
    if (heap == nullptr || bytes == 0) return 0;
    u32 size_class = class_of(bytes);
    if (size_class == kClasses) return 0;
    GLOBAL Header* b = pop(heap, size_class);
    if (b == nullptr) b = carve(heap, size_class);
    for (u32 larger = size_class + 1; b == nullptr && larger < kClasses; ++larger) b = pop(heap, larger);
    if (b == nullptr) return 0;
    b->in_use = kInUse;
    return (u64)(b + 1);
}

EXPORT void __ockl_dm_dealloc(u64 address) {
    if (address == 0) return;
    auto heap = hidden_pointer<vrocm_heap>(VROCM_IMPLICITARG_HEAP_V1);
    if (heap == nullptr || address < heap->base + kUnit || address >= heap->base + heap->size) __builtin_trap();
    GLOBAL Header* b = (GLOBAL Header*)address - 1;
    // Freed twice, not from malloc, or overwritten: continuing would corrupt the heap.
    if (b->in_use != kInUse || b->size_class >= kClasses) __builtin_trap();
    b->in_use = kFree;
    push(heap, b);
}

EXPORT void* malloc(u64 bytes) { return (void*)__ockl_dm_alloc(bytes); }

EXPORT void free(void* p) { __ockl_dm_dealloc((u64)p); }

EXPORT void* calloc(u64 count, u64 bytes) {
    u64 total;
    if (__builtin_mul_overflow(count, bytes, &total)) return nullptr;
    void* p = (void*)__ockl_dm_alloc(total);
    if (p != nullptr) __builtin_memset(p, 0, total);
    return p;
}

EXPORT void* realloc(void* p, u64 bytes) {
    if (p == nullptr) return (void*)__ockl_dm_alloc(bytes);
    if (bytes == 0) {
        __ockl_dm_dealloc((u64)p);
        return nullptr;
    }
    u64 old_bytes = class_bytes(((GLOBAL Header*)(u64)p - 1)->size_class);
    if (bytes <= old_bytes) return p;
    void* larger = (void*)__ockl_dm_alloc(bytes);
    if (larger == nullptr) return nullptr;
    __builtin_memcpy(larger, p, old_bytes);
    __ockl_dm_dealloc((u64)p);
    return larger;
}

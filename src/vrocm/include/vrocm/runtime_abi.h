/* What the HIP runtime (host) and the device library agree on in memory.
 *
 * Plain C, no includes beyond the integer types: read by the host compiler, by the device compiler and
 * by online compilation. Every struct lives in device memory that the runtime allocates; a kernel finds
 * it through the hidden kernel argument named beside it (offsets from __builtin_amdgcn_implicitarg_ptr(),
 * AMDGPU code object V5 and later, LLVM AMDGPUUsage "Code Object V5 Kernel Argument Metadata").
 */
#ifndef VROCM_RUNTIME_ABI_H
#define VROCM_RUNTIME_ABI_H

#if defined(__HIPCC_RTC__)
typedef __UINT8_TYPE__ vrocm_u8;
typedef __UINT32_TYPE__ vrocm_u32;
typedef __UINT64_TYPE__ vrocm_u64;
#else
#include <stdint.h>
typedef uint8_t vrocm_u8;
typedef uint32_t vrocm_u32;
typedef uint64_t vrocm_u64;
#endif

/* Offsets of the pointers below from the implicit argument pointer. */
#define VROCM_IMPLICITARG_PRINTF_BUFFER 72
#define VROCM_IMPLICITARG_HOSTCALL_BUFFER 80
#define VROCM_IMPLICITARG_MULTIGRID_SYNC 88
#define VROCM_IMPLICITARG_HEAP_V1 96
#define VROCM_IMPLICITARG_DYNAMIC_LDS_SIZE 120

/* printf: hidden_printf_buffer.
 *
 * __printf_alloc(bytes) rounds `bytes` up to 4, adds it to `used` atomically and returns
 * &data[old], or null when old + bytes > capacity. The runtime decodes the records in order after the
 * kernel, clears them (a control word of 0 ends the list) and sets used to 0.
 *
 * One record, as clang -mprintf-kind=buffered writes it (all fields packed, 4-byte aligned):
 *   u32 control: bit 0 to stderr, bit 1 the format is given by its hash, bits 31..2 bytes of the record
 *   format:      u64 low half of the MD5 of the format string (bit 1 set; text in amdhsa.printf), or
 *                the format string itself, NUL-terminated, padded to 8
 *   arguments:   u64 or f64 each; strings inline, NUL-terminated, padded to 8 (a null %s takes no bytes)
 *                with a format given by hash; where the format is in the record, %s is a u64 address
 *                (clang knows which arguments are strings only when it knows the format)
 */
typedef struct vrocm_printf_buffer {
    vrocm_u32 used;       /* bytes of data[] given out */
    vrocm_u32 capacity;   /* bytes of data[] */
    vrocm_u8 data[8];     /* really `capacity` bytes */
} vrocm_printf_buffer;
#define VROCM_PRINTF_TO_STDERR 1u
#define VROCM_PRINTF_FORMAT_HASHED 2u
#define VROCM_PRINTF_SIZE_SHIFT 2

/* Device malloc: hidden_heap_v1. `state` is zero when the heap is made and afterwards
 * belongs to the allocator of the device library alone. [base, base + size) is device memory. */
typedef struct vrocm_heap {
    vrocm_u64 base;
    vrocm_u64 size;
    vrocm_u64 state[62]; /* free lists and fill level; all zero at first */
} vrocm_heap;

/* Barrier over all workgroups of all grids of one multi-device cooperative launch. */
typedef struct vrocm_multigrid_barrier {
    vrocm_u32 arrived;
    vrocm_u32 phase;
    vrocm_u32 grids;
    vrocm_u32 reserved;
} vrocm_multigrid_barrier;

/* Cooperative launch: hidden_multigrid_sync_arg (null for ordinary launches).
 * Grid barrier: one thread of each workgroup adds 1 to `arrived`; the one that makes it `workgroups`
 * sets arrived to 0 and adds 1 to `phase`; the others wait until `phase` has changed. */
typedef struct vrocm_grid_sync {
    vrocm_u32 arrived;
    vrocm_u32 phase;
    vrocm_u32 workgroups;     /* in this grid */
    vrocm_u32 grid_rank;      /* of this device in a multi-device launch, else 0 */
    vrocm_u32 num_grids;      /* 1 for a single-device launch */
    vrocm_u32 reserved;
    vrocm_u64 threads_before; /* threads in grids of lower rank */
    vrocm_u64 threads_total;  /* threads in all grids */
    vrocm_u64 multigrid;      /* vrocm_multigrid_barrier*, null when num_grids is 1 */
} vrocm_grid_sync;

/* Textures and surfaces: hipTextureObject_t and hipSurfaceObject_t are addresses of this.
 * gfx942 has no image instructions: fetches are loads and arithmetic on the device. */
enum {
    VROCM_CHANNEL_SIGNED = 0, /* same numbers as hipChannelFormatKind */
    VROCM_CHANNEL_UNSIGNED = 1,
    VROCM_CHANNEL_FLOAT = 2
};
#define VROCM_TEXTURE_MAX_LEVELS 16

typedef struct vrocm_texture_level {
    vrocm_u64 data;        /* texel (0, 0, 0) of layer or slice 0 */
    vrocm_u64 row_bytes;   /* from row to row */
    vrocm_u64 slice_bytes; /* from slice to slice, or from layer to layer */
    vrocm_u32 width, height, depth; /* texels; dimensions that do not exist are 1 */
    vrocm_u32 reserved;
} vrocm_texture_level;

typedef struct vrocm_texture {
    vrocm_texture_level level[VROCM_TEXTURE_MAX_LEVELS];
    vrocm_u32 levels;          /* 1 unless the resource is a mipmapped array */
    vrocm_u32 layers;          /* layered and cubemap (6 faces a layer) arrays; else 0 */
    vrocm_u8 dimensions;       /* 1, 2 or 3; a linear buffer is 1 */
    vrocm_u8 channels;         /* 1, 2 or 4 */
    vrocm_u8 channel_bits;     /* 8, 16 or 32 */
    vrocm_u8 channel_kind;     /* VROCM_CHANNEL_* */
    vrocm_u8 texel_bytes;      /* channels * channel_bits / 8 */
    vrocm_u8 cubemap;
    vrocm_u8 linear_memory;    /* resource is a linear buffer: only tex1Dfetch makes sense */
    vrocm_u8 normalized_coords;
    vrocm_u8 address_mode[3];  /* hipTextureAddressMode: wrap, clamp, mirror, border */
    vrocm_u8 filter_linear;    /* hipFilterModeLinear */
    vrocm_u8 read_normalized;  /* hipReadModeNormalizedFloat: integers read as [0,1] or [-1,1] */
    vrocm_u8 srgb;
    vrocm_u8 mipmap_filter_linear;
    vrocm_u8 reserved[5];
    float border[4];
    float level_bias, min_level, max_level;
    vrocm_u32 max_anisotropy;
} vrocm_texture;

#endif

/* Plain C interface to decoder and executor, for tests and tools (ctypes). */
#ifndef VROCM_SIM_H
#define VROCM_SIM_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* arch: "gfx942" or "gfx90a". Decodes one instruction and writes its text (NUL-terminated).
   Returns the size of the instruction in bytes, or 0 if the bytes are not an instruction. */
int vrocm_disassemble(const char* arch, const uint8_t* bytes, size_t size, char* text, size_t text_size);

/* All instructions of the table, one "mnemonic format flags" per line. */
const char* vrocm_instruction_list(const char* arch);

/* A linked code object (ELF of gfx90a or gfx942) as text, in order of address. Functions: "address size name" on each
   line. Listing: the instructions of [begin, end), each "address<TAB>size<TAB>text<TAB>file:line" (the last empty
   without debug information); bytes that are no instruction are listed as ".long". Both return the size of the whole
   text with its NUL, of which at most text_size bytes are written, or 0 when it is no such code object. */
size_t vrocm_code_functions(const uint8_t* elf, size_t elf_size, char* text, size_t text_size);
size_t vrocm_code_listing(const uint8_t* elf, size_t elf_size, uint64_t begin, uint64_t end, char* text,
                          size_t text_size);

/* The code object for a target ("gfx942:sramecc+:xnack-") in an image of device code: itself one, or an offload bundle,
   plain or compressed. image_size may be SIZE_MAX, as for images in memory: what is not there is not touched. Returns
   0, with its size in *size, and at most capacity bytes of it written; or -1 with a message. */
int vrocm_device_code(const uint8_t* image, size_t image_size, const char* target, uint8_t* out, size_t capacity,
                      size_t* size, char* message, size_t message_size);

/* What loading a code object would find, as text: its target, then symbols, relocations and kernels. Returns 0, or -1
   with why it cannot be loaded. */
int vrocm_code_summary(const uint8_t* elf, size_t elf_size, char* text, size_t text_size);

/* Unpacks one stream ("zlib") or frame ("zstd") of at most `most` bytes. Returns as vrocm_device_code does. */
int vrocm_unpack(const char* method, const uint8_t* packed, size_t packed_size, uint64_t most, uint8_t* out,
                 size_t capacity, size_t* size, char* message, size_t message_size);

typedef struct {
    uint32_t v[512][64]; /* arch VGPRs 0..255, accumulation 256..511 */
    uint32_t s[128];
    uint32_t scc, mode;
    uint8_t lds[65536];
    uint64_t pc_reached; /* byte offset where execution stopped */
} vrocm_state;

/* Runs code (raw bytes, ended by s_endpgm) on one bare wave. memory: optional block that kernels may
   touch at its own host address. Returns 0 when it ended, else a fault kind with a message. */
int vrocm_execute(const char* arch, const uint8_t* code, size_t size, vrocm_state* state, void* memory,
                  size_t memory_size, uint64_t instruction_limit, char* message, size_t message_size);

/* One kernel launch for vrocm_run_kernel. */
typedef struct {
    uint32_t grid[3]; /* work-items */
    uint16_t workgroup[3];
    uint32_t group_segment_size, private_segment_size; /* 0: as the kernel says */
    uint64_t step;                                     /* instructions between returns of the scheduler; 0: many */
} vrocm_launch;
typedef struct {
    void* base;
    size_t size;
} vrocm_memory;
typedef struct {
    uint64_t waves, workgroups, instructions, steps, host_threads;
    uint64_t cycles, nanoseconds, sampled; /* 0 with VROCM_TIMING=off */
} vrocm_stats;

/* Loads a linked code object (ELF of gfx90a or gfx942), runs one kernel of it to the end on VROCM_THREADS host
   threads, and unloads it. The kernel may touch the kernel arguments and the listed blocks of memory.
   Returns 0, or a fault kind with a message. */
int vrocm_run_kernel(const uint8_t* elf, size_t elf_size, const char* kernel, const vrocm_launch* launch,
                     const void* kernarg, size_t kernarg_size, const vrocm_memory* memory, size_t memory_count,
                     vrocm_stats* stats, char* message, size_t message_size);

#ifdef __cplusplus
}
#endif
#endif

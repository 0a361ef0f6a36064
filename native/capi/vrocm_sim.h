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

#ifdef __cplusplus
}
#endif
#endif

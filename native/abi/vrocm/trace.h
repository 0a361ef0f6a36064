/* What the virtual runtimes tell a tracer. libhsa-runtime64 keeps one log for the process and exports these
   functions; libamdhip64 and the roctx libraries call them. All of it is private to this prefix.

   Tracing is off unless VROCM_TRACE_DIR names a folder. VROCM_TRACE lists what is wanted (see the categories). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Bits of vrocm_trace_categories. */
enum vrocm_trace_category {
    VROCM_TRACE_HIP_RUNTIME = 1u << 0,
    VROCM_TRACE_HIP_COMPILER = 1u << 1,
    VROCM_TRACE_HSA_CORE = 1u << 2,
    VROCM_TRACE_HSA_AMD_EXT = 1u << 3,
    VROCM_TRACE_HSA_IMAGE_EXT = 1u << 4,
    VROCM_TRACE_HSA_FINALIZE_EXT = 1u << 5,
    VROCM_TRACE_MARKER = 1u << 6,
    VROCM_TRACE_KERNEL = 1u << 7,
    VROCM_TRACE_COPY = 1u << 8,
    VROCM_TRACE_ALLOCATION = 1u << 9,
    VROCM_TRACE_SCRATCH = 1u << 10,
    VROCM_TRACE_COUNTERS = 1u << 11
};
#define VROCM_TRACE_HIP (VROCM_TRACE_HIP_RUNTIME | VROCM_TRACE_HIP_COMPILER)
#define VROCM_TRACE_HSA \
    (VROCM_TRACE_HSA_CORE | VROCM_TRACE_HSA_AMD_EXT | VROCM_TRACE_HSA_IMAGE_EXT | VROCM_TRACE_HSA_FINALIZE_EXT)

/* What is traced in this process: 0 when tracing is off or paused. */
extern uint32_t vrocm_trace_categories;

/* One argument of an API call as text. A pointer is marked, so that readers can give it a stable name. */
typedef struct vrocm_trace_argument {
    const char* type;
    const char* name;
    size_t type_size, name_size; /* neither need end with 0 */
    const char* text;
    size_t text_size;
    uint64_t pointer; /* the value when is_pointer */
    uint32_t is_pointer;
} vrocm_trace_argument;

/* An API call or range on this thread. begin() gives its number (its stack id); calls and device operations that
   begin before end() have it as parent. Calls with the number 0 are ignored. */
uint64_t vrocm_trace_call_begin(void);
void vrocm_trace_call_end(uint64_t call, uint32_t category, const char* name, uint64_t begin, uint64_t end,
                          const vrocm_trace_argument* arguments, size_t count);

/* Virtual nanoseconds: the clock of the calling thread. */
uint64_t vrocm_trace_now(void);

/* Streams: that there is one ("null", "per-thread" or "created"), and the one on whose behalf this thread acts now
   (0: none). */
void vrocm_trace_stream(uint64_t stream, const char* kind);
void vrocm_trace_set_stream(uint64_t stream);
/* A number for the dispatch packet that this thread is about to write, to be put into its reserved2 field: it
   leads back to the call, the stream and the thread. 0 when the process is not traced. */
uint64_t vrocm_trace_launch(void);

/* Markers: a mark, a range with both times, and ranges that nest on a thread. push() gives the level of the new range,
   pop() the level of the one that ended, or -1. */
void vrocm_trace_mark(const char* operation, const char* message, uint64_t begin, uint64_t end);
size_t vrocm_trace_range_push(const char* message);
int vrocm_trace_range_pop(void);
void vrocm_trace_name_thread(const char* name);
/* 1: events leave no record until this is called with 0. */
void vrocm_trace_pause(int paused);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

/* Memory as the GPUs see it, which libhsa-runtime64 knows and libamdhip64 asks for. All of it is private to this
   prefix. */
#pragma once

#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* Where this process finds the bytes that a GPU has at these addresses. It is elsewhere for mappings of virtual memory,
   at whose own addresses the host sees only what it was given access to. Null, with a message, when no GPU has access
   to such a mapping. */
void* vrocm_memory_gpu_view(const void* address, size_t bytes);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

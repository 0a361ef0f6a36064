/* roctx: marks and ranges that a program puts into traces. */
#ifndef ROCPROFILER_SDK_ROCTX_ROCTX_H_
#define ROCPROFILER_SDK_ROCTX_ROCTX_H_

#include <stddef.h>
#include <stdint.h>

#define ROCTX_VERSION_MAJOR 4
#define ROCTX_VERSION_MINOR 1

#if defined(__GNUC__)
#define ROCTX_API __attribute__((visibility("default")))
#else
#define ROCTX_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t roctx_range_id_t;
typedef uint64_t roctx_thread_id_t;
struct hsa_agent_s;
struct ihipStream_t;

ROCTX_API uint32_t roctx_version_major(void);
ROCTX_API uint32_t roctx_version_minor(void);

/* A moment. */
ROCTX_API void roctxMarkA(const char* message);
/* Ranges that nest on the calling thread. Push gives the level of the new range, pop that of the range it ended, or a
   negative number when there is none. */
ROCTX_API int roctxRangePushA(const char* message);
ROCTX_API int roctxRangePop(void);
/* A range of the process: it may end on another thread and overlap others. */
ROCTX_API roctx_range_id_t roctxRangeStartA(const char* message);
ROCTX_API void roctxRangeStop(roctx_range_id_t id);

/* Collection stops and goes on; a thread id of 0 means all threads. 0 for success. */
ROCTX_API int roctxProfilerPause(roctx_thread_id_t tid);
ROCTX_API int roctxProfilerResume(roctx_thread_id_t tid);
ROCTX_API int roctxGetThreadId(roctx_thread_id_t* tid);

/* Names that traces show. 0 for success. */
ROCTX_API int roctxNameOsThread(const char* name);
ROCTX_API int roctxNameHsaAgent(const char* name, const struct hsa_agent_s* agent);
ROCTX_API int roctxNameHipDevice(const char* name, int device_id);
ROCTX_API int roctxNameHipStream(const char* name, const struct ihipStream_t* stream);

#ifdef __cplusplus
}
#endif

#define roctxMark(message) roctxMarkA(message)
#define roctxRangePush(message) roctxRangePushA(message)
#define roctxRangeStart(message) roctxRangeStartA(message)

#endif

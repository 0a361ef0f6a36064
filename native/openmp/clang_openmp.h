// The interface that clang's generated code uses (kmp.h of LLVM's OpenMP runtime, "entry points"), and the one of
// libgomp that it is implemented with (GCC's libgomp_g.h). Both are stable binary interfaces.
//
// clang cannot generate calls to libgomp, and programs built here link with the system's g++; so the few entry
// points that host code of HIP programs needs are translated. Code compiled by g++ with -fopenmp and code compiled
// by hipcc then share one pool of threads and one set of omp_* functions.
#pragma once

#include <cstddef>
#include <cstdint>

#define VROCM_OPENMP_API extern "C" __attribute__((visibility("default")))

namespace vrocm::openmp {

struct SourceLocation;  // passed along by the compiler; not used here

// A lock that the compiler allocates for a named critical region or a reduction: zero when unlocked.
using CriticalName = std::int32_t[8];

// Thread-team state, kept for the length of a parallel region.
struct Team {
    void* broadcast = nullptr;  // data of the thread that ran a single region with copyprivate
};
Team*& current_team();

}  // namespace vrocm::openmp

extern "C" {
int omp_get_thread_num();
int omp_get_num_threads();

void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags);
void GOMP_barrier();
void GOMP_critical_name_start(void** lock);
void GOMP_critical_name_end(void** lock);
bool GOMP_single_start();
void GOMP_ordered_start();
void GOMP_ordered_end();

bool GOMP_loop_static_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_dynamic_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_guided_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_runtime_start(long start, long end, long step, long* first, long* past);
bool GOMP_loop_static_next(long* first, long* past);
bool GOMP_loop_dynamic_next(long* first, long* past);
bool GOMP_loop_guided_next(long* first, long* past);
bool GOMP_loop_runtime_next(long* first, long* past);
bool GOMP_loop_ordered_static_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_ordered_dynamic_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_ordered_guided_start(long start, long end, long step, long chunk, long* first, long* past);
bool GOMP_loop_ordered_runtime_start(long start, long end, long step, long* first, long* past);
bool GOMP_loop_ordered_static_next(long* first, long* past);
bool GOMP_loop_ordered_dynamic_next(long* first, long* past);
bool GOMP_loop_ordered_guided_next(long* first, long* past);
bool GOMP_loop_ordered_runtime_next(long* first, long* past);
void GOMP_loop_end_nowait();

void GOMP_task(void (*function)(void*), void* data, void (*copy)(void*, void*), long size, long alignment,
               bool deferred, unsigned flags, void** dependences, int priority, void* detach);
void GOMP_taskwait();
void GOMP_taskwait_depend(void** dependences);
void GOMP_taskyield();
void GOMP_taskgroup_start();
void GOMP_taskgroup_end();
}

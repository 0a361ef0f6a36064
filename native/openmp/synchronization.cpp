// Barriers, critical regions, reductions, single and masked regions.
#include "openmp/clang_openmp.h"

namespace vrocm::openmp {
namespace {
void lock(CriticalName* name) {
    GOMP_critical_name_start(reinterpret_cast<void**>(name));
}
void unlock(CriticalName* name) {
    GOMP_critical_name_end(reinterpret_cast<void**>(name));
}
}  // namespace
}  // namespace vrocm::openmp

using namespace vrocm::openmp;

VROCM_OPENMP_API void __kmpc_barrier(SourceLocation*, std::int32_t) {
    GOMP_barrier();
}
VROCM_OPENMP_API std::int32_t __kmpc_cancel_barrier(SourceLocation*, std::int32_t) {
    GOMP_barrier();
    return 0;
}
VROCM_OPENMP_API void __kmpc_flush(SourceLocation*) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

VROCM_OPENMP_API void __kmpc_critical(SourceLocation*, std::int32_t, CriticalName* name) {
    lock(name);
}
VROCM_OPENMP_API void __kmpc_critical_with_hint(SourceLocation*, std::int32_t, CriticalName* name, std::uint32_t) {
    lock(name);
}
VROCM_OPENMP_API void __kmpc_end_critical(SourceLocation*, std::int32_t, CriticalName* name) {
    unlock(name);
}

// A reduction asks how to combine the threads' values. 1: this thread adds its own to the shared ones, now; the
// lock makes that safe for every thread.
VROCM_OPENMP_API std::int32_t __kmpc_reduce_nowait(SourceLocation*, std::int32_t, std::int32_t, std::size_t, void*,
                                                   void (*)(void*, void*), CriticalName* name) {
    lock(name);
    return 1;
}
VROCM_OPENMP_API void __kmpc_end_reduce_nowait(SourceLocation*, std::int32_t, CriticalName* name) {
    unlock(name);
}
VROCM_OPENMP_API std::int32_t __kmpc_reduce(SourceLocation*, std::int32_t, std::int32_t, std::size_t, void*,
                                            void (*)(void*, void*), CriticalName* name) {
    lock(name);
    return 1;
}
VROCM_OPENMP_API void __kmpc_end_reduce(SourceLocation*, std::int32_t, CriticalName* name) {
    unlock(name);
    GOMP_barrier();
}

VROCM_OPENMP_API std::int32_t __kmpc_single(SourceLocation*, std::int32_t) {
    return GOMP_single_start();
}
VROCM_OPENMP_API void __kmpc_end_single(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_API void __kmpc_copyprivate(SourceLocation*, std::int32_t, std::size_t, void* data,
                                         void (*copy)(void*, void*), std::int32_t was_here) {
    Team* const team = current_team();
    if (!team) return;  // outside of a parallel region: one thread, nothing to copy
    if (was_here) team->broadcast = data;
    GOMP_barrier();
    if (!was_here) copy(data, team->broadcast);
    GOMP_barrier();  // the source lives on the other thread's stack
}
VROCM_OPENMP_API std::int32_t __kmpc_master(SourceLocation*, std::int32_t) {
    return omp_get_thread_num() == 0;
}
VROCM_OPENMP_API void __kmpc_end_master(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_API std::int32_t __kmpc_masked(SourceLocation*, std::int32_t, std::int32_t chosen) {
    return omp_get_thread_num() == chosen;
}
VROCM_OPENMP_API void __kmpc_end_masked(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_API void __kmpc_ordered(SourceLocation*, std::int32_t) {
    GOMP_ordered_start();
}
VROCM_OPENMP_API void __kmpc_end_ordered(SourceLocation*, std::int32_t) {
    GOMP_ordered_end();
}

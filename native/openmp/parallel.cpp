// Parallel regions.
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "openmp/clang_openmp.h"

namespace vrocm::openmp {

Team*& current_team() {
    static thread_local Team* team = nullptr;
    return team;
}

namespace {

// The outlined body of a region: (global thread, thread in team, captured variables by address or as 64-bit values).
using Microtask = void (*)(std::int32_t*, std::int32_t*, ...);

constexpr std::size_t kMaxArguments = 256;

thread_local unsigned requested_threads = 0;  // num_threads clause of the next region; 0: none

struct Region {
    Microtask body;
    std::size_t count;
    std::array<void*, kMaxArguments> arguments;
    Team team;
};

// More arguments than the body has parameters do no harm in the System V calling convention: the caller cleans up.
template <std::size_t... indices>
void call(Region& region, std::int32_t thread, std::index_sequence<indices...>) {
    using Body = void (*)(std::int32_t*, std::int32_t*, decltype((void)indices, (void*)nullptr)...);
    reinterpret_cast<Body>(region.body)(&thread, &thread, region.arguments[indices]...);
}

void run(void* data) {
    Region& region = *static_cast<Region*>(data);
    Team* const outer = current_team();
    current_team() = &region.team;
    const std::int32_t thread = omp_get_thread_num();
    if (region.count <= 8)
        call(region, thread, std::make_index_sequence<8>());
    else if (region.count <= 32)
        call(region, thread, std::make_index_sequence<32>());
    else
        call(region, thread, std::make_index_sequence<kMaxArguments>());
    current_team() = outer;
}

void fork(Microtask body, int count, va_list list, unsigned threads) {
    if (count < 0 || static_cast<std::size_t>(count) > kMaxArguments) {
        std::fprintf(stderr, "OpenMP: a parallel region captures %d variables; at most %zu are supported\n", count,
                     kMaxArguments);
        std::abort();
    }
    Region region{body, static_cast<std::size_t>(count), {}, {}};
    for (int i = 0; i < count; ++i) region.arguments[i] = va_arg(list, void*);
    GOMP_parallel(run, &region, threads, 0);
}

unsigned take_requested_threads() {
    return std::exchange(requested_threads, 0);
}

}  // namespace
}  // namespace vrocm::openmp

using namespace vrocm::openmp;

VROCM_OPENMP_API void __kmpc_fork_call(SourceLocation*, std::int32_t count, Microtask body, ...) {
    va_list list;
    va_start(list, body);
    fork(body, count, list, take_requested_threads());
    va_end(list);
}
VROCM_OPENMP_API void __kmpc_fork_call_if(SourceLocation*, std::int32_t count, Microtask body, std::int32_t condition,
                                          void* arguments) {
    const unsigned threads = take_requested_threads();
    Region region{body, static_cast<std::size_t>(count > 0 ? 1 : 0), {}, {}};
    region.arguments[0] = arguments;
    GOMP_parallel(run, &region, condition ? threads : 1, 0);
}
VROCM_OPENMP_API void __kmpc_push_num_threads(SourceLocation*, std::int32_t, std::int32_t threads) {
    requested_threads = threads > 0 ? static_cast<unsigned>(threads) : 0;
}
// Where threads are bound is a hint.
VROCM_OPENMP_API void __kmpc_push_proc_bind(SourceLocation*, std::int32_t, int) {}
// A region whose if clause is false: the compiler calls the body itself, between these two.
VROCM_OPENMP_API void __kmpc_serialized_parallel(SourceLocation*, std::int32_t) {
    take_requested_threads();
}
VROCM_OPENMP_API void __kmpc_end_serialized_parallel(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_API std::int32_t __kmpc_global_thread_num(SourceLocation*) {
    return omp_get_thread_num();
}
VROCM_OPENMP_API std::int32_t __kmpc_bound_thread_num(SourceLocation*) {
    return omp_get_thread_num();
}
VROCM_OPENMP_API std::int32_t __kmpc_global_num_threads(SourceLocation*) {
    return omp_get_num_threads();
}
VROCM_OPENMP_API std::int32_t __kmpc_bound_num_threads(SourceLocation*) {
    return omp_get_num_threads();
}

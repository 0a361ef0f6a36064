// Work-sharing loops: static ones are divided here, the others by libgomp.
#include <type_traits>
#include <vector>

#include "openmp/clang_openmp.h"

namespace vrocm::openmp {
namespace {

// Schedules as clang passes them (enum sched_type of LLVM's OpenMP runtime).
enum Schedule : std::int32_t {
    kStaticChunked = 33,
    kStatic = 34,
    kDynamic = 35,
    kGuided = 36,
    kRuntime = 37,
    kAuto = 38,
    kStaticBalancedChunked = 45,
    kOrderedStaticChunked = 65,
    kOrderedStatic = 66,
    kOrderedDynamic = 67,
    kOrderedGuided = 68,
    kOrderedRuntime = 69,
    kOrderedAuto = 70,
    kDistributeStaticChunked = 91,
    kDistributeStatic = 92,
};
constexpr std::int32_t kModifiers = (1 << 29) | (1 << 30);  // monotonic, nonmonotonic

// Iterations of a loop from lower to upper, both included.
template <class T>
std::uint64_t trip_count(T lower, T upper, std::make_signed_t<T> step) {
    using U = std::make_unsigned_t<T>;
    if (step > 0 ? upper < lower : lower < upper) return 0;
    // Unsigned arithmetic: the distance may not fit in the signed type, and the most negative step has no negation.
    const U distance =
        step > 0 ? static_cast<U>(upper) - static_cast<U>(lower) : static_cast<U>(lower) - static_cast<U>(upper);
    const U size = step > 0 ? static_cast<U>(step) : U(0) - static_cast<U>(step);
    return static_cast<std::uint64_t>(distance / size) + 1;
}

// One thread's part of a loop whose division is fixed beforehand.
template <class T>
void static_part(std::int32_t schedule, std::int32_t* is_last, T* lower, T* upper, std::make_signed_t<T>* stride,
                 std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
    using S = std::make_signed_t<T>;
    const auto thread = static_cast<std::uint64_t>(omp_get_thread_num());
    const auto threads = static_cast<std::uint64_t>(omp_get_num_threads());
    const std::uint64_t trips = trip_count(*lower, *upper, step);
    schedule &= ~kModifiers;
    const bool chunked = schedule == kStaticChunked || schedule == kOrderedStaticChunked ||
                         schedule == kDistributeStaticChunked || schedule == kStaticBalancedChunked;
    if (trips == 0) {
        // The bounds already say so; the stride only has to keep the caller's loop from running.
        if (is_last) *is_last = 0;
        *stride = step;
        return;
    }
    const auto at = [&](std::uint64_t iteration) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(*lower) +
                              static_cast<std::make_unsigned_t<T>>(iteration) *
                                  static_cast<std::make_unsigned_t<T>>(step));
    };
    if (chunked) {
        const std::uint64_t size = chunk < 1 ? 1 : static_cast<std::uint64_t>(chunk);
        const T first = at(thread * size), last = at(thread * size + size - 1);
        if (is_last) *is_last = (trips - 1) / size % threads == thread;
        *stride = static_cast<S>(static_cast<std::make_unsigned_t<T>>(size * threads) *
                                 static_cast<std::make_unsigned_t<T>>(step));
        *lower = first;
        *upper = last;
        return;
    }
    // As even as possible: the first `extra` threads do one iteration more.
    const std::uint64_t each = trips / threads, extra = trips % threads;
    const std::uint64_t begin = thread * each + (thread < extra ? thread : extra);
    const std::uint64_t count = each + (thread < extra ? 1 : 0);
    *stride = static_cast<S>(static_cast<std::make_unsigned_t<T>>(trips) * static_cast<std::make_unsigned_t<T>>(step));
    if (is_last) *is_last = count != 0 && begin + count == trips;
    if (count == 0) {
        // An empty range of this thread: the upper bound just before the lower one.
        *lower = at(trips);
        *upper = at(trips - 1);
        return;
    }
    const T first = at(begin), last = at(begin + count - 1);
    *lower = first;
    *upper = last;
}

// A loop that libgomp hands out in pieces. Iterations are numbered from 0 there.
struct SharedLoop {
    std::int32_t schedule;
    std::uint64_t lower;  // bits of the first value
    std::int64_t step;
    std::uint64_t trips;
    long chunk;
    bool started;
};
// A loop body may contain a parallel region with a loop of its own.
thread_local std::vector<SharedLoop> active_loops;

using Next = bool (*)(long*, long*);
using Start = bool (*)(long, long, long, long, long*, long*);
using RuntimeStart = bool (*)(long, long, long, long*, long*);

bool next_piece(SharedLoop& loop, long* first, long* past) {
    const bool ordered = loop.schedule >= kOrderedStaticChunked && loop.schedule <= kOrderedAuto;
    Start start = nullptr;
    RuntimeStart runtime = nullptr;
    Next next = nullptr;
    switch (loop.schedule) {
        case kDynamic:
            start = GOMP_loop_dynamic_start, next = GOMP_loop_dynamic_next;
            break;
        case kGuided:
            start = GOMP_loop_guided_start, next = GOMP_loop_guided_next;
            break;
        case kRuntime:
            runtime = GOMP_loop_runtime_start, next = GOMP_loop_runtime_next;
            break;
        case kOrderedDynamic:
            start = GOMP_loop_ordered_dynamic_start, next = GOMP_loop_ordered_dynamic_next;
            break;
        case kOrderedGuided:
            start = GOMP_loop_ordered_guided_start, next = GOMP_loop_ordered_guided_next;
            break;
        case kOrderedRuntime:
            runtime = GOMP_loop_ordered_runtime_start, next = GOMP_loop_ordered_runtime_next;
            break;
        default:
            start = ordered ? GOMP_loop_ordered_static_start : GOMP_loop_static_start;
            next = ordered ? GOMP_loop_ordered_static_next : GOMP_loop_static_next;
            break;
    }
    if (loop.started) return next(first, past);
    loop.started = true;
    const long trips = static_cast<long>(loop.trips);
    if (runtime) return runtime(0, trips, 1, first, past);
    // libgomp reads a chunk of 0 as "divide evenly" for static loops and needs at least 1 for the others.
    const bool even = loop.schedule == kStatic || loop.schedule == kOrderedStatic || loop.schedule == kAuto ||
                      loop.schedule == kOrderedAuto;
    return start(0, trips, 1, even ? 0 : loop.chunk < 1 ? 1 : loop.chunk, first, past);
}

template <class T>
void begin_loop(std::int32_t schedule, T lower, T upper, std::make_signed_t<T> step, std::make_signed_t<T> chunk) {
    active_loops.push_back({schedule & ~kModifiers, static_cast<std::uint64_t>(lower), step,
                            trip_count(lower, upper, step), static_cast<long>(chunk), false});
}
template <class T>
int next_in_loop(std::int32_t* is_last, T* lower, T* upper, std::make_signed_t<T>* stride) {
    SharedLoop& loop = active_loops.back();
    long first = 0, past = 0;
    if (!next_piece(loop, &first, &past)) {
        GOMP_loop_end_nowait();
        active_loops.pop_back();
        return 0;
    }
    const auto at = [&](long iteration) {
        return static_cast<T>(loop.lower +
                              static_cast<std::uint64_t>(iteration) * static_cast<std::uint64_t>(loop.step));
    };
    *lower = at(first);
    *upper = at(past - 1);
    if (stride) *stride = static_cast<std::make_signed_t<T>>(loop.step);
    if (is_last) *is_last = static_cast<std::uint64_t>(past) == loop.trips;
    return 1;
}

}  // namespace
}  // namespace vrocm::openmp

using namespace vrocm::openmp;

// Suffixes: 4 and 8 bytes, signed and unsigned.
#define VROCM_OPENMP_LOOPS(suffix, T, S)                                                                               \
    VROCM_OPENMP_API void __kmpc_for_static_init_##suffix(SourceLocation*, std::int32_t, std::int32_t schedule,        \
                                                          std::int32_t* is_last, T* lower, T* upper, S* stride,        \
                                                          S step, S chunk) {                                           \
        static_part<T>(schedule, is_last, lower, upper, stride, step, chunk);                                          \
    }                                                                                                                  \
    VROCM_OPENMP_API void __kmpc_dispatch_init_##suffix(SourceLocation*, std::int32_t, std::int32_t schedule, T lower, \
                                                        T upper, S step, S chunk) {                                    \
        begin_loop<T>(schedule, lower, upper, step, chunk);                                                            \
    }                                                                                                                  \
    VROCM_OPENMP_API int __kmpc_dispatch_next_##suffix(SourceLocation*, std::int32_t, std::int32_t* is_last, T* lower, \
                                                       T* upper, S* stride) {                                          \
        return next_in_loop<T>(is_last, lower, upper, stride);                                                         \
    }                                                                                                                  \
    VROCM_OPENMP_API void __kmpc_dispatch_fini_##suffix(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_LOOPS(4, std::int32_t, std::int32_t)
VROCM_OPENMP_LOOPS(4u, std::uint32_t, std::int32_t)
VROCM_OPENMP_LOOPS(8, std::int64_t, std::int64_t)
VROCM_OPENMP_LOOPS(8u, std::uint64_t, std::int64_t)

VROCM_OPENMP_API void __kmpc_for_static_fini(SourceLocation*, std::int32_t) {}
VROCM_OPENMP_API void __kmpc_dispatch_deinit(SourceLocation*, std::int32_t) {}

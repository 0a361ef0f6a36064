// Explicit tasks.
#include <cstdlib>
#include <vector>

#include "openmp/clang_openmp.h"

namespace vrocm::openmp {
namespace {

struct Task;
using TaskEntry = std::int32_t (*)(std::int32_t, Task*);

// What the compiler knows of a task (kmp_task_t); its private variables follow.
struct Task {
    void* shared;
    TaskEntry entry;
    std::int32_t part;
    void* data[2];
};
// A dependence (kmp_depend_info): bit 0 in, bit 1 out.
struct Dependence {
    std::intptr_t address;
    std::size_t length;
    std::uint8_t flags;
};
constexpr unsigned kTaskHasDependences = 8;  // GOMP_TASK_FLAG_DEPEND

void run_task(void* data) {
    Task* const task = *static_cast<Task**>(data);
    task->entry(omp_get_thread_num(), task);
    std::free(task);
}

// libgomp wants the count, the count of outputs, the outputs' addresses, then the inputs'.
std::vector<void*> dependences(std::int32_t count, const Dependence* list) {
    std::vector<void*> outputs, inputs;
    for (std::int32_t i = 0; i < count; ++i)
        (list[i].flags & 2 ? outputs : inputs).push_back(reinterpret_cast<void*>(list[i].address));
    std::vector<void*> all = {reinterpret_cast<void*>(outputs.size() + inputs.size()),
                              reinterpret_cast<void*>(outputs.size())};
    all.insert(all.end(), outputs.begin(), outputs.end());
    all.insert(all.end(), inputs.begin(), inputs.end());
    return all;
}

}  // namespace
}  // namespace vrocm::openmp

using namespace vrocm::openmp;

VROCM_OPENMP_API Task* __kmpc_omp_task_alloc(SourceLocation*, std::int32_t, std::int32_t, std::size_t task_size,
                                             std::size_t shared_size, TaskEntry entry) {
    constexpr std::size_t alignment = alignof(std::max_align_t);
    const std::size_t offset = (task_size + alignment - 1) / alignment * alignment;
    Task* const task = static_cast<Task*>(std::calloc(1, offset + shared_size));
    if (!task) std::abort();
    task->shared = shared_size ? reinterpret_cast<char*>(task) + offset : nullptr;
    task->entry = entry;
    return task;
}
VROCM_OPENMP_API std::int32_t __kmpc_omp_task(SourceLocation*, std::int32_t, Task* task) {
    GOMP_task(run_task, &task, nullptr, sizeof(task), alignof(Task*), true, 0, nullptr, 0, nullptr);
    return 0;
}
VROCM_OPENMP_API std::int32_t __kmpc_omp_task_with_deps(SourceLocation*, std::int32_t, Task* task, std::int32_t count,
                                                        Dependence* list, std::int32_t, Dependence*) {
    std::vector<void*> depend = dependences(count, list);
    GOMP_task(run_task, &task, nullptr, sizeof(task), alignof(Task*), true, kTaskHasDependences, depend.data(), 0,
              nullptr);
    return 0;
}
VROCM_OPENMP_API void __kmpc_omp_wait_deps(SourceLocation*, std::int32_t, std::int32_t count, Dependence* list,
                                           std::int32_t, Dependence*) {
    std::vector<void*> depend = dependences(count, list);
    GOMP_taskwait_depend(depend.data());
}
// A task whose if clause is false: the compiler runs it itself, between these two.
VROCM_OPENMP_API void __kmpc_omp_task_begin_if0(SourceLocation*, std::int32_t, Task*) {}
VROCM_OPENMP_API void __kmpc_omp_task_complete_if0(SourceLocation*, std::int32_t, Task* task) {
    std::free(task);
}
VROCM_OPENMP_API std::int32_t __kmpc_omp_taskwait(SourceLocation*, std::int32_t) {
    GOMP_taskwait();
    return 0;
}
VROCM_OPENMP_API std::int32_t __kmpc_omp_taskyield(SourceLocation*, std::int32_t, int) {
    GOMP_taskyield();
    return 0;
}
VROCM_OPENMP_API void __kmpc_taskgroup(SourceLocation*, std::int32_t) {
    GOMP_taskgroup_start();
}
VROCM_OPENMP_API void __kmpc_end_taskgroup(SourceLocation*, std::int32_t) {
    GOMP_taskgroup_end();
}

/* The OpenMP API for host code (OpenMP 5.0, chapter 3). The functions are those of the system's libgomp; lock types
 * have its sizes. */
#ifndef VROCM_OMP_H
#define VROCM_OMP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#define VROCM_OMP_NOTHROW noexcept
#else
#define VROCM_OMP_NOTHROW
#endif

typedef struct {
    unsigned char opaque[4] __attribute__((aligned(4)));
} omp_lock_t;
typedef struct {
    unsigned char opaque[16] __attribute__((aligned(8)));
} omp_nest_lock_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000u
} omp_sched_t;
typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_master = 2,
    omp_proc_bind_primary = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;
typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_lock_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_lock_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_lock_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

/* Threads and teams. */
void omp_set_num_threads(int) VROCM_OMP_NOTHROW;
int omp_get_num_threads(void) VROCM_OMP_NOTHROW;
int omp_get_max_threads(void) VROCM_OMP_NOTHROW;
int omp_get_thread_num(void) VROCM_OMP_NOTHROW;
int omp_get_num_procs(void) VROCM_OMP_NOTHROW;
int omp_in_parallel(void) VROCM_OMP_NOTHROW;
void omp_set_dynamic(int) VROCM_OMP_NOTHROW;
int omp_get_dynamic(void) VROCM_OMP_NOTHROW;
void omp_set_nested(int) VROCM_OMP_NOTHROW;
int omp_get_nested(void) VROCM_OMP_NOTHROW;
void omp_set_schedule(omp_sched_t, int) VROCM_OMP_NOTHROW;
void omp_get_schedule(omp_sched_t*, int*) VROCM_OMP_NOTHROW;
int omp_get_thread_limit(void) VROCM_OMP_NOTHROW;
void omp_set_max_active_levels(int) VROCM_OMP_NOTHROW;
int omp_get_max_active_levels(void) VROCM_OMP_NOTHROW;
int omp_get_supported_active_levels(void) VROCM_OMP_NOTHROW;
int omp_get_level(void) VROCM_OMP_NOTHROW;
int omp_get_ancestor_thread_num(int) VROCM_OMP_NOTHROW;
int omp_get_team_size(int) VROCM_OMP_NOTHROW;
int omp_get_active_level(void) VROCM_OMP_NOTHROW;
int omp_in_final(void) VROCM_OMP_NOTHROW;
int omp_get_cancellation(void) VROCM_OMP_NOTHROW;
omp_proc_bind_t omp_get_proc_bind(void) VROCM_OMP_NOTHROW;
int omp_get_num_places(void) VROCM_OMP_NOTHROW;
int omp_get_place_num_procs(int) VROCM_OMP_NOTHROW;
void omp_get_place_proc_ids(int, int*) VROCM_OMP_NOTHROW;
int omp_get_place_num(void) VROCM_OMP_NOTHROW;
int omp_get_num_teams(void) VROCM_OMP_NOTHROW;
int omp_get_team_num(void) VROCM_OMP_NOTHROW;
int omp_get_max_task_priority(void) VROCM_OMP_NOTHROW;

/* Devices: the host is the only one here. */
int omp_get_num_devices(void) VROCM_OMP_NOTHROW;
int omp_get_default_device(void) VROCM_OMP_NOTHROW;
void omp_set_default_device(int) VROCM_OMP_NOTHROW;
int omp_get_initial_device(void) VROCM_OMP_NOTHROW;
int omp_is_initial_device(void) VROCM_OMP_NOTHROW;

/* Locks. */
void omp_init_lock(omp_lock_t*) VROCM_OMP_NOTHROW;
void omp_init_lock_with_hint(omp_lock_t*, omp_sync_hint_t) VROCM_OMP_NOTHROW;
void omp_destroy_lock(omp_lock_t*) VROCM_OMP_NOTHROW;
void omp_set_lock(omp_lock_t*) VROCM_OMP_NOTHROW;
void omp_unset_lock(omp_lock_t*) VROCM_OMP_NOTHROW;
int omp_test_lock(omp_lock_t*) VROCM_OMP_NOTHROW;
void omp_init_nest_lock(omp_nest_lock_t*) VROCM_OMP_NOTHROW;
void omp_init_nest_lock_with_hint(omp_nest_lock_t*, omp_sync_hint_t) VROCM_OMP_NOTHROW;
void omp_destroy_nest_lock(omp_nest_lock_t*) VROCM_OMP_NOTHROW;
void omp_set_nest_lock(omp_nest_lock_t*) VROCM_OMP_NOTHROW;
void omp_unset_nest_lock(omp_nest_lock_t*) VROCM_OMP_NOTHROW;
int omp_test_nest_lock(omp_nest_lock_t*) VROCM_OMP_NOTHROW;

/* Time. */
double omp_get_wtime(void) VROCM_OMP_NOTHROW;
double omp_get_wtick(void) VROCM_OMP_NOTHROW;

#ifdef __cplusplus
}
#endif
#undef VROCM_OMP_NOTHROW

#endif

/* The virtual clock. libhsa-runtime64 keeps it and exports these functions; libamdhip64 calls them. All of it is
   private to this prefix. See docs/how-it-works/time.md.

   Every host thread has a clock in virtual nanoseconds. API calls advance it by modelled costs; waiting for the GPU
   advances it to the moment at which that is done. With VROCM_TIMING=off the clock is the host's and the functions
   that change it do nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "abi/hsa/hsa.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* 1: time is virtual. 0: VROCM_TIMING=off. */
int vrocm_clock_is_virtual(void);
/* The time of the calling thread. */
uint64_t vrocm_clock_now(void);
/* Host work that takes so long. */
void vrocm_clock_advance(uint64_t nanoseconds);
/* What follows on this thread comes after something that happened at this time. */
void vrocm_clock_not_before(uint64_t time);

/* What kind of work an API call is, for its cost. */
enum vrocm_clock_cost {
    VROCM_COST_NONE,
    VROCM_COST_TRIVIAL,  /* reads or writes a few fields */
    VROCM_COST_QUERY,    /* looks up an object, asks whether work is done */
    VROCM_COST_LAUNCH,   /* submits a kernel */
    VROCM_COST_RECORD,   /* submits a marker */
    VROCM_COST_COPY,     /* submits a copy or a fill */
    VROCM_COST_WAIT,     /* waits for the GPU: what the call itself costs */
    VROCM_COST_CREATE,   /* makes or destroys an object of the runtime */
    VROCM_COST_QUEUE,    /* makes a hardware queue */
    VROCM_COST_ALLOCATE, /* maps memory */
    VROCM_COST_FREE,
    VROCM_COST_LOAD_CODE, /* loads a code object */
    VROCM_COST_SIGNAL,    /* an atomic operation on a signal */
    VROCM_COST_COUNT
};

/* Around a call into a public function. Only the outermost is charged: a HIP function that calls HSA costs what
   the HIP function costs. */
void vrocm_clock_call_begin(enum vrocm_clock_cost cost);
void vrocm_clock_call_end(void);
/* The call asked whether something is done, and it is not: whoever asks many times in a row asks in growing
   intervals of virtual time, so that loops that also sleep come to an end. */
void vrocm_clock_query_failed(void);

/* A thread of the runtime that serves others (runs the host functions of a stream). It has nothing to do until
   begin() says that there is work, asked for at `time`; idle() says that there is none left. */
void* vrocm_clock_service_create(void);
void vrocm_clock_service_bind(void* service); /* on the thread itself */
void vrocm_clock_service_begin(void* service, uint64_t time);
void vrocm_clock_service_idle(void* service);
void vrocm_clock_service_destroy(void* service);
/* What it takes from the end of GPU work to a host function that waits for it, on the calling thread. */
void vrocm_clock_handler_wake_up(void);

/* Has the signal gone below 1 in real time, whatever virtual time it is? For reusing memory. */
int vrocm_clock_really_done(hsa_signal_t signal);
/* Is the signal known to be below 1 at the thread's time? Never waits: what nobody has asked for yet may be done
   and not known to be. */
int vrocm_clock_known_done(hsa_signal_t signal);
/* The signal begins anew with the value it has, as if it had just been created: a thread whose time is earlier must
   not see what it said in its former use. */
void vrocm_clock_begin_anew(hsa_signal_t signal);
/* Waits for signals that a failed queue will never change return from now on. */
void vrocm_clock_abandon_waits(void);

/* Work that a blit kernel or a copy engine does on hardware and a function does here. */
enum vrocm_blit { VROCM_BLIT_FILL, VROCM_BLIT_COPY };
typedef struct vrocm_blit_work {
    enum vrocm_blit kind;
    hsa_agent_t agent;    /* the GPU that does it */
    hsa_agent_t to, from; /* owners of the memory */
    const void *target, *source;
    uint64_t bytes;
    int (*function)(void* data); /* 0: it could not be done. Called once; */
    void (*release)(void* data); /* then this. */
    void* data;
} vrocm_blit_work;
hsa_status_t vrocm_clock_blit(const vrocm_blit_work* work, uint32_t dependency_count, const hsa_signal_t* dependencies,
                              hsa_signal_t completion);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

// Signals: one that is set anew or destroyed no longer stands for what it stood for.
#include "capture/bookkeeping/copies_in_flight.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

hsa_status_t destroy(hsa_signal_t signal) {
    if (session().phase() != Phase::Inert) {
        copies_in_flight().signal_gone(signal);
        queues().signal_gone(signal);
        session().signal_gone(signal);
    }
    return original().core.hsa_signal_destroy_fn(signal);
}

void store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_reset(signal);
    original().core.hsa_signal_store_relaxed_fn(signal, value);
}

void store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_reset(signal);
    original().core.hsa_signal_store_screlease_fn(signal, value);
}

void silent_store_relaxed(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_reset(signal);
    original().core.hsa_signal_silent_store_relaxed_fn(signal, value);
}

void silent_store_screlease(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_reset(signal);
    original().core.hsa_signal_silent_store_screlease_fn(signal, value);
}

// The other ways to set a signal anew: by adding to it, exchanging it, or comparing first.
template <auto Function>
void change(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_changing(signal);
    (original().core.*Function)(signal, value);
}

template <auto Function>
hsa_signal_value_t exchange(hsa_signal_t signal, hsa_signal_value_t value) {
    copies_in_flight().signal_changing(signal);
    return (original().core.*Function)(signal, value);
}

template <auto Function>
hsa_signal_value_t compare(hsa_signal_t signal, hsa_signal_value_t expected, hsa_signal_value_t value) {
    copies_in_flight().signal_changing(signal);
    return (original().core.*Function)(signal, expected, value);
}

#define RPL_WITH_ORDER(order)                                                                                         \
    RPL_REPLACE(table.core_, hsa_signal_add_##order, change<&CoreApiTable::hsa_signal_add_##order##_fn>);             \
    RPL_REPLACE(table.core_, hsa_signal_subtract_##order, change<&CoreApiTable::hsa_signal_subtract_##order##_fn>);   \
    RPL_REPLACE(table.core_, hsa_signal_or_##order, change<&CoreApiTable::hsa_signal_or_##order##_fn>);               \
    RPL_REPLACE(table.core_, hsa_signal_xor_##order, change<&CoreApiTable::hsa_signal_xor_##order##_fn>);             \
    RPL_REPLACE(table.core_, hsa_signal_exchange_##order, exchange<&CoreApiTable::hsa_signal_exchange_##order##_fn>); \
    RPL_REPLACE(table.core_, hsa_signal_cas_##order, compare<&CoreApiTable::hsa_signal_cas_##order##_fn>)

}  // namespace

void install_signals(HsaApiTable& table) {
    RPL_REPLACE(table.core_, hsa_signal_destroy, destroy);
    RPL_REPLACE(table.core_, hsa_signal_store_relaxed, store_relaxed);
    RPL_REPLACE(table.core_, hsa_signal_store_screlease, store_screlease);
    RPL_REPLACE(table.core_, hsa_signal_silent_store_relaxed, silent_store_relaxed);
    RPL_REPLACE(table.core_, hsa_signal_silent_store_screlease, silent_store_screlease);
    RPL_WITH_ORDER(relaxed);
    RPL_WITH_ORDER(scacquire);
    RPL_WITH_ORDER(screlease);
    RPL_WITH_ORDER(scacq_screl);
}

}  // namespace rpl::capture

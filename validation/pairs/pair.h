// Output of the variant pairs: one JSON line {"pair": ..., "variant": ..., "ms": ...} for each variant. Names of
// pairs on the command line select them.
#pragma once

#include "../include/measure.h"

template <class Body>
void variant(const char* pair, const char* name, Body body) {
    if (!wanted(pair)) return;
    std::printf("{\"pair\": \"%s\", \"variant\": \"%s\", \"ms\": %.6f}\n", pair, name, event_ms(body));
    std::fflush(stdout);
}

constexpr std::size_t kMiB = std::size_t(1) << 20;

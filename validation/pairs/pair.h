// Output of the variant pairs: one JSON line {"pair": ..., "variant": ..., "ms": ...} for each variant.
#pragma once

#include "../include/measure.h"

template <class Body>
void variant(const char* pair, const char* name, Body body) {
    std::printf("{\"pair\": \"%s\", \"variant\": \"%s\", \"ms\": %.6f}\n", pair, name, event_ms(body));
    std::fflush(stdout);
}

constexpr std::size_t kMiB = std::size_t(1) << 20;

// Output of the microbenchmarks: one JSON line {"name": ..., "value": ..., "unit": ...} for each figure.
// Names of figures on the command line select them.
#pragma once

#include <cstdint>
#include <vector>

#include "../include/measure.h"

inline void report(const char* name, double value, const char* unit) {
    std::printf("{\"name\": \"%s\", \"value\": %.3f, \"unit\": \"%s\"}\n", name, value, unit);
    std::fflush(stdout);
}

// A tools library that stands for a newer runtime: it loads the tool that TOOL names with three more functions at the
// end of AMD's table, and calls the second of them. It says whether the call came through as it was made.
#include <dlfcn.h>
#include <hsa/hsa_api_trace.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct NewerTable {
    AmdExtTable known;
    void* added[3];
} newer;

// More arguments than there are registers for.
double added(int a, double b, const char* c, long d, long e, long f, long g, long h, double i) {
    return a + b + std::strlen(c) + d + e + f + g + h + i;
}

void* tool = nullptr;

}  // namespace

extern "C" bool OnLoad(HsaApiTable* table, uint64_t version, uint64_t failures, const char* const* names) {
    newer.known = *table->amd_ext_;
    newer.known.version.minor_id = sizeof newer;
    for (void*& function : newer.added) function = reinterpret_cast<void*>(&added);
    HsaApiTable given = *table;
    given.amd_ext_ = &newer.known;
    tool = dlopen(std::getenv("TOOL"), RTLD_NOW);
    if (!tool) return false;
    auto* load = reinterpret_cast<bool (*)(HsaApiTable*, uint64_t, uint64_t, const char* const*)>(dlsym(tool, "OnLoad"));
    if (!load(&given, version, failures, names)) return false;
    copyApi(table->amd_ext_, &newer.known, sizeof newer.known);
    auto* call = reinterpret_cast<decltype(&added)>(newer.added[1]);
    const bool replaced = call != &added;
    const double sum = call(1, 2.5, "abc", 4, 5, 6, 7, 8, 9.25);
    std::fprintf(stderr, "%s, %g\n", replaced ? "replaced" : "not replaced", sum);
    return true;
}

extern "C" void OnUnload() {
    reinterpret_cast<void (*)()>(dlsym(tool, "OnUnload"))();
}

#include "hsa/tools.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "hsa/api/table.h"

namespace vrocm::hsa {

namespace {

using OnLoad = bool (*)(HsaApiTable* table, std::uint64_t runtime_version, std::uint64_t failed_tool_count,
                        const char* const* failed_tool_names);
using OnUnload = void (*)();

std::vector<void*> loaded;

// Names are separated by blanks; one in double quotes may contain them.
std::vector<std::string> split_names(const std::string& text) {
    std::vector<std::string> names(1);
    bool quoted = false;
    for (char c : text) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ' ' && !quoted)
            names.emplace_back();
        else
            names.back() += c;
    }
    std::erase(names, "");
    return names;
}

}  // namespace

void load_tools() {
    const char* text = std::getenv("HSA_TOOLS_LIB");
    if (!text || !*text) return;
    std::vector<std::string> failed;
    for (const std::string& name : split_names(text)) {
        void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::fprintf(stderr, "vrocm: tool library not loaded: %s\n", dlerror());
            failed.push_back(name);
            continue;
        }
        const auto on_load = reinterpret_cast<OnLoad>(dlsym(library, "OnLoad"));
        std::vector<const char*> failed_names;
        for (const std::string& f : failed) failed_names.push_back(f.c_str());
        HsaApiTable& table = api_tables().root;
        if (on_load && !on_load(&table, table.version.major_id, failed_names.size(), failed_names.data())) {
            failed.push_back(name);
            dlclose(library);
            continue;
        }
        loaded.push_back(library);
    }
}

void unload_tools() {
    if (loaded.empty()) return;
    while (!loaded.empty()) {
        void* library = loaded.back();
        loaded.pop_back();
        if (const auto on_unload = reinterpret_cast<OnUnload>(dlsym(library, "OnUnload"))) on_unload();
        // Not closed: a thread of the tool may still run its code.
    }
    reset_api_tables();
}

}  // namespace vrocm::hsa

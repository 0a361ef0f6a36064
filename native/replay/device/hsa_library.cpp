#include "replay/device/hsa_library.h"

#include <dlfcn.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "replay/failure.h"

namespace rpl::replay {

namespace {

constexpr const char* kDefaultLibrary = "libhsa-runtime64.so.1";
constexpr const char* kWhereToFindOne =
    "install ROCm 6 or later, put its lib folder on LD_LIBRARY_PATH, or name the library with --hsa";

std::string real_path(const char* path) {
    char resolved[PATH_MAX];
    return realpath(path, resolved) ? resolved : "";
}

}  // namespace

HsaLibrary::HsaLibrary(const std::string& path) {
    const std::string name = path.empty() ? kDefaultLibrary : path;
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char* why = dlerror();
        throw Failure{ExitCode::NoDevice, "runtime",
                      "the HSA runtime " + name + " could not be loaded: " + (why ? why : "unknown reason"),
                      kWhereToFindOne};
    }
#define RPL_FIND(function)                                                                                      \
    if (!(function = reinterpret_cast<decltype(function)>(dlsym(library, #function))))                          \
        throw Failure{ExitCode::NoDevice, "runtime", "the HSA runtime " + name + " has no function " #function, \
                      kWhereToFindOne};
    RPL_HSA_FUNCTIONS(RPL_FIND)
#undef RPL_FIND
    Dl_info about{};
    if (dladdr(reinterpret_cast<void*>(hsa_init), &about) && about.dli_fname) path_ = about.dli_fname;
}

void HsaLibrary::start() {
    const hsa_status_t status = hsa_init();
    if (status != HSA_STATUS_SUCCESS)
        throw Failure{ExitCode::NoDevice, "runtime", "hsa_init failed: " + describe(status),
                      "check with rocminfo that the GPU is there and that this user may use it (groups render and "
                      "video)"};
    check(hsa_system_get_major_extension_table(HSA_EXTENSION_AMD_LOADER, 1, sizeof loader, &loader),
          "asking for the loader's functions");
    std::uint16_t major = 0, minor = 0;
    hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MAJOR, &major);
    hsa_system_get_info(HSA_SYSTEM_INFO_VERSION_MINOR, &minor);
    interface_version_ = std::to_string(major) + "." + std::to_string(minor);
    const char* text = nullptr;
    const auto build = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_BUILD_VERSION);
    if (hsa_system_get_info(build, &text) == HSA_STATUS_SUCCESS && text) build_ = text;
    const auto svm = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_SVM_SUPPORTED);
    if (hsa_system_get_info(svm, &shared_virtual_memory_) != HSA_STATUS_SUCCESS) shared_virtual_memory_ = false;
}

void HsaLibrary::stop() {
    hsa_shut_down();
}

std::string HsaLibrary::describe(hsa_status_t status) const {
    const char* words = nullptr;
    char number[32];
    std::snprintf(number, sizeof number, "status 0x%x", static_cast<unsigned>(status));
    if (hsa_status_string(status, &words) == HSA_STATUS_SUCCESS && words)
        return std::string(words) + " (" + number + ")";
    return number;
}

void HsaLibrary::check(hsa_status_t status, const std::string& what) const {
    if (status == HSA_STATUS_SUCCESS) return;
    throw Failure{ExitCode::HsaFailure, "hsa", what + " failed: " + describe(status),
                  "see whether the GPU is healthy and has enough free memory (rocminfo, rocm-smi), then try again"};
}

std::string HsaLibrary::rocm_version() const {
    // <prefix>/lib/libhsa-runtime64.so.1 and <prefix>/.info/version; the library may be a link into another folder.
    std::string version;
    for (const std::string& library : {path_, real_path(path_.c_str())}) {
        const auto file = library.rfind('/');
        const auto folder = file == std::string::npos || file == 0 ? std::string::npos : library.rfind('/', file - 1);
        if (folder == std::string::npos) continue;
        std::ifstream in(library.substr(0, folder) + "/.info/version");
        if (std::getline(in, version) && !version.empty()) return version;
    }
    return "";
}

std::uint64_t HsaLibrary::timestamp_frequency() const {
    std::uint64_t frequency = 0;
    check(hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency), "asking for the clock's frequency");
    return frequency;
}

}  // namespace rpl::replay

// Code objects that are loaded, and the table of their kernels by the address that dispatch packets hold.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "abi/hsa/hsa_ven_amd_loader.h"
#include "capture/settings.h"
#include "codeobj/code_object.h"

namespace rpl::capture {

struct ObservedCode {
    hsa_executable_t executable{0};
    hsa_agent_t agent{0};
    std::uint64_t base = 0, size = 0;
    std::int64_t delta = 0;
    std::string uri;
    // As the runtime was given it. Kept only when a kernel in it may be captured.
    std::vector<std::uint8_t> bytes;
    vrocm::codeobj::CodeObject object;
    bool contains(std::uint64_t address) const { return address >= base && address - base < size; }
};

struct Kernel {
    std::string name, demangled;  // without .kd
    std::uint64_t object = 0;
    bool wanted = false;  // its name is one that was asked for
    bool seen = false;    // dispatched before
    std::shared_ptr<const ObservedCode> code;
    const vrocm::codeobj::KernelMetadata* metadata = nullptr;  // in `code`; null when the note does not have it
};

class CodeObjects {
  public:
    // What a reader reads. A file is read at once: the application may close it.
    void reader_made(hsa_code_object_reader_t reader, const void* memory, std::size_t size);
    void reader_made(hsa_code_object_reader_t reader, int file);
    void reader_gone(hsa_code_object_reader_t reader);
    void loaded(hsa_loaded_code_object_t loaded, hsa_code_object_reader_t reader);
    // Symbols have addresses now: their kernels enter the table.
    void frozen(hsa_executable_t executable, const Settings& settings);
    void destroyed(hsa_executable_t executable);

    // For the packet path: no allocation. Null for code that is not known. Guard it with `mutex()`.
    Kernel* find(std::uint64_t kernel_object);
    std::mutex& mutex() { return mutex_; }
    std::vector<std::shared_ptr<const ObservedCode>> all() const;
    // Demangled names of kernels that were dispatched.
    std::vector<std::string> names_seen() const;

  private:
    struct Source {
        const std::uint8_t* memory = nullptr;
        std::size_t size = 0;
        std::vector<std::uint8_t> contents;
    };
    std::shared_ptr<ObservedCode> describe(hsa_executable_t executable, hsa_loaded_code_object_t loaded);

    mutable std::mutex mutex_;
    std::map<std::uint64_t, Source> readers_;
    std::map<std::uint64_t, std::vector<std::uint8_t>> given_;  // by loaded code object, until frozen
    std::vector<std::shared_ptr<const ObservedCode>> loaded_;
    std::map<std::uint64_t, Kernel> kernels_;  // by kernel object
    std::set<std::string> seen_before_;        // of code that is gone
};

CodeObjects& code_objects();

}  // namespace rpl::capture

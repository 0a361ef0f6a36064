// Executables: code objects loaded into the memory of agents, and their symbols.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "abi/hsa/hsa_ven_amd_loader.h"
#include "codeobj/loadable.h"
#include "hsa/agent/agent.h"

namespace vrocm::hsa {

// Where a code object comes from. Memory stays the client's; a file is read when the reader is made.
struct CodeReader {
    hsa_ven_amd_loader_code_object_storage_type_t storage = HSA_VEN_AMD_LOADER_CODE_OBJECT_STORAGE_TYPE_MEMORY;
    const std::uint8_t* data = nullptr;
    std::size_t size = 0;
    int file = -1;
    std::vector<std::uint8_t> contents;
    std::string uri;
};

struct Executable;
struct LoadedCodeObject;

// Of the arguments of every kernel, as ROCr has it (loader/executable.cpp), whatever metadata say.
inline constexpr std::uint32_t kKernargAlignment = 16;

struct ExecutableSymbol {
    std::string name;
    hsa_symbol_kind_t kind = HSA_SYMBOL_KIND_VARIABLE;
    Agent* agent = nullptr;  // null: program scope
    std::uint64_t address = 0;
    std::uint32_t size = 0, alignment = 0;
    bool constant = false, global = true, definition = true;
    std::uint32_t kernarg_size = 0, group_size = 0, private_size = 0;
    bool dynamic_stack = false;
    hsa_executable_symbol_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
};

struct LoadedCodeObject {
    Executable* executable = nullptr;
    Agent* agent = nullptr;
    CodeReader source;  // without contents
    std::uint64_t base = 0, size = 0;
    std::int64_t delta = 0;  // base - first vaddr
    struct Unresolved {
        std::uint64_t address;
        std::uint32_t type;
        std::int64_t addend;
        std::string symbol;
    };
    std::vector<Unresolved> unresolved;
    hsa_loaded_code_object_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
};

struct Executable {
    hsa_profile_t profile = HSA_PROFILE_FULL;
    hsa_default_float_rounding_mode_t rounding = HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT;
    bool frozen = false;
    std::list<LoadedCodeObject> objects;
    std::list<ExecutableSymbol> symbols;
    std::map<std::pair<Agent*, std::string>, std::uint64_t> defined;  // by the client; null agent: program
    hsa_executable_t handle() const { return {reinterpret_cast<std::uint64_t>(this)}; }
};

class Executables {
  public:
    ~Executables();

    hsa_status_t make_reader(const void* memory, std::size_t size, hsa_code_object_reader_t* reader);
    hsa_status_t make_reader(int file, std::size_t offset, std::size_t size, bool whole,
                             hsa_code_object_reader_t* reader);
    hsa_status_t destroy_reader(hsa_code_object_reader_t reader);

    hsa_status_t create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, bool frozen,
                        hsa_executable_t* executable);
    hsa_status_t destroy(hsa_executable_t executable);
    hsa_status_t load(hsa_executable_t executable, Agent& agent, hsa_code_object_reader_t reader,
                      hsa_loaded_code_object_t* loaded);
    hsa_status_t freeze(hsa_executable_t executable);
    hsa_status_t define(hsa_executable_t executable, Agent* agent, const char* name, void* address);

    // Calls f with the object behind a handle, under the lock; the status for a bad handle otherwise.
    hsa_status_t with(hsa_executable_t executable, const std::function<hsa_status_t(Executable&)>& f);
    hsa_status_t with(hsa_executable_symbol_t symbol, const std::function<hsa_status_t(ExecutableSymbol&)>& f);
    hsa_status_t with(hsa_loaded_code_object_t object, const std::function<hsa_status_t(LoadedCodeObject&)>& f);
    // Handles, for iteration with callbacks outside the lock.
    std::vector<hsa_executable_t> all() const;
    std::vector<LoadedCodeObject*> loaded_objects() const;
    LoadedCodeObject* object_at(std::uint64_t address) const;

    // Whether a kernel descriptor may lie at the address.
    bool is_kernel(const Agent& agent, std::uint64_t address) const;

  private:
    Executable* find(hsa_executable_t handle) const;
    CodeReader* find(hsa_code_object_reader_t handle) const;
    hsa_status_t place(Executable& executable, Agent& agent, const CodeReader& reader, const codeobj::Loadable& code,
                       LoadedCodeObject** loaded);
    void copy_segments(const LoadedCodeObject& object, const CodeReader& reader, const codeobj::Loadable& code);
    bool relocate(LoadedCodeObject& object, const codeobj::Loadable& code, const Executable& executable);
    void add_symbols(Executable& executable, const LoadedCodeObject& object, const codeobj::Loadable& code);
    void unload(const LoadedCodeObject& object);

    mutable std::recursive_mutex mutex_;  // callbacks of iterations may call in again
    std::map<std::uint64_t, std::unique_ptr<CodeReader>> readers_;
    std::map<std::uint64_t, std::unique_ptr<Executable>> executables_;
    std::map<std::uint64_t, LoadedCodeObject*> by_base_;
    std::unordered_set<std::uint64_t> symbols_;  // handles
};

}  // namespace vrocm::hsa

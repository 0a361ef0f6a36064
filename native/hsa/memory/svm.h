// Attributes of shared virtual memory: ranges of the application's own memory, page by page.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "abi/hsa/hsa_ext_amd.h"

namespace vrocm::hsa {

class SvmAttributes {
  public:
    hsa_status_t set(std::uint64_t begin, std::uint64_t size, const hsa_amd_svm_attribute_pair_t* list,
                     std::size_t count);
    hsa_status_t get(std::uint64_t begin, std::uint64_t size, hsa_amd_svm_attribute_pair_t* list, std::size_t count);
    void prefetched(std::uint64_t begin, std::uint64_t size, hsa_agent_t agent);

  private:
    struct Attributes {
        std::uint64_t values[HSA_AMD_SVM_ATTRIB_GPU_EXEC + 1] = {};  // by attribute
        std::map<std::uint64_t, std::uint64_t> access;               // agent handle -> access attribute
        bool operator==(const Attributes&) const = default;
    };
    struct Range {
        std::uint64_t end = 0;
        Attributes attributes;
        std::uint64_t host_range = 0;  // identity in HostRanges while a GPU has access
    };
    void cut(std::uint64_t at);
    template <typename F>
    void change(std::uint64_t begin, std::uint64_t end, F&& f);
    void expose(std::uint64_t begin, Range& range);

    std::mutex mutex_;
    std::map<std::uint64_t, Range> ranges_;  // by begin; disjoint
};

}  // namespace vrocm::hsa

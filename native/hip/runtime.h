// The process-wide state of HIP: the devices, made on the first call that needs them.
#pragma once

#include <memory>
#include <vector>

#include "abi/hsa/hsa.h"
#include "hip/hip_abi.h"

namespace vrocm::hip {

class Device;
class Stream;

class HipRuntime {
  public:
    // Initialises HSA on first use. Throws hipErrorNoDevice or hipErrorNotInitialized.
    static HipRuntime& get();
    // The same, but null instead of a first initialisation.
    static HipRuntime* get_if_initialised();
    static void flush_printf_of_all_streams();

    int device_count() const { return static_cast<int>(devices_.size()); }
    Device& device(int id);  // throws hipErrorInvalidDevice
    const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }
    hsa_agent_t host_agent() const { return host_; }
    const std::vector<hsa_agent_t>& gpu_agents() const { return gpu_agents_; }

  private:
    HipRuntime();
    void find_agents();
    hsa_agent_t host_{};
    std::vector<hsa_agent_t> gpu_agents_;  // of visible devices
    std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace vrocm::hip

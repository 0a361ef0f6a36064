// The kernarg segment for this process: the captured bytes, with hidden arguments bound anew by what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "replay/captured/folder.h"

namespace rpl::replay {

struct KernelArguments {
    std::vector<std::uint8_t> bytes;
    std::vector<std::string> rebound;  // "hidden_queue_ptr", …
    std::vector<std::string> notes;    // for people
};

// For the captured kernel: only arguments that belong to the process change. `queue` is the address of the queue.
KernelArguments rebind(const Capture& capture, std::uint64_t queue);

// For another build of the kernel, whose hidden arguments may differ in kind and place. Explicit arguments have to
// agree in number, place, size and kind: throws Failure that shows both lists.
KernelArguments rebind_for_variant(const Capture& capture, const vrocm::codeobj::KernelMetadata& variant,
                                   const std::string& path, std::uint64_t queue);

// The kernel of the captured name among those of a code object. Throws Failure that lists what there is.
const vrocm::codeobj::KernelMetadata& same_kernel(const Capture& capture, const vrocm::codeobj::CodeObject& code,
                                                  const std::string& path);

}  // namespace rpl::replay

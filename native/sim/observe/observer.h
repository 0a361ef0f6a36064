// Watching kernels run: what executes an instruction knows nothing of who looks at it.
//
// A DispatchObserver belongs to one dispatch and makes one Watcher for each host thread that runs workgroups of it.
// Watchers are told in the order in which their thread executes; what they found is brought together by finish(),
// when nothing runs any more. Without an observer the cost is the one branch of a memory instruction that asks
// whether anybody wants its addresses.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/code/op.h"
#include "sim/machine.h"
#include "sim/wave/workgroup.h"

namespace vrocm::sim::observe {

enum class Space : std::uint8_t { Global, Lds, Scratch };
enum class Kind : std::uint8_t { Read, Write, Atomic };

// The bytes that one memory instruction of one wave touches in one address space.
struct Access {
    const Wave& wave;  // and through it the workgroup
    const Op& op;      // and through it the pc
    Space space = Space::Global;
    Kind kind = Kind::Read;
    bool scalar = false;    // by the wave as a whole; its address is that of lane 0
    bool completed = true;  // false: the instruction faulted, maybe after some of its lanes
    std::uint64_t lanes = 0;
    unsigned bytes = 0;  // at each lane's address
    // Of each lane: an address of the process, an offset into the workgroup's LDS or into the lane's scratch.
    const std::uint64_t* address = nullptr;
};

class Watcher {
  public:
    virtual ~Watcher() = default;
    virtual void group_started(const Workgroup&) {}
    virtual void group_ended(const Workgroup&) {}  // every wave has ended, or one has faulted
    virtual void access(const Access&) {}
    // The waves of the group that have not ended have all come to a barrier, and go on.
    virtual void barrier(const Workgroup&) {}
    // An instruction of a wave is about to run. Only those that want it are told: it costs much.
    virtual bool wants_instructions() const { return false; }
    virtual void instruction(const Wave&, const Op&) {}
};

// How a dispatch ended.
enum class Ending : std::uint8_t { Done, Faulted };

class DispatchObserver {
  public:
    virtual ~DispatchObserver() = default;
    virtual std::unique_ptr<Watcher> watcher() = 0;  // it is gone before the observer is
    virtual void finish(Ending ending) = 0;
    // What its watchers find depends on the order of workgroups: all of them run on one host thread.
    virtual bool wants_one_thread() const { return false; }
};

// Several as one.
class Watchers {
  public:
    explicit Watchers(const std::vector<std::unique_ptr<DispatchObserver>>& observers);
    void group_started(const Workgroup& group);
    void group_ended(const Workgroup& group);
    void barrier(const Workgroup& group);
    bool want_instructions() const { return !curious_.empty(); }
    void instruction(const Wave& wave, const Op& op);
    // An instruction that has run and what its handler recorded, told apart by address space.
    void memory(const Wave& wave, const Op& op, const MemoryAccess& recorded);

  private:
    void tell(const Access& access);
    void tell_buffer(Access access, const MemoryAccess& recorded);
    void tell_flat(Access access, const MemoryAccess& recorded);
    std::vector<std::unique_ptr<Watcher>> all_;
    std::vector<Watcher*> curious_;  // those that want instructions
};

using Observers = std::vector<std::unique_ptr<DispatchObserver>>;

}  // namespace vrocm::sim::observe

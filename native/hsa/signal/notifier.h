// A place to sleep until something changed. Waking costs one load when nobody sleeps.
#pragma once

#include <atomic>
#include <cstdint>

namespace vrocm::hsa {

class Notifier {
  public:
    // Take a ticket, look at the world, then wait: a wake between ticket and wait is not lost.
    class Ticket {
      public:
        explicit Ticket(Notifier& notifier);
        ~Ticket();
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
        // Returns after a wake since the ticket was taken, after the time, or for no reason.
        void wait(std::uint64_t nanoseconds);

      private:
        Notifier& notifier_;
        std::uint32_t seen_;
    };
    void wake();

  private:
    std::atomic<std::uint32_t> epoch_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};

// Sleeps while the word has the value, at most so long; false when the time ran out. `shared`: the word may lie
// in memory that another process maps too.
bool futex_wait(const void* word, std::uint32_t value, std::uint64_t nanoseconds, bool shared);
void futex_wake_all(const void* word, bool shared);

}  // namespace vrocm::hsa

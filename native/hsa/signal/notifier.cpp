#include "hsa/signal/notifier.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>

namespace vrocm::hsa {

bool futex_wait(const void* word, std::uint32_t value, std::uint64_t nanoseconds, bool shared) {
    const timespec limit{static_cast<time_t>(nanoseconds / 1'000'000'000),
                         static_cast<long>(nanoseconds % 1'000'000'000)};
    const int operation = shared ? FUTEX_WAIT : FUTEX_WAIT_PRIVATE;
    return syscall(SYS_futex, word, operation, value, &limit, nullptr, 0) == 0 || errno != ETIMEDOUT;
}

void futex_wake_all(const void* word, bool shared) {
    syscall(SYS_futex, word, shared ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

Notifier::Ticket::Ticket(Notifier& notifier) : notifier_(notifier) {
    notifier_.sleepers_.fetch_add(1);
    seen_ = notifier_.epoch_.load();
}

Notifier::Ticket::~Ticket() {
    notifier_.sleepers_.fetch_sub(1);
}

void Notifier::Ticket::wait(std::uint64_t nanoseconds) {
    futex_wait(&notifier_.epoch_, seen_, nanoseconds, false);
    seen_ = notifier_.epoch_.load();
}

void Notifier::wake() {
    if (sleepers_.load() == 0) return;
    epoch_.fetch_add(1);
    futex_wake_all(&epoch_, false);
}

}  // namespace vrocm::hsa

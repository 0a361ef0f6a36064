// Calls that change memory or what is known of it pass here: while a capture looks at the memory they wait.
#pragma once

#include <condition_variable>
#include <mutex>

namespace rpl::capture {

class Gate {
  public:
    // While it lives the calling thread is inside.
    class Pass {
      public:
        explicit Pass(Gate& gate) : gate_(gate) { gate_.enter(); }
        ~Pass() { gate_.leave(); }
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

      private:
        Gate& gate_;
    };

    // Nobody new comes in; false when those inside have not left in time (then it is open again).
    bool close(double seconds);
    void open();
    // In a child process, where the threads that were inside do not exist.
    void forget();

  private:
    void enter();
    void leave();

    std::mutex mutex_;
    std::condition_variable changed_;
    unsigned inside_ = 0;
    bool closed_ = false;
};

Gate& gate();

}  // namespace rpl::capture

// Makes the capture of the session's target. Throws CaptureError or snapshot::FileError; whatever happens, the
// application's queues go on afterwards.
#pragma once

namespace rpl::capture {

void make_capture();

}  // namespace rpl::capture

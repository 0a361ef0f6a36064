// HIP's own types as text in traces (trace/argument.h finds these by the type).
#pragma once

#include <string>

#include "hip/hip_abi.h"

std::string describe_argument(const dim3& value);
std::string describe_argument(const hipExtent& value);
std::string describe_argument(const hipPitchedPtr& value);
std::string describe_argument(hipMemcpyKind value);

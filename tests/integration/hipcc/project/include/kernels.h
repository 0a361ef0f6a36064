#pragma once
#ifdef __cplusplus
#include <vector>

void saxpy(float a, const std::vector<float>& x, std::vector<float>& y);
std::vector<float> blur(const std::vector<float>& in, int radius);
#endif

#ifdef __cplusplus
extern "C"
#endif
double seconds(void);

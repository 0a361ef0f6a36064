/* The ROCm release whose interfaces this prefix follows. */
#ifndef ROCM_CORE_ROCM_VERSION_H
#define ROCM_CORE_ROCM_VERSION_H

#define ROCM_VERSION_MAJOR 7
#define ROCM_VERSION_MINOR 1
#define ROCM_VERSION_PATCH 0
#define ROCM_BUILD_INFO "vrocm"

typedef enum { VerSuccess = 0, VerIncorrecPararmeters, VerValuesNotDefined, VerErrorMAX } VerErrors;

/* A library function in ROCm; here the answer is known when compiling. */
static inline VerErrors getROCmVersion(unsigned int* major, unsigned int* minor, unsigned int* patch) {
    if (!major || !minor || !patch) return VerIncorrecPararmeters;
    *major = ROCM_VERSION_MAJOR;
    *minor = ROCM_VERSION_MINOR;
    *patch = ROCM_VERSION_PATCH;
    return VerSuccess;
}

#endif

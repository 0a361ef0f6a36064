/* Platform selection and feature macros shared by every HIP header. */
#ifndef HIP_INCLUDE_HIP_HIP_COMMON_H
#define HIP_INCLUDE_HIP_HIP_COMMON_H

/* This prefix is an AMD platform, whoever compiles: nothing else can be built against it. */
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#if defined(__HIP_PLATFORM_NVIDIA__)
#error "this HIP prefix is an AMD platform; __HIP_PLATFORM_NVIDIA__ cannot be used with it"
#endif

#if defined(__clang__) && defined(__HIP__)
#define __HIP_CLANG_ONLY__ 1
#else
#define __HIP_CLANG_ONLY__ 0
#endif

#define HIP_PUBLIC_API __attribute__((visibility("default")))
#define HIP_INTERNAL_EXPORTED_API __attribute__((visibility("default")))

/* Features of the device being compiled for; all absent in host code. */
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
#define VROCM_HIP_ARCH_HAS 1
#else
#define VROCM_HIP_ARCH_HAS 0
#endif
#define __HIP_ARCH_HAS_GLOBAL_INT32_ATOMICS__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_GLOBAL_FLOAT_ATOMIC_EXCH__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_SHARED_INT32_ATOMICS__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_SHARED_FLOAT_ATOMIC_EXCH__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_FLOAT_ATOMIC_ADD__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_GLOBAL_INT64_ATOMICS__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_SHARED_INT64_ATOMICS__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_DOUBLES__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_WARP_VOTE__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_WARP_BALLOT__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_WARP_SHUFFLE__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_WARP_FUNNEL_SHIFT__ (0)
#define __HIP_ARCH_HAS_THREAD_FENCE_SYSTEM__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_SYNC_THREAD_EXT__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_SURFACE_FUNCS__ (0)
#define __HIP_ARCH_HAS_3DGRID__ (VROCM_HIP_ARCH_HAS)
#define __HIP_ARCH_HAS_DYNAMIC_PARALLEL__ (0)

#endif

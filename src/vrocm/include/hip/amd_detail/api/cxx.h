/* Host API: C++ conveniences over the C functions, with the overloads ROCm's header offers. */
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_API_CXX_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_API_CXX_H

#if !defined(__HIP_DISABLE_CPP_FUNCTIONS__)
template <class T>
static inline hipError_t hipMalloc(T** devPtr, size_t size) {
    return hipMalloc(reinterpret_cast<void**>(devPtr), size);
}
template <class T>
static inline hipError_t hipMallocPitch(T** devPtr, size_t* pitch, size_t width, size_t height) {
    return hipMallocPitch(reinterpret_cast<void**>(devPtr), pitch, width, height);
}
template <class T>
static inline hipError_t hipHostMalloc(T** ptr, size_t size, unsigned int flags = hipHostMallocDefault) {
    return hipHostMalloc(reinterpret_cast<void**>(ptr), size, flags);
}
template <class T>
static inline hipError_t hipHostAlloc(T** ptr, size_t size, unsigned int flags = hipHostAllocDefault) {
    return hipHostAlloc(reinterpret_cast<void**>(ptr), size, flags);
}
/* hipMallocHost is deprecated by name, not by effect. */
template <class T>
static inline hipError_t hipMallocHost(T** ptr, size_t size) {
    return hipHostMalloc(reinterpret_cast<void**>(ptr), size, hipHostMallocDefault);
}
template <class T>
static inline hipError_t hipMallocManaged(T** devPtr, size_t size, unsigned int flags = hipMemAttachGlobal) {
    return hipMallocManaged(reinterpret_cast<void**>(devPtr), size, flags);
}
template <class T>
static inline hipError_t hipHostGetDevicePointer(T** devPtr, void* hstPtr, unsigned int flags) {
    return hipHostGetDevicePointer(reinterpret_cast<void**>(devPtr), hstPtr, flags);
}
#endif

template <class T>
static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipStream_t stream) {
    return hipMallocAsync(reinterpret_cast<void**>(dev_ptr), size, stream);
}
static inline hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
    return hipMallocFromPoolAsync(dev_ptr, size, mem_pool, stream);
}
template <class T>
static inline hipError_t hipMallocAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void**>(dev_ptr), size, mem_pool, stream);
}
template <class T>
static inline hipError_t hipMallocFromPoolAsync(T** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
    return hipMallocFromPoolAsync(reinterpret_cast<void**>(dev_ptr), size, mem_pool, stream);
}

/* Symbols are passed by reference: their host shadow's address is the key. */
template <class T>
hipError_t hipGetSymbolAddress(void** devPtr, const T& symbol) {
    return ::hipGetSymbolAddress(devPtr, reinterpret_cast<const void*>(&symbol));
}
template <class T>
hipError_t hipGetSymbolSize(size_t* size, const T& symbol) {
    return ::hipGetSymbolSize(size, reinterpret_cast<const void*>(&symbol));
}
template <class T>
hipError_t hipMemcpyToSymbol(const T& symbol, const void* src, size_t sizeBytes, size_t offset = 0,
                             hipMemcpyKind kind = hipMemcpyHostToDevice) {
    return ::hipMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), src, sizeBytes, offset, kind);
}
template <class T>
hipError_t hipMemcpyToSymbolAsync(const T& symbol, const void* src, size_t sizeBytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream = 0) {
    return ::hipMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), src, sizeBytes, offset, kind, stream);
}
template <class T>
hipError_t hipMemcpyFromSymbol(void* dst, const T& symbol, size_t sizeBytes, size_t offset = 0,
                               hipMemcpyKind kind = hipMemcpyDeviceToHost) {
    return ::hipMemcpyFromSymbol(dst, reinterpret_cast<const void*>(&symbol), sizeBytes, offset, kind);
}
template <class T>
hipError_t hipMemcpyFromSymbolAsync(void* dst, const T& symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
                                    hipStream_t stream = 0) {
    return ::hipMemcpyFromSymbolAsync(dst, reinterpret_cast<const void*>(&symbol), sizeBytes, offset, kind, stream);
}

/* Kernels are passed as function pointers of any type. */
template <class T>
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes* attr, T* func) {
    return ::hipFuncGetAttributes(attr, reinterpret_cast<const void*>(func));
}
template <class T>
static inline hipError_t hipFuncSetAttribute(T* func, hipFuncAttribute attr, int value) {
    return ::hipFuncSetAttribute(reinterpret_cast<const void*>(func), attr, value);
}
template <class T>
static inline hipError_t hipFuncSetCacheConfig(T* func, hipFuncCache_t config) {
    return ::hipFuncSetCacheConfig(reinterpret_cast<const void*>(func), config);
}
template <class T>
static inline hipError_t hipFuncSetSharedMemConfig(T* func, hipSharedMemConfig config) {
    return ::hipFuncSetSharedMemConfig(reinterpret_cast<const void*>(func), config);
}
template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, T f, int blockSize,
                                                               size_t dynSharedMemPerBlk) {
    return ::hipOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, reinterpret_cast<const void*>(f), blockSize,
                                                          dynSharedMemPerBlk);
}
template <class T>
inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, T f, int blockSize,
                                                                        size_t dynSharedMemPerBlk,
                                                                        unsigned int flags) {
    return ::hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        numBlocks, reinterpret_cast<const void*>(f), blockSize, dynSharedMemPerBlk, flags);
}
template <class T>
inline hipError_t hipOccupancyMaxPotentialBlockSize(int* gridSize, int* blockSize, T f, size_t dynSharedMemPerBlk = 0,
                                                    int blockSizeLimit = 0) {
    return ::hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void*>(f),
                                               dynSharedMemPerBlk, blockSizeLimit);
}
template <class T>
inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int* gridSize, int* blockSize, T f,
                                                             size_t dynSharedMemPerBlk = 0, int blockSizeLimit = 0,
                                                             unsigned int = 0) {
    return ::hipOccupancyMaxPotentialBlockSize(gridSize, blockSize, reinterpret_cast<const void*>(f),
                                               dynSharedMemPerBlk, blockSizeLimit);
}
/* The shared memory a block needs is a function of its size: largest size with most threads resident. */
template <class BlockSizeToBytes, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* gridSize, int* blockSize, T f,
                                                                                BlockSizeToBytes bytesFor,
                                                                                int blockSizeLimit = 0,
                                                                                unsigned int = 0) {
    if (!gridSize || !blockSize || !reinterpret_cast<const void*>(f)) return hipErrorInvalidValue;
    int device = 0, blocks_per_cu_best = 0, best = 0, units = 0;
    hipFuncAttributes attributes;
    hipError_t status = hipGetDevice(&device);
    if (status == hipSuccess)
        status = hipDeviceGetAttribute(&units, hipDeviceAttributeMultiprocessorCount, device);
    if (status == hipSuccess) status = ::hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(f));
    if (status != hipSuccess) return status;
    int limit = attributes.maxThreadsPerBlock;
    if (blockSizeLimit > 0 && blockSizeLimit < limit) limit = blockSizeLimit;
    for (int size = limit - limit % 64; size > 0; size -= 64) {
        int blocks = 0;
        status = ::hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(f), size,
                                                                static_cast<size_t>(bytesFor(size)));
        if (status != hipSuccess) return status;
        if (blocks * size > blocks_per_cu_best * best) {
            blocks_per_cu_best = blocks;
            best = size;
        }
    }
    *blockSize = best;
    *gridSize = blocks_per_cu_best * units;
    return hipSuccess;
}
template <class BlockSizeToBytes, class T>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int* gridSize, int* blockSize, T f,
                                                                       BlockSizeToBytes bytesFor,
                                                                       int blockSizeLimit = 0) {
    return hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(gridSize, blockSize, f, bytesFor, blockSizeLimit);
}
template <class T>
inline hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, T f, int numBlocks,
                                                           int blockSize) {
    return ::hipOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize, reinterpret_cast<const void*>(f), numBlocks,
                                                      blockSize);
}
template <class T>
inline hipError_t hipLaunchCooperativeKernel(T f, dim3 gridDim, dim3 blockDim, void** kernelParams,
                                             unsigned int sharedMemBytes, hipStream_t stream) {
    return ::hipLaunchCooperativeKernel(reinterpret_cast<const void*>(f), gridDim, blockDim, kernelParams,
                                        sharedMemBytes, stream);
}
template <class T>
inline hipError_t hipLaunchKernel(T f, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes = 0,
                                  hipStream_t stream = 0) {
    return ::hipLaunchKernel(reinterpret_cast<const void*>(f), numBlocks, dimBlocks, args, sharedMemBytes, stream);
}
template <class T>
inline hipError_t hipLaunchKernelExC(const hipLaunchConfig_t* config, T f, void** args) {
    return ::hipLaunchKernelExC(config, reinterpret_cast<const void*>(f), args);
}
template <class... Formal, class... Actual>
inline hipError_t hipLaunchKernelEx(const hipLaunchConfig_t* config, void (*kernel)(Formal...), Actual&&... actual) {
    return [&](Formal... converted) {
        void* args[sizeof...(Formal) + 1] = {
            const_cast<void*>(reinterpret_cast<const void*>(&reinterpret_cast<const char&>(converted)))..., nullptr};
        return ::hipLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), args);
    }(static_cast<Actual&&>(actual)...);
}

/* Texture references carry their channel format in the type. */
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTexture(size_t* offset, const struct texture<T, dim, readMode>& tex,
                                        const void* devPtr, size_t size = UINT_MAX) {
    return ::hipBindTexture(offset, &tex, devPtr, &tex.channelDesc, size);
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTexture(size_t* offset, const struct texture<T, dim, readMode>& tex,
                                        const void* devPtr, const struct hipChannelFormatDesc& desc,
                                        size_t size = UINT_MAX) {
    return ::hipBindTexture(offset, &tex, devPtr, &desc, size);
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTexture2D(size_t* offset, const struct texture<T, dim, readMode>& tex,
                                          const void* devPtr, size_t width, size_t height, size_t pitch) {
    return ::hipBindTexture2D(offset, &tex, devPtr, &tex.channelDesc, width, height, pitch);
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTexture2D(size_t* offset, const struct texture<T, dim, readMode>& tex,
                                          const void* devPtr, const struct hipChannelFormatDesc& desc, size_t width,
                                          size_t height, size_t pitch) {
    return ::hipBindTexture2D(offset, &tex, devPtr, &desc, width, height, pitch);
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTextureToArray(const struct texture<T, dim, readMode>& tex, hipArray_const_t array) {
    struct hipChannelFormatDesc desc;
    hipError_t status = hipGetChannelDesc(&desc, array);
    return status == hipSuccess ? ::hipBindTextureToArray(&tex, array, &desc) : status;
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipBindTextureToArray(const struct texture<T, dim, readMode>& tex, hipArray_const_t array,
                                               const struct hipChannelFormatDesc& desc) {
    return ::hipBindTextureToArray(&tex, array, &desc);
}
template <class T, int dim, enum hipTextureReadMode readMode>
static inline hipError_t hipUnbindTexture(const struct texture<T, dim, readMode>& tex) {
    return ::hipUnbindTexture(&tex);
}

#endif

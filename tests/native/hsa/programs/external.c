/* Device code that uses a variable which the loader must define. */
extern __attribute__((visibility("default"))) int provided;
__attribute__((amdgpu_kernel, visibility("protected"))) void read_provided(int* out) {
    *out = provided;
}

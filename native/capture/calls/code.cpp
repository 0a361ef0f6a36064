// Code object readers and executables.
#include "capture/bookkeeping/code_objects.h"
#include "capture/calls/gate.h"
#include "capture/calls/original.h"
#include "capture/calls/wrappers.h"
#include "capture/session.h"

namespace rpl::capture {

namespace {

hsa_status_t reader_from_memory(const void* memory, size_t size, hsa_code_object_reader_t* reader) {
    const hsa_status_t status = original().core.hsa_code_object_reader_create_from_memory_fn(memory, size, reader);
    if (status == HSA_STATUS_SUCCESS) code_objects().reader_made(*reader, memory, size);
    return status;
}

hsa_status_t reader_from_file(hsa_file_t file, hsa_code_object_reader_t* reader) {
    const hsa_status_t status = original().core.hsa_code_object_reader_create_from_file_fn(file, reader);
    if (status == HSA_STATUS_SUCCESS) code_objects().reader_made(*reader, file);
    return status;
}

hsa_status_t reader_destroy(hsa_code_object_reader_t reader) {
    code_objects().reader_gone(reader);
    return original().core.hsa_code_object_reader_destroy_fn(reader);
}

hsa_status_t load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent, hsa_code_object_reader_t reader,
                                    const char* options, hsa_loaded_code_object_t* loaded) {
    const Gate::Pass pass(gate());
    hsa_loaded_code_object_t made{0};
    const hsa_status_t status =
        original().core.hsa_executable_load_agent_code_object_fn(executable, agent, reader, options, &made);
    if (status != HSA_STATUS_SUCCESS) return status;
    code_objects().loaded(made, reader);
    if (loaded) *loaded = made;
    return status;
}

hsa_status_t freeze(hsa_executable_t executable, const char* options) {
    const Gate::Pass pass(gate());
    const hsa_status_t status = original().core.hsa_executable_freeze_fn(executable, options);
    if (status == HSA_STATUS_SUCCESS && session().wants_more()) code_objects().frozen(executable, session().settings());
    return status;
}

hsa_status_t destroy(hsa_executable_t executable) {
    const Gate::Pass pass(gate());
    code_objects().destroyed(executable);
    return original().core.hsa_executable_destroy_fn(executable);
}

}  // namespace

void install_code(HsaApiTable& table) {
    RPL_REPLACE(table.core_, hsa_code_object_reader_create_from_memory, reader_from_memory);
    RPL_REPLACE(table.core_, hsa_code_object_reader_create_from_file, reader_from_file);
    RPL_REPLACE(table.core_, hsa_code_object_reader_destroy, reader_destroy);
    RPL_REPLACE(table.core_, hsa_executable_load_agent_code_object, load_agent_code_object);
    RPL_REPLACE(table.core_, hsa_executable_freeze, freeze);
    RPL_REPLACE(table.core_, hsa_executable_destroy, destroy);
}

}  // namespace rpl::capture

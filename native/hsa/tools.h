// Tool libraries named by HSA_TOOLS_LIB.
#pragma once

namespace vrocm::hsa {

// Loads each library and gives its OnLoad the API tables.
void load_tools();
// Calls OnUnload of each, last loaded first, and takes back what they put in the tables.
void unload_tools();

}  // namespace vrocm::hsa

// A digest of a chunk of memory: two chunks with the same one are taken for equal.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "snapshot/region_file.h"

namespace rpl::snapshot {

using ChunkDigest = std::array<std::uint64_t, 2>;

bool has_vectors();

// `vectors`: with the host's vector units; the digest is the same.
ChunkDigest chunk_digest(std::span<const std::uint8_t, kChunk> chunk, bool vectors = has_vectors());

}  // namespace rpl::snapshot

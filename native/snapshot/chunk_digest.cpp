#include "snapshot/chunk_digest.h"

#include <immintrin.h>

#include <cstddef>
#include <cstring>

namespace rpl::snapshot {

namespace {

// Every byte of memory goes through here twice, while the application waits: the sums are those of XXH3 ("XXH3
// algorithm description" of the xxHash specification: products of the halves of each word, which vector units have),
// with keys and an end of our own. The digest is compared within one process only, it is never stored.
constexpr std::size_t kLanes = 8, kStripe = 8 * kLanes, kStripesPerRound = 16;
constexpr std::uint64_t kScramble = 0x9E3779B1;  // a prime of that specification

constexpr std::uint64_t split_mix(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

template <std::size_t N>
constexpr std::array<std::uint64_t, N> random_words(std::uint64_t seed) {
    std::array<std::uint64_t, N> words{};
    for (std::uint64_t& word : words) word = split_mix(seed);
    return words;
}

// Stripe s of a round takes the keys from s on, so that stripes that change places are noticed.
constexpr auto kKeys = random_words<kStripesPerRound + kLanes>(1);
constexpr auto kScrambleKeys = random_words<kLanes>(2);
constexpr std::array<std::array<std::uint64_t, kLanes>, 2> kEndKeys{random_words<kLanes>(3), random_words<kLanes>(4)};

std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
    const auto product = static_cast<unsigned __int128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

using Sums = std::array<std::uint64_t, kLanes>;

void add_round(Sums& sums, const std::uint8_t* at) {
    for (std::size_t stripe = 0; stripe < kStripesPerRound; ++stripe, at += kStripe) {
        Sums words;
        std::memcpy(words.data(), at, kStripe);
        for (std::size_t i = 0; i < kLanes; ++i) {
            const std::uint64_t keyed = words[i] ^ kKeys[stripe + i];
            sums[i] += (keyed & 0xFFFFFFFF) * (keyed >> 32) + words[i ^ 1];
        }
    }
}

// The same with vectors: compilers do not see that a product of halves is one instruction.
#define RPL_AVX2 __attribute__((target("avx2")))

RPL_AVX2 inline __m256i load(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

RPL_AVX2 inline __m256i added(__m256i sums, __m256i words, __m256i keys) {
    constexpr int kNeighbours = 0x4E;  // the two words of each half change places
    const __m256i keyed = _mm256_xor_si256(words, keys);
    const __m256i products = _mm256_mul_epu32(keyed, _mm256_srli_epi64(keyed, 32));
    return _mm256_add_epi64(sums, _mm256_add_epi64(products, _mm256_shuffle_epi32(words, kNeighbours)));
}

RPL_AVX2 void add_round_avx2(Sums& sums, const std::uint8_t* at) {
    __m256i low = load(&sums[0]), high = load(&sums[4]);
    for (std::size_t stripe = 0; stripe < kStripesPerRound; ++stripe, at += kStripe) {
        low = added(low, load(at), load(&kKeys[stripe]));
        high = added(high, load(at + 32), load(&kKeys[stripe + 4]));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sums[0]), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(&sums[4]), high);
}

}  // namespace

bool has_vectors() {
    static const bool supported = __builtin_cpu_supports("avx2");
    return supported;
}

ChunkDigest chunk_digest(std::span<const std::uint8_t, kChunk> chunk, bool vectors) {
    constexpr std::size_t kRound = kStripe * kStripesPerRound;
    static_assert(kChunk % kRound == 0);
    Sums sums = kScrambleKeys;
    for (std::size_t at = 0; at < chunk.size(); at += kRound) {
        vectors ? add_round_avx2(sums, chunk.data() + at) : add_round(sums, chunk.data() + at);
        for (std::size_t i = 0; i < kLanes; ++i) sums[i] = (sums[i] ^ sums[i] >> 47 ^ kScrambleKeys[i]) * kScramble;
    }
    ChunkDigest digest{};
    for (std::size_t half = 0; half < digest.size(); ++half)
        for (std::size_t i = 0; i < kLanes; i += 2)
            digest[half] += folded_product(sums[i] ^ kEndKeys[half][i], sums[i + 1] ^ kEndKeys[half][i + 1]);
    return digest;
}

}  // namespace rpl::snapshot

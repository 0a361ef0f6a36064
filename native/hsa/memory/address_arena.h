// Pages of the process's address space set apart for one kind of memory, or blocks of another arena for what is
// smaller than they are. The host backs a page when it is first touched. Not thread-safe: the owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace vrocm::hsa {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t page_down(std::uint64_t x) {
    return x & ~(kPage - 1);
}
constexpr std::uint64_t page_up(std::uint64_t x) {
    return page_down(x + kPage - 1);
}

class AddressArena {
  public:
    // `hint`: where the arena would like to lie, so that addresses repeat from run to run.
    explicit AddressArena(std::uint64_t hint) : next_hint_(hint) {}
    // Cut from blocks of `parent`. As ROCr does, it keeps one block that is empty and gives back the others.
    AddressArena(AddressArena& parent, std::uint64_t block) : parent_(&parent), block_(block) {}
    ~AddressArena();
    AddressArena(const AddressArena&) = delete;
    AddressArena& operator=(const AddressArena&) = delete;

    // Whole zeroed pages followed by one that belongs to nobody, at the lowest free place; 0 when the host
    // refuses address space.
    std::uint64_t take(std::uint64_t size, std::uint64_t alignment = kPage);
    // Exactly these pages, when they lie in the arena and nobody has them. An arena that has no pages yet gets its
    // first ones if the wish lies where they would be: else the wish would drive the arena away from there.
    bool take_exact(std::uint64_t base, std::uint64_t size);
    // Contents are gone at once; the addresses stay reserved until they are taken again.
    // `remap`: the pages are not the arena's own any more (something was mapped over them).
    void give(std::uint64_t base, bool remap = false);
    // Contents are gone; the addresses stay taken.
    void empty(std::uint64_t base);
    bool owns(std::uint64_t address) const;
    // The block that an address of this arena was cut from: begin and end, or zeros when the arena has no blocks.
    std::pair<std::uint64_t, std::uint64_t> block_of(std::uint64_t address) const;

  private:
    bool grow(std::uint64_t size);
    bool grow_by_block();
    void give_empty_block(std::uint64_t base);
    void add_free(std::uint64_t begin, std::uint64_t end);
    void occupy(std::map<std::uint64_t, std::uint64_t>::iterator gap, std::uint64_t begin, std::uint64_t end);

    AddressArena* parent_ = nullptr;
    std::uint64_t block_ = 0;
    std::uint64_t spare_ = 0;  // the empty block that is kept; 0: none
    std::uint64_t next_hint_ = 0;
    std::map<std::uint64_t, std::uint64_t> chunks_;  // begin -> end of what is reserved
    std::map<std::uint64_t, std::uint64_t> free_;    // begin -> end
    std::map<std::uint64_t, std::uint64_t> taken_;   // begin -> end, guard page included
};

}  // namespace vrocm::hsa

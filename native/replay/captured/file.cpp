#include "replay/captured/file.h"

#include <utility>

namespace rpl::replay {

using snapshot::RegionReader;
using snapshot::RegionState;

namespace {

constexpr std::size_t kMostOpen = 100;  // well below what systems let a process open

}  // namespace

std::shared_ptr<const RegionReader> OpenFiles::get(const std::string& path, RegionState state) {
    std::lock_guard lock(mutex_);
    if (const auto known = open_.find(path); known != open_.end()) {
        order_.splice(order_.begin(), order_, known->second.place);
        return known->second.reader;
    }
    if (open_.size() >= kMostOpen) {
        open_.erase(order_.back());  // who is reading it keeps it until done
        order_.pop_back();
    }
    auto reader = std::make_shared<RegionReader>();
    reader->open(path, state);
    order_.push_front(path);
    open_[path] = {reader, order_.begin()};
    return reader;
}

CapturedFile::CapturedFile(std::shared_ptr<OpenFiles> files, std::string path, RegionState state)
    : files_(std::move(files)), path_(std::move(path)), state_(state) {
    const auto reader = files_->get(path_, state_);
    base_ = reader->base();
    size_ = reader->size();
    chunks_ = reader->chunk_count();
}

std::uint16_t CapturedFile::pages(std::uint64_t chunk) const {
    return files_->get(path_, state_)->entry(chunk).pages;
}

void CapturedFile::read_chunk(std::uint64_t chunk, std::span<std::uint8_t, snapshot::kChunk> memory) const {
    files_->get(path_, state_)->read_chunk(chunk, memory);
}

}  // namespace rpl::replay

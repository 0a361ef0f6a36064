#include "capture/documents/verdict.h"

#include <algorithm>

#include "snapshot/capture_keys.h"

namespace rpl::capture {

using snapshot::Json;
namespace keys = snapshot::keys;

namespace {

const char* name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::Captured:
            return keys::Outcome::captured;
        case Outcome::Rebound:
            return keys::Outcome::rebound;
        case Outcome::LeftOut:
            return keys::Outcome::left_out;
        case Outcome::Refused:
            break;
    }
    return keys::Outcome::refused;
}

}  // namespace

bool Verdict::complete() const {
    return std::none_of(items_.begin(), items_.end(),
                        [](const VerdictItem& item) { return item.outcome == Outcome::Refused; });
}

Json Verdict::json() const {
    using K = keys::VerdictItem;
    Json list = Json::array();
    for (const VerdictItem& item : items_)
        list.add(Json::object()
                     .set(K::what, item.what)
                     .set(K::name, item.name)
                     .set(K::outcome, name_of(item.outcome))
                     .set(K::reason, item.reason.empty() ? Json() : Json(item.reason))
                     .set(K::address, item.address ? Json::address(*item.address) : Json())
                     .set(K::bytes, item.bytes ? Json(*item.bytes) : Json()));
    return Json::object().set(keys::Verdict::complete, complete()).set(keys::Verdict::items, std::move(list));
}

}  // namespace rpl::capture

#include "capture/documents/verdict.h"

#include <algorithm>

namespace rpl::capture {

using snapshot::Json;

namespace {

const char* name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::Captured:
            return "captured";
        case Outcome::Rebound:
            return "rebound";
        case Outcome::LeftOut:
            return "left out";
        case Outcome::Refused:
            break;
    }
    return "refused";
}

}  // namespace

bool Verdict::complete() const {
    return std::none_of(items_.begin(), items_.end(),
                        [](const VerdictItem& item) { return item.outcome == Outcome::Refused; });
}

Json Verdict::json() const {
    Json list = Json::array();
    for (const VerdictItem& item : items_)
        list.add(Json::object()
                     .set("what", item.what)
                     .set("name", item.name)
                     .set("outcome", name_of(item.outcome))
                     .set("reason", item.reason.empty() ? Json() : Json(item.reason))
                     .set("address", item.address ? Json::address(*item.address) : Json())
                     .set("bytes", item.bytes ? Json(*item.bytes) : Json()));
    return Json::object().set("complete", complete()).set("items", std::move(list));
}

}  // namespace rpl::capture

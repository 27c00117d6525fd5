// One document on top of another.
#pragma once

#include "config/document.h"

namespace sluice::config {

// What `base` says holds where `over` is silent: maps merge key by key, anything else replaces.
// Values that come from `base` remember its file, so that errors name it. Keys keep the order of
// `base`, new ones follow. O(size).
Value overlay(Document base, Value over);

}  // namespace sluice::config

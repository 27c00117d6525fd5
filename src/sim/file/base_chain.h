// Files that stand on others.
#pragma once

#include <string>

#include "config/document.h"

namespace sluice::sim {

// The document with what its base says where it is silent, and that one's base, and so on. A base
// is named by `base:`, relative to the file that names it. Throws config::ConfigError for a base
// that is not there, more than kBaseLimit of them, and circles.
//
// Maps merge key by key, all else replaces; beyond that, traffic given as phases replaces streams,
// and the other way round, and a name is not inherited.
config::Document with_bases(config::Document document);

}  // namespace sluice::sim

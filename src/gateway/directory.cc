#include "gateway/directory.h"

#include <algorithm>
#include <vector>

namespace sluice::gateway {

Directory::Directory(const core::Options& options) {
  for (std::uint32_t i = 0; i < options.models.size(); ++i) {
    models_.emplace(options.models[i].name, core::ModelId{i});
  }
  for (std::uint32_t i = 0; i < options.task_types.size(); ++i) {
    task_types_.emplace(options.task_types[i], core::TaskTypeId{i});
  }
  for (std::uint32_t i = 0; i < options.tenants.size(); ++i) {
    tenants_.emplace(options.tenants[i].name, core::TenantId{i});
  }
}

std::string Directory::task_type_names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, id] : task_types_) names.push_back(name);
  std::sort(names.begin(), names.end());
  std::string list;
  for (const auto name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

}  // namespace sluice::gateway

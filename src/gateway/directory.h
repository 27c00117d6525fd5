// Names as callers write them → ids of the core.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/options.h"

namespace sluice::gateway {

// Built once from the configuration; look-ups allocate nothing.
class Directory {
 public:
  explicit Directory(const core::Options& options);

  std::optional<core::ModelId> model(std::string_view name) const { return find(models_, name); }
  std::optional<core::TaskTypeId> task_type(std::string_view name) const {
    return find(task_types_, name);
  }
  // Tenants nobody has heard of belong to the default tenant.
  core::TenantId tenant(std::string_view name) const {
    return find(tenants_, name).value_or(core::TenantId{0});
  }
  // All task types, for an error that says what is allowed.
  std::string task_type_names() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  template <class Id>
  using Names = std::unordered_map<std::string, Id, Hash, std::equal_to<>>;

  template <class Id>
  static std::optional<Id> find(const Names<Id>& names, std::string_view name) {
    const auto at = names.find(name);
    return at == names.end() ? std::nullopt : std::optional(at->second);
  }

  Names<core::ModelId> models_;
  Names<core::TaskTypeId> task_types_;
  Names<core::TenantId> tenants_;
};

}  // namespace sluice::gateway

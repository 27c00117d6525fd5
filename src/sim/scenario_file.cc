#include "sim/scenario_file.h"

#include <filesystem>
#include <utility>

#include "config/reader.h"
#include "sim/file/base_chain.h"
#include "sim/file/sections.h"

namespace sluice::sim {
namespace {

using config::Fields;

void read_head(Fields& root, Scenario& out) {
  std::optional<std::string> base;
  root.optional("name", config::text(), out.name, "What reports call it");
  root.optional("base", config::text(), base,
                "A file, relative to this one, whose keys hold where this one is silent", "none");
  root.scalars("seeds", config::count(0, ~std::uint64_t{0}), out.seeds, false,
               "Of all that is drawn; the first is used unless the command line says otherwise");
  if (out.seeds.empty()) out.seeds = {1};
}

void read_all(Fields& root, Scenario& out) {
  read_head(root, out);
  read_models(root, out);
  read_network(root, out);
  read_node_kinds(root, out);
  read_service_time(root, out);
  read_nodes(root, out);
  read_lanes(root, out);
  read_tenants(root, out);
  read_traffic(root, out);
  read_tenant_limits(root, out);
  read_policies(root, out);
  read_faults(root, out);
  read_measure(root, out);
  read_remarks(root);
}

Scenario scenario_of(config::Document document) {
  Scenario scenario;
  scenario.name = std::filesystem::path(document.file).stem().string();
  const config::Document whole = with_bases(std::move(document));
  config::read_document(whole, [&](Fields& root) { read_all(root, scenario); });
  return scenario;
}

}  // namespace

Scenario load_scenario(const std::string& path) {
  return scenario_of(config::load_document(path));
}

Scenario parse_scenario(const std::string& yaml, const std::string& file) {
  return scenario_of(config::parse_document(yaml, file));
}

config::Docs describe_scenario() {
  Scenario scenario{.name = "the file's"};
  return config::describe_document("", [&](Fields& root) { read_all(root, scenario); });
}

}  // namespace sluice::sim

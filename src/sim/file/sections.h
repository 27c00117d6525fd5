// The sections of a scenario, one file each. Each reads its keys of the document's root; the order
// below is the order in which they must be read, because later ones refer to earlier ones by name.
#pragma once

#include "config/reader.h"
#include "sim/scenario.h"

namespace sluice::sim {

// models, network, node_kinds.
void read_models(config::Fields& root, Scenario& out);
void read_network(config::Fields& root, Scenario& out);
void read_node_kinds(config::Fields& root, Scenario& out);
// service_time, then nodes: a node hosts only what its kind can run.
void read_service_time(config::Fields& root, Scenario& out);
void read_nodes(config::Fields& root, Scenario& out);
void read_lanes(config::Fields& root, Scenario& out);
// tenants; a tenant may be declared by a share of the traffic, too.
void read_tenants(config::Fields& root, Scenario& out);
// traffic: streams or phases, and drain_s.
void read_traffic(config::Fields& root, Scenario& out);
void read_tenant_limits(config::Fields& root, Scenario& out);
void read_policies(config::Fields& root, Scenario& out);
void read_faults(config::Fields& root, Scenario& out);
// measure, and what only people read: definitions, published, published_dynamic.
void read_measure(config::Fields& root, Scenario& out);
void read_remarks(config::Fields& root);

// Parts of traffic. Tenants that only `weights` names are declared by it.
void declare_tenants(const config::Fields& weights, Scenario& out);
void read_arrivals(config::Fields& map, Arrivals& out);

}  // namespace sluice::sim

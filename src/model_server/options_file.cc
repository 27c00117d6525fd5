#include "model_server/options_file.h"

#include <charconv>

#include <fmt/format.h>

#include "config/kind.h"
#include "config/reader.h"

namespace sluice::model_server {
namespace {

using config::Fields;
using namespace std::chrono_literals;

config::Kind<Endpoint> endpoint() {
  return {.name = "an address and a port",
          .example = "127.0.0.1:8000",
          .bounds = "",
          .parse = parse_endpoint,
          .within = [](const Endpoint&) { return true; },
          .format = [](const Endpoint& value) { return to_string(value); }};
}

void read_timed(Fields& f, TimedOptions& out) {
  f.optional("mean", config::duration(1us, 1h), out.mean, "Mean time of an inference");
  f.optional("cv", config::number(0, 10), out.cv,
             "Standard deviation ÷ mean of that time, which is lognormal");
  f.optional("memory", config::bytes(0, std::uint64_t{1} << 50), out.memory_bytes,
             "Memory that it takes while it is loaded");
  f.optional("failure_rate", config::share(), out.failure_rate,
             "Share of the inferences that are answered 500");
}

void read_loads(Fields& f, LoadOptions& out) {
  f.optional("loaded", config::flag(), out.at_start,
             "Whether it is loaded at first; POST /v2/repository/models/NAME/load and /unload "
             "change that");
  f.optional("load_time", config::duration(0ms, 1h), out.time,
             "Time that a load takes, beside reading a file");
  f.optional("load_failures", config::share(), out.failure_rate, "Share of the loads that fail");
}

void read_model(Fields& f, ModelOptions& out) {
  std::optional<std::string> path;
  TimedOptions timed;
  f.required("name", config::text(), out.name, "Name in paths: letters, digits, '.', '_', '-'");
  f.optional("onnx", config::text(), path,
             "File of a model for ONNX Runtime, relative to where the server is started");
  read_loads(f, out.loads);
  f.map("timed", "A model that is not there: it takes a drawn time and burns no CPU",
        [&](Fields& map) { read_timed(map, timed); });
  if (f.has("onnx") == f.has("timed")) {
    f.fail("timed", "a model has one of the keys \"onnx\" and \"timed\"");
  }
  if (path) {
    out.work = OnnxOptions{std::move(*path)};
  } else {
    out.work = timed;
  }
}

void read_all(Fields& f, Options& out) {
  f.optional("listen", endpoint(), out.listen, "Where to listen; port 0 takes any free one");
  f.optional("slots", config::count(1, 1024), out.slots, "Inferences at a time, over all models");
  f.optional("queue", config::count(0, 1'000'000), out.queue,
             "Inferences that may wait for a slot; beyond them the answer is 503");
  f.optional("threads", config::count(1, 1024), out.threads,
             "Threads that ONNX Runtime may use within one inference");
  f.optional("seed", config::count(0, UINT64_MAX), out.seed, "Seed of drawn times and failures");
  f.optional("body_limit", config::bytes(1, std::uint64_t{1} << 32), out.body_limit_bytes,
             "Largest request body; a larger one is answered 413");
  f.optional("connections", config::count(1, 1'000'000), out.connection_limit,
             "Connections at a time; further ones are closed");
  f.optional("idle", config::duration(1ms, 24h), out.idle_limit,
             "Longest pause between requests, or time to read one");
  f.optional("drain", config::duration(0ms, 1h), out.drain_limit,
             "Longest time to finish what runs, once told to stop");
  f.optional("memory", config::bytes(0, std::uint64_t{1} << 50), out.memory_bytes,
             "For models: a load that finds no room fails", "all models fit");
  f.list("models", out.models, true, "A model to serve", read_model);
}

Options read(const config::Document& document) {
  Options options;
  config::read_document(document, [&](Fields& f) { read_all(f, options); });
  return options;
}

}  // namespace

Options read_options(const std::string& path) {
  return read(config::load_document(path));
}

Options parse_options(const std::string& text, std::string file) {
  return read(config::parse_document(text, std::move(file)));
}

config::Docs describe_options() {
  Options options;
  return config::describe_document("What `sluice model-server` is told.",
                                   [&](Fields& f) { read_all(f, options); });
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == text.npos || colon == 0) return std::nullopt;
  std::string_view address = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (address.front() == '[' && address.back() == ']') {
    address = address.substr(1, address.size() - 2);
  } else if (address.find(':') != address.npos) {
    return std::nullopt;  // IPv6 without brackets: where would the port begin?
  }
  Endpoint endpoint{.address = std::string(address)};
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
  if (error != std::errc() || end != port.data() + port.size()) return std::nullopt;
  return endpoint;
}

std::string to_string(const Endpoint& endpoint) {
  const bool v6 = endpoint.address.find(':') != endpoint.address.npos;
  return v6 ? fmt::format("[{}]:{}", endpoint.address, endpoint.port)
            : fmt::format("{}:{}", endpoint.address, endpoint.port);
}

}  // namespace sluice::model_server

#include "probe/health_client.h"

#include <algorithm>
#include <chrono>

#include "probe/repository.h"

namespace sluice::probe {

namespace asio = boost::asio;

HealthClient::HealthClient(asio::io_context& io, const HealthTarget& target, Duration timeout)
    : client_(io, target.address), target_(target), timeout_(timeout) {}

asio::awaitable<CheckResult> HealthClient::check() {
  const HttpQuestion question{.path = target_.path};
  const HttpAnswer answer = co_await client_.ask(question, timeout_);
  CheckResult result;
  if (answer.success()) {
    result.round_trip = answer.round_trip;
    if (target_.models_come_and_go) co_await ask_for_models(result);
  } else {
    result.failure =
        answer.status == 0 ? answer.failure : "answered " + std::to_string(answer.status);
  }
  co_return result;
}

asio::awaitable<void> HealthClient::ask_for_models(CheckResult& result) {
  // An answer that is older than this tells nothing: the core waits for orders to settle no longer.
  constexpr Duration kLongest = std::chrono::seconds(1);
  const HttpQuestion question = index_question(target_.path_prefix);
  const HttpAnswer answer = co_await client_.ask(question, std::min(timeout_, kLongest));
  if (answer.success()) result.loaded = ready_models(answer.body);
  if (result.loaded) co_return;
  result.index_failure = answer.success() ? "its answer is no index" : failure_of(answer);
}

}  // namespace sluice::probe

#include "model_server/node.h"

#include <utility>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

namespace sluice::model_server {
namespace asio = boost::asio;
namespace {

struct Result {
  Answer answer;
  std::optional<Failure> failure;
};

Result computed(const OnnxModel& model, const InferBody& body) {
  try {
    return {.answer = model.infer(body), .failure = std::nullopt};
  } catch (const BadRequest& error) {
    return {.answer = error_answer(400, error.what()), .failure = Failure::kOther};
  } catch (const std::exception& error) {  // out of memory
    return {.answer = error_answer(500, error.what()), .failure = Failure::kBackend};
  }
}

}  // namespace

Node::Node(asio::io_context& loop, const Options& options, bool computes)
    : loop_(loop), slots_(options.slots, options.queue) {
  if (computes) pool_.emplace(options.slots);
}

bool Node::submit(const JobPtr& job) {
  job->arrived = Clock::now();
  switch (slots_.enter(job)) {
    case Entry::kStarts:
      start(job);
      return true;
    case Entry::kWaits:
      job->model.metrics.waits();
      return true;
    case Entry::kRefused:
      break;
  }
  job->model.metrics.failed(Failure::kRejected);
  return false;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it must outlive whoever lets go of it
void Node::abandon(JobPtr job) {
  job->abandoned = true;
  job->model.metrics.failed(Failure::kCanceled);
  if (slots_.leave(job)) {
    job->model.metrics.waits_no_more();
  } else {
    job->timer.cancel();  // no-op for an ONNX model
  }
  std::exchange(job->on_answer, nullptr)(error_answer(499, "the caller left"));
}

void Node::start(const JobPtr& job) {
  job->started = Clock::now();
  if (auto* profile = std::get_if<TimedProfile>(&job->model.work)) {
    return pretend(job, *profile);
  }
  const auto& model = std::get<std::shared_ptr<const OnnxModel>>(job->model.work);
  if (model) return compute(job, model);
  // Unloaded while it waited. Later: nobody waits for the answer of a job that is being submitted.
  asio::post(loop_, [this, job] {
    end(job, error_answer(503, "the model was unloaded"), Failure::kOther);
  });
}

void Node::pretend(const JobPtr& job, TimedProfile& profile) {
  const TimedProfile::Draw draw = profile.draw();
  job->timer.expires_at(job->started + draw.service);
  // Also runs when the timer is cancelled: that is how an abandoned job gives its slot back.
  job->timer.async_wait([this, job, fails = draw.fails](boost::system::error_code) {
    if (job->abandoned) return end(job, {}, std::nullopt);
    if (fails) return end(job, error_answer(500, "a drawn failure"), Failure::kBackend);
    end(job, timed_answer(job->model.info.name, job->body), std::nullopt);
  });
}

void Node::compute(const JobPtr& job, std::shared_ptr<const OnnxModel> model) {
  // The guard keeps a loop that drains from ending before the result is back.
  auto work = asio::make_work_guard(loop_);
  asio::post(*pool_, [this, job, model = std::move(model), work = std::move(work)] {
    Result result = computed(*model, job->body);
    asio::post(loop_, [this, job, result = std::move(result)]() mutable {
      end(job, std::move(result.answer), result.failure);
    });
  });
}

void Node::end(const JobPtr& job, Answer answer, std::optional<Failure> failure) {
  const auto now = Clock::now();
  // The next one first: an idle slot is a loss, a later answer of this one is not.
  if (const auto next = slots_.release()) {
    (*next)->model.metrics.waits_no_more();
    start(*next);
  }
  if (job->abandoned) return;
  if (failure) {
    job->model.metrics.failed(*failure);
  } else {
    job->model.metrics.succeeded(job->started - job->arrived, now - job->started,
                                 now - job->arrived);
  }
  std::exchange(job->on_answer, nullptr)(std::move(answer));
}

}  // namespace sluice::model_server

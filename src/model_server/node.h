// The node that inferences run on: slots, the line before them, and what runs in them.
//
// Everything here happens on the event loop's thread, except that an ONNX model computes on a
// thread of the pool and touches only its job's body meanwhile. States of a job:
//
//   submit ──▶ waiting ──▶ running ──▶ ended        the slot is given back at "ended"
//        └────────────────▶┘
//
// abandon() ends a waiting job and a running timed one at once. An ONNX model cannot be stopped:
// its job keeps the slot until it is through, and nobody hears of the result.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "model_server/answer.h"
#include "model_server/catalog.h"
#include "model_server/oip_request.h"
#include "model_server/options.h"
#include "model_server/slot_queue.h"

namespace sluice::model_server {

using Clock = std::chrono::steady_clock;

// One inference. Shared, because an ONNX model's thread may outlive the caller's interest.
struct Job {
  Job(boost::asio::io_context& loop, Model& job_model, InferBody job_body)
      : model(job_model), body(std::move(job_body)), timer(loop) {}

  Model& model;
  InferBody body;
  // Called once for a submitted job: from the event loop, or from within abandon(). Never from
  // within submit(), so it may be set right after.
  std::function<void(Answer)> on_answer;

  // The node's.
  boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>,
                                    boost::asio::io_context::executor_type>
      timer;
  Clock::time_point arrived{};
  Clock::time_point started{};
  bool abandoned = false;
};

using JobPtr = std::shared_ptr<Job>;

class Node {
 public:
  Node(boost::asio::io_context& loop, const Options& options, bool computes);

  // Starts the job, or lines it up. False when the line is full: nothing happened then.
  bool submit(const JobPtr& job);

  // The caller has left; the job must be submitted and not answered. By value: whoever hears the
  // answer may drop the handle that was passed.
  void abandon(JobPtr job);

 private:
  void start(const JobPtr& job);
  void pretend(const JobPtr& job, TimedProfile& profile);
  void compute(const JobPtr& job, std::shared_ptr<const OnnxModel> model);
  void end(const JobPtr& job, Answer answer, std::optional<Failure> failure);

  boost::asio::io_context& loop_;
  SlotQueue<JobPtr> slots_;
  std::optional<boost::asio::thread_pool> pool_;  // a thread a slot, when a model computes
};

}  // namespace sluice::model_server

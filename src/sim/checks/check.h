// One promise of the core, held against what it does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "core/action.h"
#include "sim/observer.h"

namespace sluice::sim {

class Mirror;

// What was found to be wrong, in words; the first hundred are kept.
class Findings {
 public:
  void add(TimePoint now, std::string_view check, std::string_view what);

  std::uint64_t count() const { return count_; }
  const std::vector<std::string>& kept() const { return kept_; }

 private:
  static constexpr std::size_t kMostKept = 100;

  std::vector<std::string> kept_;
  std::uint64_t count_ = 0;
};

// Each states at the top of its file what is promised, with which bound, and who promises it. It
// sees every step when the mirror has heard its event, each of the actions before the mirror has
// heard of it, and the step again when the mirror has heard all. What comes after a finding says
// nothing: the mirror may be wrong from there on.
class Check {
 public:
  explicit Check(std::string_view name) : name_(name) {}
  virtual ~Check() = default;
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  virtual void before(const Step&, const Mirror&) {}
  virtual void on(const core::Action&, const Step&, const Mirror&) {}
  virtual void after(const Step&, const Mirror&) {}
  // The run is over.
  virtual void at_end(const Step&, const Mirror&) {}

  // Where findings go; set before anything else is called.
  void report_to(Findings& findings) { findings_ = &findings; }

 protected:
  void expect(bool holds, const Step& step, std::string_view what) {
    if (!holds) [[unlikely]]
      violated(step, what);
  }
  void violated(const Step& step, std::string_view what) { findings_->add(step.now, name_, what); }

 private:
  std::string_view name_;
  Findings* findings_ = nullptr;
};

}  // namespace sluice::sim

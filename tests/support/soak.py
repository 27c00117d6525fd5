"""Saturation with leaving callers and dying replicas, and what has to hold under it."""
import os
import pathlib
import random
import time

from support.metrics import scrape
from support.processes import ModelServer, Stage, wait_until
from support.soak_load import Load

REPLICAS = 3
SLOTS = 4
CALLERS = 64  # several times what the replicas work on at once
LEAVE_SHARE = 0.05  # mean to; on a fast machine most are answered before they do
LEFT_MIN = 20
RESTART_EVERY_S = 3
SAMPLE_EVERY_S = 0.25
# After a round: what the allocator keeps of the highest tide, which a longer round makes higher.
MEMORY_TOLERANCE_BYTES = 4 << 20
# And connections to replicas that are idle, kept for the next request: one a slot and as many more
# as learnt credits allow.
FD_TOLERANCE = REPLICAS * SLOTS

MODEL_SERVER = f"""
slots: {SLOTS}
queue: 64
models:
  - {{ name: urgent, timed: {{ mean: 5ms, cv: 0.5, failure_rate: 0.2% }} }}
  - {{ name: normal, timed: {{ mean: 10ms, cv: 1 }} }}
  - {{ name: heavy, timed: {{ mean: 30ms, cv: 1 }} }}
"""

GATEWAY = """
models:
  - { name: urgent, weight: light, realtime: high, budget: 40ms }
  - { name: normal, weight: medium, realtime: medium, budget: 150ms }
  - { name: heavy, weight: heavy, realtime: low, budget: 500ms }
health: { interval: 50ms, healthy_after: 1, unhealthy_after: 1 }
replicas:
"""
# One of three stops when its caller leaves; the others work on.
REPLICA = '  - {{ name: r{n}, url: "{url}", models: [urgent, normal, heavy], slots: {slots}, ' \
          'cancel: {cancel} }}\n'


class Figures:
    """One round, by what callers and gateway say."""

    def __init__(self, load, metrics, samples, restarts, seconds):
        self.seconds = seconds
        self.restarts = restarts
        self.sent, self.left, self.cut = load.sent, load.left, load.cut
        self.statuses = dict(load.statuses)
        self.task_ids_given_twice = load.task_ids_given_twice
        self.by_outcome = metrics.by("outcome", "sluice_tasks_total")
        self.completed_by_lane = metrics.by("lane", "sluice_tasks_total", outcome="completed")
        self.retries = metrics.sum("sluice_retries_total")
        self.saturated_share = sum(s > 0 for s in samples) / max(1, len(samples))

    def violations(self):
        """What should have held and did not, in words."""
        completed, ok = self.by_outcome["completed"], self.statuses.get(200, 0)
        promises = {
            "every task has one outcome": sum(self.by_outcome.values()) == self.sent,
            "every request has one fate":
                sum(self.statuses.values()) + self.left + self.cut == self.sent,
            "no task has the id of another": self.task_ids_given_twice == 0,
            "answers say what they may": set(self.statuses) <= {200, 500, 502, 503, 504},
            # A caller may have left while its answer was on the way.
            "callers and gateway agree on what was completed":
                ok <= completed <= ok + self.left,
            "nobody is cancelled who has not left": self.by_outcome["cancelled"] <= self.left,
            "what fails is tried again": self.retries > 0,
            "every lane is served": all(self.completed_by_lane.values()),
            "it was saturated": self.saturated_share > 0.5,
            "callers left": self.left >= LEFT_MIN,
            "replicas restarted": self.restarts > self.seconds / RESTART_EVERY_S / 3,
        }
        return [promise for promise, kept in promises.items() if not kept]

    def __str__(self):
        outcomes = ", ".join(f"{name} {int(count)}" for name, count in self.by_outcome.items())
        return (f"{self.sent / self.seconds:.0f}/s: {outcomes}; {int(self.retries)} retries, "
                f"{self.left} callers left, {self.restarts} restarts, queue not empty {self.saturated_share:.0%} of the time")


class Soak:
    """Replicas and a gateway, until the end of the with block."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._stage = Stage()

    def __enter__(self):
        self._stage.callback(self._close_replicas)
        self._replicas = []
        try:
            self._start()
        except BaseException:
            self._stage.close()
            raise
        return self

    def __exit__(self, *_):
        self._stage.close()

    def _start(self):
        lines = []
        for n in range(REPLICAS):
            self._replicas.append(ModelServer(MODEL_SERVER))
            lines.append(REPLICA.format(n=n, url=self._replicas[n].url, slots=SLOTS,
                                        cancel="stops" if n == 0 else "ignored"))
        self.gateway = self._stage.gateway(GATEWAY + "".join(lines))
        wait_until(lambda: self.metrics().sum("sluice_node_ready") == REPLICAS, "all are ready")

    def _close_replicas(self):
        for replica in self._replicas:
            replica.close()

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def resident_bytes(self):
        pages = int(pathlib.Path(f"/proc/{self.gateway.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def open_fds(self):
        return len(os.listdir(f"/proc/{self.gateway.pid}/fd"))

    def round(self, seconds):
        """Load for so long, then until all is answered and every slot is free."""
        before = self.metrics()
        began = time.monotonic()
        load = Load(self.gateway.port, CALLERS, LEAVE_SHARE, self._random.random())
        load.start()
        samples, restarts = [], 0
        while load.is_alive() and time.monotonic() < began + seconds:
            time.sleep(SAMPLE_EVERY_S)
            samples.append(self.metrics().sum("sluice_lane_waiting"))
            if time.monotonic() > began + (restarts + 1) * RESTART_EVERY_S:
                self._restart_one()
                restarts += 1
        took = time.monotonic() - began
        load.finish()
        self._settle()
        return Figures(load, self.metrics().since(before), samples, restarts, took)

    def _restart_one(self):
        n = self._random.randrange(REPLICAS)
        self._replicas[n].kill()
        wait_until(lambda: self.metrics().sum("sluice_node_ready", node=f"r{n}") == 0,
                   "its death is noticed")
        self._replicas[n].close()
        self._replicas[n] = self._replicas[n].again()

    def _settle(self):
        gauges = ("sluice_lane_waiting", "sluice_lane_waiting_bytes", "sluice_node_in_flight",
                  "sluice_attempts_abandoned")
        wait_until(lambda: not any(self.metrics().sum(gauge) for gauge in gauges),
                   "no task, no byte, no slot is held")

    def has_sanitizer(self):
        """Whose memory grows by design: what is freed is kept aside for a while."""
        return "libasan" in pathlib.Path(f"/proc/{self.gateway.pid}/maps").read_text()

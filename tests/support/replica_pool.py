"""Several scripted replicas that serve one model, and how each attempt at a request goes: its first
with whichever replica gets it first, its second with the next."""
import collections
import threading

from support.metrics import scrape
from support.processes import Stage, wait_until
from support.scripted_replica import ScriptedReplica, with_length

MODEL = "echo"

CONFIGURATION = """
models:
  - {{ name: {model}, budget: 30s, {model_keys} }}
replicas: [{replicas}]
health: {{ interval: 50ms, healthy_after: 1, unhealthy_after: 1000 }}
{more}
"""
# With breakers, a replica that fails in one test would be left alone in the next.
NO_BREAKERS = "breaker: { consecutive_failures: 0, failure_share: none, slow_in_a_row: 0 }\n"
REPLICA = '{{ name: r{n}, url: "{url}", models: [{model}], slots: {slots}, credits: {slots} }}'


class Attempt:
    """One attempt at a request, as its replica saw it."""

    def __init__(self, replica, received):
        self.replica = replica
        self.body = received.body
        self.headers = received.headers


class ReplicaPool(Stage):
    """Replicas r0, r1, … and a gateway before them. `fails(target, attempt)` gives what a replica
    answers to the attempt (from 0), as ScriptedReplica takes it, or NotImplemented: an echo of the
    body."""

    def __init__(self, fails, replicas=2, slots=4, model_keys="", more=NO_BREAKERS):
        super().__init__()
        self._fails = fails
        self._lock = threading.Lock()
        self._attempts = collections.defaultdict(list)
        self.replicas = [self.enter_context(ScriptedReplica(self._answer_of(n)))
                         for n in range(replicas)]
        listed = ", ".join(REPLICA.format(n=n, url=r.url, model=MODEL, slots=slots)
                           for n, r in enumerate(self.replicas))
        self.gateway = self.gateway(CONFIGURATION.format(
            model=MODEL, model_keys=model_keys, replicas=listed, more=more))
        self.port = self.gateway.port
        self.wait_for(replicas, "sluice_node_ready")

    def _answer_of(self, replica):
        def answer(received):
            with self._lock:
                attempts = self._attempts[received.target]
                attempts.append(Attempt(f"r{replica}", received))
                number = len(attempts) - 1
            failure = self._fails(received.target, number)
            return with_length(received.body) if failure is NotImplemented else failure
        return answer

    def attempts(self, target):
        with self._lock:
            return list(self._attempts[target])

    def attempt_count(self):
        with self._lock:
            return sum(map(len, self._attempts.values()))

    def metrics(self):
        return scrape(self.gateway.admin_port)

    def wait_for(self, value, metric, **labels):
        wait_until(lambda: self.metrics().sum(metric, **labels) == value,
                   f"{metric}{labels} = {value}")

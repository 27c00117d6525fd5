"""What every hostile test shows: another connection's requests are right before and after, each
task has one outcome, and no slot stays taken."""
import contextlib
import itertools
import unittest

from support.client import Wire, infer_path
from support.metrics import scrape
from support.processes import Stage, wait_until
from support.scripted_replica import ScriptedReplica, with_length

MODEL = "echo"
PATH = infer_path(MODEL)
SLOTS = 8

CONFIGURATION = """
models:
  - {{ name: {model}, weight: light, budget: 20s }}
replicas:
  - {{ name: replica, url: "{url}", models: [{model}], slots: {slots}, credits: {slots} }}
limits: {{ {limits} }}
health: {{ interval: 100ms, timeout: 5s }}
# One replica that misbehaves all the time: with breakers it would soon be left alone.
breaker: {{ consecutive_failures: 0, failure_share: none, slow_in_a_row: 0 }}
"""


class HangUp(OSError):
    """Raised by a replica's answer, in the middle of it: the connection closes there."""


def echo(received):
    """Path, query and body: an answer to one request is never taken for that to another."""
    return with_length(received.target.encode() + b" " + received.body)


def echoed(target, body):
    return target.encode() + b" " + body


class HostileCase(unittest.TestCase):
    """A gateway before one scripted replica, and a bystander who stays connected throughout."""

    limits = ""
    answer = staticmethod(echo)
    _number = itertools.count()

    @classmethod
    def setUpClass(cls):
        cls.stage = cls.enterClassContext(Stage())
        cls.replica = cls.stage.enter_context(ScriptedReplica(cls.answer))
        cls.gateway = cls.stage.gateway(cls.configuration())
        cls.port = cls.gateway.port

    @classmethod
    def configuration(cls):
        return CONFIGURATION.format(model=MODEL, url=cls.replica.url, slots=SLOTS,
                                    limits=cls.limits)

    def setUp(self):
        self.tasks = 0  # that the requests of the test have become; each test adds its own
        self.lost_tasks = 0  # of these, such that may never have reached the gateway
        self.tasks_before = scrape(self.gateway.admin_port).sum("sluice_tasks_total")
        self.bystander = self.enterContext(Wire(self.port))
        self.good_request()

    def tearDown(self):
        self.good_request()
        self.settle()

    def good_request(self, wire=None):
        """A request as it should be, answered as it should be."""
        target = f"{PATH}?good={next(self._number)}"
        body = b"x" * (next(self._number) % 100)
        wire = wire or self.bystander
        wire.send_request("POST", target, body)
        answer = wire.read_answer()
        self.assertEqual((answer.status, answer.body), (200, echoed(target, body)))
        self.tasks += 1

    def settle(self):
        """Waits until nothing is under way; then as many tasks have ended as were begun."""
        def idle():
            metrics = scrape(self.gateway.admin_port)
            busy = (metrics.sum("sluice_node_in_flight") + metrics.sum("sluice_lane_waiting") +
                    metrics.sum("sluice_attempts_abandoned"))
            return busy == 0 and metrics
        ended = wait_until(idle, "all slots free").sum("sluice_tasks_total")
        self.assertLessEqual(ended - self.tasks_before, self.tasks)
        self.assertGreaterEqual(ended - self.tasks_before, self.tasks - self.lost_tasks)

    def wire(self):
        return self.enterContext(Wire(self.port))

    def ask(self, data):
        """The one answer to these bytes, on a connection of its own."""
        with Wire(self.port) as wire:
            wire.send(data)
            return wire.read_answer()

    def assert_refused(self, wire, status, reason=None):
        """A problem document, and the connection closes behind it."""
        answer = wire.read_answer()
        self.assertEqual((answer.status, answer.headers["content-type"]),
                         (status, "application/problem+json"), answer)
        if reason:
            self.assertEqual(answer.reason, reason)
        self.assertEqual(answer.headers["connection"], "close")
        self.assertTrue(wire.closed_by_peer())
        return answer

    @contextlib.contextmanager
    def nothing_reaches_the_replica(self):
        before = len(self.replica.received)
        yield
        targets = [received.target for received in self.replica.received[before:]]
        self.assertFalse([target for target in targets if "good=" not in target])


def post(*headers, target=PATH, body=b"", version="HTTP/1.1"):
    """The bytes of a request with exactly these headers, and Host."""
    lines = [f"POST {target} {version}", "Host: sluice", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1") + body

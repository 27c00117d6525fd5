"""Descriptors run out, replicas take no connections: it is told in time, and over when it is."""
import contextlib
import resource
import socket
import unittest

from hostile.case import HostileCase, post
from support.client import Wire
from support.processes import wait_until

FEW = 40


class Descriptors(HostileCase):
    def setUp(self):
        super().setUp()
        limits = resource.prlimit(self.gateway.pid, resource.RLIMIT_NOFILE)
        self.addCleanup(resource.prlimit, self.gateway.pid, resource.RLIMIT_NOFILE, limits)
        resource.prlimit(self.gateway.pid, resource.RLIMIT_NOFILE, (FEW, limits[1]))

    def test_when_they_run_out_those_who_are_served_stay_served(self):
        with contextlib.ExitStack() as stack:
            crowd = [stack.enter_context(Wire(self.port)) for _ in range(2 * FEW)]
            self.gateway.wait_for_line("accepting a connection: Too many open files")
            for _ in range(20):
                self.good_request()
            for wire in crowd[:-10]:
                wire.close()
            for wire in crowd[-10:]:
                self.good_request(wire)  # taken when there was room
        self.assertLess(len(self.gateway.lines), 100)  # no flood of warnings

    def test_without_one_for_the_replica_the_request_fails_and_the_next_works(self):
        with contextlib.ExitStack() as stack:
            crowd = [stack.enter_context(Wire(self.port)) for _ in range(2 * FEW)]
            self.replica.hang_up()
            self.bystander.send(post("Content-Length: 0"))
            self.assertIn(self.bystander.read_answer().status, (200, 502, 503))
            self.tasks += 1
            for wire in crowd:
                wire.close()

        def served():
            with Wire(self.port) as wire:
                wire.send(post("Content-Length: 0"))
                self.tasks += 1
                return wire.read_answer().status == 200
        wait_until(served, "an answer")


class Unconnectable(HostileCase):
    limits = "connect_timeout: 300ms"

    def tearDown(self):
        self.settle()  # the replica is not there any more

    def test_connections_that_the_replicas_system_drops_end_with_the_connect_timeout(self):
        address = ("127.0.0.1", self.replica.port)
        self.replica.close()
        with contextlib.ExitStack() as stack:
            full = stack.enter_context(socket.socket())
            full.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            full.bind(address)
            full.listen(0)
            for _ in range(4):
                filler = stack.enter_context(socket.socket())
                filler.setblocking(False)
                filler.connect_ex(address)
            for _ in range(3):
                self.bystander.send(post("Content-Length: 0"))
                self.tasks += 1
                answer = self.bystander.read_answer()
                self.assertIn((answer.status, answer.reason),
                              [(502, "replica_unreachable"), (503, "no_replica")])


if __name__ == "__main__":
    unittest.main()

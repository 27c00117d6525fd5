"""The same bytes through Sluice and through two proxies that the world relies on: what they refuse,
Sluice refuses; of what it takes, replicas get the same."""
import concurrent.futures
import contextlib
import pathlib
import random
import shutil
import socket
import subprocess
import tempfile
import unittest

from hostile.case import CONFIGURATION, MODEL, PATH, SLOTS, echo, post
from hostile.framing_matrix import MALFORMED, UNUSUAL
from support.client import Wire
from support.processes import PATIENCE_S, Stage, wait_until
from support.scripted_replica import ScriptedReplica

HAPROXY = """
global
    log stderr format raw local0 emerg
defaults
    mode http
    timeout connect 5s
    timeout client 500ms
    timeout http-request 500ms
    timeout http-keep-alive 50ms
    timeout server 5s
frontend in
    bind 127.0.0.1:{port}
    default_backend out
backend out
    server replica 127.0.0.1:{replica}
"""
NGINX = """
daemon off; master_process off; pid nginx.pid; error_log stderr emerg;
events {{ }}
http {{
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u;
  scgi_temp_path s;
  client_header_timeout 500ms; client_body_timeout 500ms; proxy_read_timeout 5s;
  keepalive_timeout 50ms;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{replica}; proxy_http_version 1.1; }}
  }}
}}
"""
PEERS = {"haproxy": (HAPROXY, ["-db", "-f"]), "nginx": (NGINX, ["-p", ".", "-c"])}


MUTANTS = 600
CALLERS = 48
ORIGINALS = (
    post("Content-Length: 2", body=b"ok"),
    post("Content-Length: 5", "x-a: b", "Connection: keep-alive", body=b"abcde"),
    post("Transfer-Encoding: chunked", body=b"2\r\nok\r\n3;x=y\r\nabc\r\n0\r\nx: y\r\n\r\n"),
    post("x-a: b", "Transfer-Encoding: chunked", body=b"2\r\nok\r\n0\r\n\r\n") +
    post("Content-Length: 1", body=b"z"),
)
GRAFTS = (b"\r", b"\n", b"\r\n", b" ", b"\t", b":", b",", b";", b"0", b"1", b"f", b"-", b"+", b"\0",
          b"\x0b", b"\xff", b"\"", b"chunked", b"0\r\n\r\n", b"HTTP/1.1", b"Host: b\r\n",
          b"Content-Length: 1\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: x\r\n")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


def accepts(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), PATIENCE_S):
        return True
    return False


class Proxy:
    """One of the three, before a replica of its own."""

    def __init__(self, stage, start):
        self.replica = stage.enter_context(ScriptedReplica(echo))
        self.port = start(stage, self.replica)

    def pass_on(self, data):
        with Wire(self.port) as wire, contextlib.suppress(OSError):
            wire.send(data)
            wire.read_to_end()

    def passed_on(self, tag):
        """The requests with this tag that the replica got, as (method, target, body)."""
        return [(received.method, received.target, received.body)
                for received in self.replica.received if tag in received.target]


def start_sluice(stage, replica):
    return stage.gateway(CONFIGURATION.format(
        model=MODEL, url=replica.url, slots=SLOTS,
        limits="head_timeout: 500ms, body_timeout: 500ms, idle_timeout: 500ms")).port


def start_peer(name):
    def start(stage, replica):
        template, arguments = PEERS[name]
        folder = pathlib.Path(stage.enter_context(tempfile.TemporaryDirectory()))
        port = free_port()
        (folder / "conf").write_text(template.format(port=port, replica=replica.port))
        process = stage.enter_context(subprocess.Popen(
            [shutil.which(name), *arguments, str(folder / "conf")], cwd=folder))
        stage.callback(process.kill)
        wait_until(lambda: accepts(port), f"{name} to listen")
        return port
    return start


def tag(number):
    return f"?t{number:04}t"


def tagged(data, number):
    """Requests of many connections at once are told apart by their targets."""
    return data.replace(PATH.encode(), (PATH + tag(number)).encode())


def mutant(dice, number):
    """An original with one to three bytes or lines put in, taken out or replaced."""
    data = tagged(dice.choice(ORIGINALS), number)
    begin = data.index(b" HTTP/")
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(begin, len(data))
        kind = dice.randrange(4)
        if kind == 0:
            data = data[:at] + data[at + 1:]
        elif kind == 1:
            data = data[:at] + dice.choice(GRAFTS) + data[at + 1:]
        elif kind == 2:
            data = data[:at] + dice.choice(GRAFTS) + data[at:]
        else:
            line = data.rfind(b"\r\n", 0, at) + 2
            data = data[:line] + dice.choice(GRAFTS) + data[line:]
    return data


class Differential(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage = cls.enterClassContext(Stage())
        cls.sluice = Proxy(stage, start_sluice)
        cls.peers = [Proxy(stage, start_peer(name)) for name in PEERS if shutil.which(name)]

    def setUp(self):
        if not self.peers:
            self.skipTest("neither HAProxy nor nginx is installed")

    def compare(self, cases):
        """What Sluice passes on, a peer passes on too, and perhaps more. How often it did."""
        proxies = (self.sluice, *self.peers)
        with concurrent.futures.ThreadPoolExecutor(CALLERS) as pool:
            list(pool.map(lambda proxy, data: proxy.pass_on(data), *zip(
                *((proxy, data) for data in cases for proxy in proxies))))
        passed = 0
        for number, data in enumerate(cases):
            ours = self.sluice.passed_on(tag(number))
            theirs = [peer.passed_on(tag(number)) for peer in self.peers]
            self.assertIn(ours, [same[:len(ours)] for same in theirs], (data, theirs))
            passed += bool(ours)
        return passed

    def tearDown(self):
        for proxy in (self.sluice, *self.peers):
            proxy.replica.received.clear()

    def test_the_matrix(self):
        cases = [data for data, _ in MALFORMED.values()] + list(UNUSUAL.values())
        passed = self.compare([tagged(data, number) for number, data in enumerate(cases)])
        self.assertEqual(passed, len(UNUSUAL))

    def test_mutants(self):
        dice = random.Random(11)
        passed = self.compare([mutant(dice, number) for number in range(MUTANTS)])
        self.assertGreater(passed, MUTANTS / 20, "hardly a mutant lived: nothing was compared")


if __name__ == "__main__":
    unittest.main()

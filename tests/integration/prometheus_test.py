"""R40: promtool accepts what /metrics says, and a real Prometheus scrapes it and answers from it."""
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

SLUICE = os.environ.get("SLUICE_BIN", "build/sluice")
PATIENCE_S = 30
REQUESTS = 5

REPLICA = """
listen: 127.0.0.1:{replica}
slots: 2
models:
  - name: embed
    timed: {{mean: 1ms}}
"""

GATEWAY = """
listen: {{ http: 127.0.0.1:{http}, admin: 127.0.0.1:{admin} }}
models:
  - {{ name: embed, weight: light, budget: 5s }}
replicas:
  - {{ name: edge, url: "http://127.0.0.1:{replica}", models: [embed], slots: 2 }}
"""

PROMETHEUS = """
global: {{ scrape_interval: 200ms, scrape_timeout: 200ms }}
scrape_configs:
  - job_name: sluice
    static_configs: [ {{ targets: ["127.0.0.1:{admin}"] }} ]
"""


def free_ports(*names):
    """Ports that nobody has, held together until all are known so that they differ."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in names]
        for s in sockets:
            s.bind(("127.0.0.1", 0))
        return {name: s.getsockname()[1] for name, s in zip(names, sockets)}


def get(port, path, **query):
    target = f"http://127.0.0.1:{port}{path}"
    if query:
        target += "?" + urllib.parse.urlencode(query)
    with urllib.request.urlopen(target, timeout=5) as answer:
        return answer.read().decode()


def wait_for(condition, what, processes=()):
    """The first true result of condition(); a refused connection or an error status is not yet."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for process in processes:
            if process.poll() is not None:
                raise AssertionError(f"{process.args[0]} {process.args[1]} ended: {process.returncode}")
        with contextlib.suppress(urllib.error.URLError, ConnectionError, TimeoutError):
            if result := condition():
                return result
        time.sleep(0.05)
    raise AssertionError(f"waited {PATIENCE_S} s for {what}")


class PrometheusTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ports = free_ports("replica", "http", "admin", "prometheus")
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.processes = []
        cls.start(SLUICE, "model-server", "-c", cls.write("replica.yaml", REPLICA))
        cls.start(SLUICE, "serve", "-c", cls.write("sluice.yaml", GATEWAY))
        wait_for(lambda: get(cls.ports["admin"], "/readyz"), "a ready replica", cls.processes)
        for _ in range(REQUESTS):
            cls.infer("embed")

    @classmethod
    def write(cls, name, template):
        path = cls.folder / name
        path.write_text(template.format(**cls.ports))
        return str(path)

    @classmethod
    def start(cls, *command):
        process = subprocess.Popen(command)
        cls.processes.append(process)
        cls.addClassCleanup(cls.stop, process)

    @staticmethod
    def stop(process):
        process.terminate()
        try:
            process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    @classmethod
    def infer(cls, model):
        request = urllib.request.Request(
            f"http://127.0.0.1:{cls.ports['http']}/v2/models/{model}/infer",
            data=json.dumps({"inputs": []}).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=5) as answer:
            answer.read()

    def test_promtool_accepts_the_metrics(self):
        metrics = get(self.ports["admin"], "/metrics")
        checked = subprocess.run(["promtool", "check", "metrics"], input=metrics, text=True,
                                 capture_output=True, timeout=PATIENCE_S)
        self.assertEqual((checked.returncode, checked.stdout + checked.stderr), (0, ""))

    def test_prometheus_scrapes_and_answers(self):
        port = self.ports["prometheus"]
        self.start("prometheus", "--config.file=" + self.write("prometheus.yaml", PROMETHEUS),
                   f"--storage.tsdb.path={self.folder / 'tsdb'}", "--log.level=error",
                   f"--web.listen-address=127.0.0.1:{port}")

        def value(query):
            found = json.loads(get(port, "/api/v1/query", query=query))["data"]["result"]
            return float(found[0]["value"][1]) if found else None

        completed = 'sum(sluice_tasks_total{outcome="completed"})'
        wait_for(lambda: value(completed) == REQUESTS, "the tasks to be scraped", self.processes)
        self.assertEqual(value('sluice_node_ready{node="edge"}'), 1)
        self.assertEqual(value("sum(sluice_task_latency_seconds_count)"), REQUESTS)
        self.assertEqual(value("up"), 1)


if __name__ == "__main__":
    unittest.main()

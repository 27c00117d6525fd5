"""curl as a client that shares no code with us."""
import json
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support.client import get, infer_path
from support.metrics import scrape
from support.processes import PATIENCE_S, Stage, wait_until

MODEL_SERVER = """
models:
  - { name: embed, timed: { mean: 1ms } }
  - { name: slow, timed: { mean: 10min, cv: 0 } }
"""

GATEWAY = """
models:
  - {{ name: embed, budget: 20s }}
  - {{ name: slow, budget: 20s }}
replicas:
  - {{ name: only, url: "{url}", models: [embed, slow], slots: 4, cancel: stops }}
health: {{ interval: 50ms, healthy_after: 1 }}
"""

BYTES = 3_000_001


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class Curl(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage = Stage()
        cls.addClassCleanup(stage.close)
        replica = stage.model_server(MODEL_SERVER)
        cls.gateway = stage.gateway(GATEWAY.format(url=replica.url))
        cls.url = f"http://127.0.0.1:{cls.gateway.port}"
        cls.embed = cls.url + infer_path("embed")
        folder = stage.enter_context(tempfile.TemporaryDirectory())
        cls.upload = pathlib.Path(folder) / "body"
        cls.upload.write_bytes(b"\0sluice!" * (BYTES // 8) + b"x" * (BYTES % 8))
        wait_until(lambda: get(cls.gateway.port, "/v2/health/ready").status == 200, "it is ready")

    def curl(self, *arguments, exit_code=0):
        done = subprocess.run(["curl", "--silent", "--show-error", "--noproxy", "*", "--max-time",
                               str(PATIENCE_S), *arguments], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, exit_code, done.stderr)
        return done

    def assert_received(self, answer, size):
        self.assertEqual(json.loads(answer)["outputs"][0]["data"][0], size)

    def test_a_long_upload_waits_for_100_continue(self):
        done = self.curl("--verbose", "--header", "Expect: 100-continue", "--expect100-timeout",
                         str(PATIENCE_S), "--data-binary", f"@{self.upload}", self.embed)
        self.assertIn("< HTTP/1.1 100 Continue", done.stderr)
        self.assert_received(done.stdout, BYTES)

    def test_an_upload_in_chunks(self):
        done = self.curl("--header", "Transfer-Encoding: chunked", "--header", "Expect:",
                         "--data-binary", f"@{self.upload}", self.embed)
        self.assert_received(done.stdout, BYTES)

    def test_http_1_0(self):
        done = self.curl("--http1.0", "--include", "--data", "{}", self.embed)
        self.assertIn("HTTP/1.1 200 OK", done.stdout)
        self.assert_received(done.stdout.splitlines()[-1], 2)

    def test_one_connection_for_all(self):
        done = self.curl("--write-out", "\n=%{http_code} %{num_connects}\n", "--data", "{}",
                         self.embed, self.embed, self.url + infer_path("nobody"), self.embed)
        self.assertEqual([line for line in done.stdout.splitlines() if line.startswith("=")],
                         ["=200 1", "=200 0", "=404 0", "=200 0"])

    def test_head(self):
        done = self.curl("--head", self.url + "/v2/health/ready")
        self.assertIn("HTTP/1.1 200 OK", done.stdout)

    def test_a_problem_is_one_for_curl_too(self):
        done = self.curl("--fail-with-body", "--header", "x-sluice-priority: 11", "--data", "{}",
                         self.embed, exit_code=22)
        self.assertEqual(json.loads(done.stdout)["reason"], "malformed_label")

    def test_giving_up_is_leaving(self):
        self.curl("--max-time", "0.2", "--data", "{}", self.url + infer_path("slow"), exit_code=28)
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_tasks_total",
                                                               outcome="cancelled") == 1,
                   "it counts as cancelled")
        wait_until(lambda: scrape(self.gateway.admin_port).sum("sluice_node_in_flight") == 0,
                   "the slot is free")


if __name__ == "__main__":
    unittest.main()

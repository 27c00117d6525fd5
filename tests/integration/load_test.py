"""sluice load as people run it: what it prints, what it writes, and how it exits."""
import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SLUICE = os.environ.get("SLUICE_BIN", "build/sluice")
LIMIT_S = 60

REPLICA = """
listen: 127.0.0.1:0
slots: {slots}
queue: {queue}
models:
  - name: embed
    timed: {{mean: 2ms, failure_rate: {failure_rate}}}
"""

SCENARIO = """
name: brief
seed: 3
phases:
  - {{ name: calm, duration: 500ms, rate: 40/s }}
  - {{ name: rush, duration: 500ms, rate: 40/s, to: 200/s }}
classes:
  - {{ model: {model}, budget: 5s, realtime: high, tenant: acme, input: {{ bytes: 64 }} }}
callers: {{ timeout: {timeout} }}
"""


class Load(unittest.TestCase):
    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.folder = pathlib.Path(self.stack.enter_context(tempfile.TemporaryDirectory()))

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def replica(self, failure_rate=0, slots=4, queue=100):
        config = self.file("replica.yaml", REPLICA.format(failure_rate=failure_rate, slots=slots,
                                                          queue=queue))
        process = self.stack.enter_context(
            subprocess.Popen([SLUICE, "model-server", "-c", config], stdout=subprocess.PIPE,
                             text=True))
        self.stack.callback(process.kill)
        line = process.stdout.readline()
        self.assertIn("listening on ", line)
        return "http://" + line.split()[-1]

    def load(self, *arguments, model="embed", timeout="5s"):
        scenario = self.file("brief.yaml", SCENARIO.format(model=model, timeout=timeout))
        return subprocess.run([SLUICE, "load", scenario, *arguments], capture_output=True,
                              text=True, timeout=LIMIT_S, check=False)

    def test_table_and_json_agree(self):
        report_file = self.folder / "report.json"
        done = self.load("--target", self.replica(), "--json", str(report_file))
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(report_file.read_text())
        self.assertEqual(report["kind"], "load")
        self.assertEqual(report["scenario"], "brief")
        run = report["runs"][0]
        self.assertEqual(run["seed"], 3)
        self.assertGreater(run["lanes"]["high"]["offered"], 20)
        self.assertEqual(run["lanes"]["high"]["answered"], run["lanes"]["high"]["offered"])
        self.assertEqual(set(run["phases"]), {"calm", "rush"})
        self.assertEqual(run["tenants"]["acme"]["offered"], run["total"]["offered"])
        self.assertGreaterEqual(run["lanes"]["high"]["latency_ms"]["p50"], 1)
        self.assertRegex(done.stdout, rf"high +target +{run['total']['offered']} ")

    def test_policies_run_side_by_side_with_the_same_traffic(self):
        report_file = self.folder / "report.json"
        url = self.replica()
        done = self.load("--target", url, "--policy", "one", "--policy", "two", "--json",
                         str(report_file))
        self.assertEqual(done.returncode, 0, done.stderr)
        one, two = json.loads(report_file.read_text())["runs"]
        self.assertEqual((one["policy"], two["policy"]), ("one", "two"))
        self.assertEqual(one["total"]["offered"], two["total"]["offered"])

    def test_nobody_listens(self):
        done = self.load("--target", "http://127.0.0.1:1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot connect to 127.0.0.1:1", done.stderr)

    def test_nothing_succeeded(self):
        url = self.replica(failure_rate=1)
        done = self.load("--target", url)
        self.assertEqual(done.returncode, 1)
        self.assertIn("not one request succeeded", done.stderr)
        self.assertIn("http_500", done.stderr)

    def test_unknown_model(self):
        done = self.load("--target", self.replica(), model="nobody")
        self.assertEqual(done.returncode, 1)
        self.assertIn("http_404", done.stderr)

    def test_an_overloaded_replica_refuses(self):
        report_file = self.folder / "report.json"
        done = self.load("--target", self.replica(slots=1, queue=1), "--rate", "20", "--json",
                         str(report_file))
        self.assertEqual(done.returncode, 0, done.stderr)
        run = json.loads(report_file.read_text())["runs"][0]
        self.assertGreater(run["lanes"]["high"]["refused"].get("http_503", 0), 0)
        self.assertEqual(sum(run["total"]["outcomes"].values()), run["total"]["offered"])

    def test_a_wrong_scenario_is_told_by_line(self):
        done = self.load("--target", "http://127.0.0.1:1", timeout="soon")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"brief.yaml:\d+: callers.timeout")


if __name__ == "__main__":
    unittest.main()

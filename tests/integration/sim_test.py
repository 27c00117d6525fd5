"""sluice sim as people run it: what it prints, what it writes, and how it exits."""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SLUICE = os.environ.get("SLUICE_BIN", "build/sluice")
LIMIT_S = 120

WORLD = """
models: {detect: {class: light}}
node_kinds: {gpu: {count: 2, slots: 2}}
service_time: {mean_ms: {detect: {gpu: 10}}}
traffic:
  phases:
    - {name: calm, duration_s: 5, rate: 100}
    - {name: rush, duration_s: 5, rate: 500}
"""


class Sim(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.world = self.folder / "world.yaml"
        self.world.write_text(WORLD)

    def sim(self, *arguments):
        return subprocess.run([SLUICE, "sim", *map(str, arguments)], capture_output=True, text=True,
                              timeout=LIMIT_S, check=False)

    def report(self, *arguments):
        path = self.folder / "report.json"
        result = self.sim(self.world, "--json", path, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(path.read_text())

    def test_compares_the_static_peer_with_sluice_by_default(self):
        result = self.sim(self.world)
        self.assertEqual(result.returncode, 0, result.stderr)
        head, *rows = result.stdout.splitlines()
        self.assertEqual(head.split(), ["fixed-priority", "sluice", "improvement"])
        for row in ("high P95, ms", "high SLA miss, %", "peak throughput in budget, /s",
                    "low waited too long, %", "utilisation, %", "success, %"):
            self.assertTrue(any(line.startswith(row) for line in rows), row)
        self.assertIn("sluice, seed 1: ", result.stderr)
        self.assertIn("per CPU second", result.stderr)

    def test_a_policy_may_be_a_mixture(self):
        mixture = "sluice,placement=score,placement.top_k=2"
        report = self.report("--policy", "sluice", "--policy", mixture)
        self.assertEqual([run["policy"] for run in report["runs"]], ["sluice", mixture])
        result = self.sim(self.world, "--policy", "sluice,placement=nearest")
        self.assertEqual(result.returncode, 1)
        self.assertIn('policy.placement: "nearest" is not one of finish-first, score',
                      result.stderr)

    def test_policies_and_seeds_each_make_a_run(self):
        report = self.report("--policy", "fifo", "--policy", "edf", "--seed", "4", "--seed", "5")
        self.assertEqual(report["kind"], "sim")
        self.assertEqual(report["scenario"], "world")
        self.assertEqual([(r["policy"], r["seed"]) for r in report["runs"]],
                         [("fifo", 4), ("fifo", 5), ("edf", 4), ("edf", 5)])
        fifo, _, edf, _ = report["runs"]
        self.assertEqual(fifo["total"]["offered"], edf["total"]["offered"])
        self.assertEqual(set(fifo["phases"]), {"calm", "rush"})
        self.assertEqual(fifo["violations"], 0)

    def test_a_seed_gives_the_same_every_time(self):
        self.assertEqual(self.report("--check"), self.report("--check"))

    def test_a_trace_has_each_request_once_a_run(self):
        trace = self.folder / "requests.csv"
        report = self.report("--trace", trace)
        with trace.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        for run in report["runs"]:
            of_run = [row for row in rows if row["policy"] == run["policy"]]
            self.assertEqual(sorted(int(row["id"]) for row in of_run),
                             list(range(run["total"]["offered"])))
            completed = sum(row["outcome"] == "completed" for row in of_run)
            self.assertEqual(completed, run["total"]["answered"])

    def test_all_policies_meet_the_same_requests(self):
        trace = self.folder / "requests.csv"
        self.report("--trace", trace)
        seen = {}
        with trace.open(newline="") as lines:
            for row in csv.DictReader(lines):
                label = (row["id"], row["arrival_s"], row["model"], row["priority"], row["tenant"])
                seen.setdefault(row["policy"], set()).add(label)
        self.assertEqual(len(seen), 2)
        self.assertEqual(seen["fixed-priority"], seen["sluice"])

    def test_an_unknown_policy_is_answered_with_those_that_there_are(self):
        result = self.sim(self.world, "--policy", "magic")
        self.assertEqual(result.returncode, 1)
        self.assertIn('no policy is called "magic"; known: ', result.stderr)
        self.assertIn("sluice", result.stderr)
        twice = self.sim(self.world, "--policy", "fifo", "--policy", "fifo")
        self.assertEqual(twice.returncode, 1)
        self.assertIn("named twice", twice.stderr)

    def test_a_bad_scenario_is_one_line_with_file_line_and_key(self):
        self.world.write_text(WORLD.replace("slots: 2", "slots: 0"))
        result = self.sim(self.world)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn('world.yaml:3: node_kinds.gpu.slots: "0" is out of bounds; write 1 to 65535',
                      result.stderr)

    def test_a_file_that_cannot_be_written_is_said(self):
        for flag in ("--json", "--trace"):
            result = self.sim(self.world, flag, self.folder / "nowhere" / "file")
            self.assertEqual(result.returncode, 1)
            self.assertIn("cannot write", result.stderr)

    def test_explains_its_keys(self):
        result = self.sim("--keys")
        self.assertEqual(result.returncode, 0)
        self.assertIn("## `traffic.streams[]`", result.stdout)


if __name__ == "__main__":
    unittest.main()

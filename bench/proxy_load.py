"""The two load tools of bench/proxy, and what they report."""
import collections
import json
import pathlib
import re
import statistics
import subprocess
import tempfile

CONNECTIONS = 64
PATH = "/v2/models/timed/infer"
HERE = pathlib.Path(__file__).resolve().parent

# Of one run: answers with status 200, how long it took, and the tail of their latency.
Answers = collections.namedtuple("Answers", "count seconds p99_ms")


class Unsound(Exception):
    """The run cannot be used, and why."""


def body_1kib():
    """An inference of the Open Inference Protocol, 1024 bytes long."""
    frame = '{"inputs":[{"name":"x","datatype":"BYTES","shape":[1],"data":["%s"]}]}'
    return (frame % ("a" * (1024 - len(frame % "")))).encode()


class Load:
    """Sends from the processors `cpus`."""

    def __init__(self, cpus):
        self._pin = ["taskset", "--cpu-list", ",".join(map(str, cpus))]
        self._directory = tempfile.TemporaryDirectory()
        self._body = pathlib.Path(self._directory.name, "body")
        self._body.write_bytes(body_1kib())

    def close(self):
        self._directory.cleanup()

    def saturate(self, port, seconds):
        """Closed loop: every connection asks again once it is answered; priorities in turn."""
        output = self._run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--timeout", "30s",
                            "-s", str(HERE / "proxy_saturate.lua"), f"http://127.0.0.1:{port}",
                            "--", str(self._body), PATH])
        report = json.loads(output.splitlines()[-1])
        if report["refused"] or report["broken"]:
            raise Unsound(f"wrk counts {report['refused']} answers that are errors and "
                          f"{report['broken']} broken requests; all must be answered 200")
        return Answers(report["answers"], report["seconds"], report["p99_ms"])

    def offer(self, port, seconds, rate):
        """A fixed rate over all connections; a third of them for each of three priorities."""
        thirds = [(0, 22), (4, 21), (8, 21)]  # priority, connections
        tools = [self._start(self._h2load(port, seconds, rate / CONNECTIONS, *third))
                 for third in thirds]
        for tool in tools:
            self._check_h2load(finish(tool))
        rows = [row for priority, _ in thirds for row in self._rows(priority)]
        answers = count_200(rows, seconds)
        if not 0.95 <= answers.count / seconds / rate <= 1.05:
            raise Unsound(f"offered {rate:.0f}/s, answered {answers.count / seconds:.0f}/s: the "
                          "machine is too busy for an equal rate")
        return answers

    def _h2load(self, port, seconds, rate_each, priority, connections):
        return ["h2load", "--h1", "-t1", f"-c{connections}", f"-D{seconds}", f"--rps={rate_each}",
                "-d", str(self._body), "-H", "content-type: application/json",
                "-H", f"x-sluice-priority: {priority}", f"--log-file={self._log(priority)}",
                f"http://127.0.0.1:{port}{PATH}"]

    def _log(self, priority):
        return pathlib.Path(self._directory.name, f"log{priority}")

    def _rows(self, priority):
        """(start, status, microseconds) of every answer; the file is emptied."""
        path = self._log(priority)
        rows = [tuple(map(int, line.split("\t"))) for line in path.read_text().splitlines()]
        path.unlink()
        return rows

    @staticmethod
    def _check_h2load(output):
        trouble = re.search(r"(\d+) failed, (\d+) errored, (\d+) timeout", output)
        if not trouble or any(int(count) for count in trouble.groups()):
            raise Unsound(f"h2load had failures:\n{output}")

    def _start(self, command):
        return subprocess.Popen(self._pin + command, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)

    def _run(self, command):
        return finish(self._start(command))


def finish(tool):
    output, _ = tool.communicate()
    if tool.returncode != 0:
        raise Unsound(f"{tool.args[3]} exited with {tool.returncode}:\n{output}")
    return output


def count_200(rows, seconds):
    others = collections.Counter(status for _, status, _ in rows if status != 200)
    if others or not rows:
        raise Unsound(f"of {len(rows)} answers some are not 200: {dict(others)}")
    p99_us = statistics.quantiles((latency for _, _, latency in rows), n=100)[98]
    return Answers(len(rows), seconds, p99_us / 1e3)

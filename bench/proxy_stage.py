"""What bench/proxy measures: the two proxies, the replicas behind both, and their own counts."""
import collections
import csv
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.client import get  # noqa: E402
from support.metrics import scrape  # noqa: E402

BENCH = ROOT / "bench"
# Debian keeps it where users other than root do not look.
HAPROXY = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin") or "haproxy"
REPLICA_PORTS = range(18301, 18305)

# So far: answers with a status of 2xx, and milliseconds that requests waited in the proxy's queue
# (Sluice: sum, over `waited` of them; HAProxy: its mean of the last 1,024).
Counts = collections.namedtuple("Counts", "answers wait_ms waited longest_queue")
# Processor time of a process, in nanoseconds: all of it, and what ps calls user and system time.
Cpu = collections.namedtuple("Cpu", "total user system")


class Program:
    """A process on given processors, with its output kept for when it dies."""

    def __init__(self, command, cpus):
        self._log = tempfile.TemporaryFile("w+")
        pin = ["taskset", "--cpu-list", ",".join(map(str, cpus))]
        self._popen = subprocess.Popen(pin + command, stdin=subprocess.DEVNULL, stdout=self._log,
                                       stderr=subprocess.STDOUT)
        self.name = pathlib.Path(command[0]).name

    def check_alive(self):
        if self._popen.poll() is not None:
            self._log.seek(0)
            raise RuntimeError(f"{self.name} has exited with {self._popen.returncode}; it said:\n"
                               f"{self._log.read()}")

    def cpu(self):
        """Over all threads, also those that have ended. The clock counts nanoseconds, the split
        into user and system time the kernel's ticks."""
        pid = self._popen.pid
        clock = (~pid << 3) | 2  # CPUCLOCK_SCHED of a process, as clock_getcpuclockid makes it
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        tick_ns = 10**9 // os.sysconf("SC_CLK_TCK")
        return Cpu(time.clock_gettime_ns(clock), int(fields[11]) * tick_ns,
                   int(fields[12]) * tick_ns)

    def close(self):
        self._popen.terminate()
        try:
            self._popen.wait(10)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
        self._log.close()


class Replica(Program):
    def __init__(self, sluice, port, cpus):
        super().__init__([sluice, "model-server", "-c", str(BENCH / "proxy_replica.yaml"),
                          "--port", str(port)], cpus)
        self._port = port

    def answers(self):
        return scrape(self._port).sum("nv_inference_request_success")


class Sluice(Program):
    port, admin_port = 18320, 18321

    def __init__(self, sluice, cpus):
        super().__init__([sluice, "serve", "-c", str(BENCH / "proxy_sluice.yaml")], cpus)

    def ready(self):
        return scrape(self.admin_port).sum("sluice_node_ready") == len(REPLICA_PORTS)

    def counts(self):
        metrics = scrape(self.admin_port)
        return Counts(metrics.sum("sluice_tasks_total", outcome="completed"),
                      metrics.sum("sluice_task_queue_seconds_sum") * 1e3,
                      metrics.sum("sluice_task_queue_seconds_count"), None)

    @staticmethod
    def mean_wait_ms(before, after):
        return (after.wait_ms - before.wait_ms) / max(1, after.waited - before.waited)


class Haproxy(Program):
    port, counters_port = 18310, 18311

    def __init__(self, cpus):
        super().__init__([HAPROXY, "-db", "-f", str(BENCH / "haproxy.cfg")], cpus)

    def _replicas(self):
        text = get(self.counters_port, "/stats;csv").body.decode().lstrip("# ")
        rows = csv.DictReader(io.StringIO(text))
        return [row for row in rows if row["pxname"] == "replicas"]

    def ready(self):
        # "UP 1/2" and "DOWN" are not ready; L7OK says that a check has passed.
        servers = [row for row in self._replicas() if row["svname"] != "BACKEND"]
        return all(row["status"] == "UP" and row["check_status"] == "L7OK" for row in servers)

    def counts(self):
        total = next(row for row in self._replicas() if row["svname"] == "BACKEND")
        return Counts(int(total["hrsp_2xx"]), int(total["qtime"]), None, int(total["qmax"]))

    @staticmethod
    def mean_wait_ms(_, after):
        return after.wait_ms


class Stage:
    """Replicas and both proxies, running and ready. The proxies have a processor of their own where
    there are two or more; everything else has the rest."""

    def __init__(self, sluice):
        cpus = sorted(os.sched_getaffinity(0))
        self.proxy_cpus, self.other_cpus = cpus[:1], cpus[1:] or cpus
        self._programs = []
        try:
            self.replicas = [self._add(Replica(sluice, port, self.other_cpus))
                             for port in REPLICA_PORTS]
            self.proxies = {"haproxy": self._add(Haproxy(self.proxy_cpus)),
                            "sluice": self._add(Sluice(sluice, self.proxy_cpus))}
            self._wait_until_ready()
        except BaseException:
            self.close()
            raise

    def _add(self, program):
        self._programs.append(program)
        return program

    def _wait_until_ready(self):
        deadline = time.monotonic() + 30
        while not self._is_ready():
            if time.monotonic() > deadline:
                raise RuntimeError("replicas and proxies are not ready after 30 s")
            time.sleep(0.1)

    def _is_ready(self):
        self.check_alive()
        try:
            return all(proxy.ready() for proxy in self.proxies.values())
        except OSError:
            return False  # not listening yet

    def check_alive(self):
        for program in self._programs:
            program.check_alive()

    def replica_answers(self):
        return sum(replica.answers() for replica in self.replicas)

    def close(self):
        for program in reversed(self._programs):
            program.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

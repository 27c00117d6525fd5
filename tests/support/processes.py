"""Sluice's programs as processes of a test, on ports that the system chose."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLUICE = os.environ.get("SLUICE_BIN", str(ROOT / "build/sluice"))
PATIENCE_S = 30


def wait_until(condition, what, patience_s=PATIENCE_S, pause_s=0.01):
    """The first true value of condition(); AssertionError naming `what` when none comes in time."""
    deadline = time.monotonic() + patience_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"after {patience_s} s still not: {what}")
        time.sleep(pause_s)


class Process:
    """A verb of sluice with a configuration; its output is kept and can be waited for."""

    def __init__(self, verb, configuration, *arguments):
        self._file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self._file.write(configuration)
        self._file.flush()
        self.lines = []
        self._told_to_end = False
        self._popen = subprocess.Popen([SLUICE, verb, "-c", self._file.name, *arguments], cwd=ROOT,
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._popen.stdout:
            self.lines.append(line.rstrip("\n"))

    @property
    def pid(self):
        return self._popen.pid

    @property
    def output(self):
        return "\n".join(self.lines)

    def alive(self):
        return self._popen.poll() is None

    def wait_for_line(self, pattern):
        """The match of `pattern` in the first line that has one."""
        def found():
            matches = (re.search(pattern, line) for line in list(self.lines))
            match = next(filter(None, matches), None)
            if not match and not self.alive():
                self._reader.join()
                if not re.search(pattern, self.output):
                    raise AssertionError(f"exited with {self._popen.returncode} before "
                                         f"{pattern!r}; it said:\n{self.output}")
            return match
        return wait_until(found, f"a line like {pattern!r}")

    def _port_in(self, pattern):
        try:
            return int(self.wait_for_line(pattern)[1])
        except AssertionError:
            self.close()
            raise

    def terminate(self):
        self._told_to_end = True
        self._popen.send_signal(signal.SIGTERM)

    def kill(self):
        """SIGKILL, and wait until it is gone."""
        self._told_to_end = True
        self._popen.kill()
        self._popen.wait()

    def freeze(self):
        """SIGSTOP: connections stay, answers do not come."""
        self._popen.send_signal(signal.SIGSTOP)

    def thaw(self):
        self._popen.send_signal(signal.SIGCONT)

    def exit_code(self, patience_s=PATIENCE_S):
        code = self._popen.wait(patience_s)
        self._reader.join(patience_s)
        return code

    def close(self):
        if self.alive():
            self.kill()
        self._reader.join(PATIENCE_S)
        if self._popen.returncode != 0 and not self._told_to_end:
            print(f"exited by itself with {self._popen.returncode}; it said:\n{self.output}")
        self._popen.stdout.close()
        self._file.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class ModelServer(Process):
    """`sluice model-server`. `configuration` without `listen`, which is given here."""

    def __init__(self, configuration, port=0):
        super().__init__("model-server", configuration, "--listen", f"127.0.0.1:{port}")
        self._configuration = configuration
        self.port = self._port_in(r"listening on .*:(\d+)")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def again(self):
        """Another one on the same port, after this one has ended."""
        return ModelServer(self._configuration, self.port)


class Gateway(Process):
    """`sluice serve`. `configuration` without `listen`, which is given here."""

    def __init__(self, configuration):
        super().__init__("serve", LISTEN + configuration)
        self.port = self._port_in(r"listening on .*:(\d+)")
        self.admin_port = self._port_in(r"admin on .*:(\d+)")


LISTEN = "listen: { http: 127.0.0.1:0, admin: 127.0.0.1:0 }\n"


class Stage(contextlib.ExitStack):
    """All that a test starts, ended in reverse order."""

    def model_server(self, configuration, port=0):
        return self.enter_context(ModelServer(configuration, port))

    def gateway(self, configuration):
        return self.enter_context(Gateway(configuration))

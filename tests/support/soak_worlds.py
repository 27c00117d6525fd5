"""The simulator beside the gateway of a soak: random worlds under all checks, one after the other."""
import subprocess
import threading

from support.processes import SLUICE

SEEDS_A_RUN = 100


class RandomWorlds:
    """Until the end of the with block, or the first broken promise."""

    def __init__(self, seed):
        self.seeds = 0
        self.broken = ""  # what it said, with the line that replays it
        self._first = seed
        self._over = threading.Event()
        self._running = None
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._over.is_set() and not self.broken:
            # The gateway's figures come first: what is left of the processor is enough here.
            self._running = subprocess.Popen(
                ["nice", SLUICE, "sim", "--random-seed", str(self._first + self.seeds),
                 "--seeds", str(SEEDS_A_RUN), "--check"],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            said = self._running.communicate()[1]
            if self._over.is_set():
                return
            if self._running.returncode != 0:
                self.broken = said or f"ended with {self._running.returncode}"
            else:
                self.seeds += SEEDS_A_RUN

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        if self._running is not None:
            self._running.kill()
        self._thread.join()

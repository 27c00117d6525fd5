"""A replica whose answers wait for the test: whatever is queued behind them stays queued."""
import queue

from support.processes import PATIENCE_S, wait_until
from support.scripted_replica import ScriptedReplica, with_length


class HeldReplica(ScriptedReplica):
    def __init__(self):
        self._permits = queue.Queue()
        super().__init__(self._answer_when_let)

    def _answer_when_let(self, received):
        if not self._permits.get(timeout=2 * PATIENCE_S):
            self._permits.put(False)  # for the next one that waits
            raise OSError("closed")
        return with_length(received.body)

    def let(self, answers=1):
        """So many requests, held now or coming later, are answered."""
        for _ in range(answers):
            self._permits.put(True)

    def wait_for(self, requests):
        """Until so many have arrived, answered ones too; returns them."""
        wait_until(lambda: len(self.received) >= requests, f"{requests} requests at the replica")
        return self.received

    def close(self):
        self._permits.put(False)
        super().close()

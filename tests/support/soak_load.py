"""Callers who never stop asking, some of whom leave: each request's fate is known here."""
import asyncio
import collections
import random
import threading

from support.client import infer_path, parse_header

MODELS = ("urgent", "normal", "heavy")
BODY_BYTES = (100, 4_000, 60_000, 1_000_000)
BODY_WEIGHTS = (80, 15, 4, 1)
LONGEST_STAY_S = 0.1  # of callers who leave
LONGEST_PAUSE_S = 0.02  # after anything but 200: callers who are refused back off


class Load(threading.Thread):
    """`callers` connections, each with one request at a time, until finish()."""

    def __init__(self, port, callers, leave_share, seed):
        super().__init__(daemon=True)
        self.sent = 0  # whole requests: each is a task
        self.left = 0  # of these, such whose caller left before the answer
        self.cut = 0  # of these, such whose answer broke off
        self.statuses = collections.Counter()  # of these, such with an answer
        self.task_ids = set()
        self.task_ids_given_twice = 0
        self._port = port
        self._callers = callers
        self._leave_share = leave_share
        self._seed = seed
        self._bodies = {size: bytes(size) for size in BODY_BYTES}
        self._finishing = False
        self._error = None

    def finish(self):
        """No new requests; returns when the last one has its answer. Raises what a caller met."""
        self._finishing = True
        self.join()
        if self._error:
            raise self._error

    def run(self):
        try:
            asyncio.run(self._run())
        except BaseException as error:  # told to whoever waits
            self._error = error

    async def _run(self):
        await asyncio.gather(*(self._call(random.Random(f"{self._seed}/{n}"))
                               for n in range(self._callers)))

    async def _call(self, draw):
        while not self._finishing:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            try:
                while not self._finishing and await self._request(reader, writer, draw):
                    pass
            finally:
                writer.close()  # behind whatever is still to be sent
                await asyncio.wait([asyncio.ensure_future(writer.wait_closed())])

    async def _request(self, reader, writer, draw):
        """One request and its answer. False: the connection is not to be used again."""
        body = self._bodies[draw.choices(BODY_BYTES, BODY_WEIGHTS)[0]]
        writer.write(f"POST {infer_path(draw.choice(MODELS))} HTTP/1.1\r\nHost: sluice\r\n"
                     f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        self.sent += 1
        stay_s = draw.uniform(0, LONGEST_STAY_S) if draw.random() < self._leave_share else None
        try:
            status, headers = await asyncio.wait_for(read_answer(reader), stay_s)
        except asyncio.TimeoutError:
            self.left += 1
            return False
        except (asyncio.IncompleteReadError, ConnectionError):
            self.cut += 1
            return False
        self._note(status, headers)
        if status != 200:
            await asyncio.sleep(draw.uniform(0, LONGEST_PAUSE_S))
        return headers.get("connection") != "close"

    def _note(self, status, headers):
        self.statuses[status] += 1
        task_id = headers["x-sluice-task-id"]
        self.task_ids_given_twice += task_id in self.task_ids
        self.task_ids.add(task_id)


async def read_answer(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = dict(parse_header(line) for line in head[1:] if line)
    await reader.readexactly(int(headers["content-length"]))
    return int(head[0].split()[1]), headers

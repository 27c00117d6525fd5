"""The reference replica with real models, seen by a client that shares no code with it."""
import array
import concurrent.futures
import contextlib
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

from support.images import tensor_of

SLUICE = os.environ.get("SLUICE_BIN", "build/release/src/cli/sluice")
PATIENCE_S = 60
HEIGHT, WIDTH = 48, 192

CONFIGURATION = """
listen: 127.0.0.1:0
slots: 2
models:
  - {name: orientation, onnx: .deps/models/orientation.onnx}
  - {name: detection, onnx: .deps/models/detection.onnx}
  - {name: timed, timed: {mean: 1ms, memory: 500MB}}
  - {name: slow, timed: {mean: 500ms, cv: 0}}
"""


class Replica:
    def __init__(self, configuration):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.file.write(configuration)
        self.file.flush()
        self.process = subprocess.Popen([SLUICE, "model-server", "-c", self.file.name],
                                        stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.address = line.split()[-1]

    def ask(self, method, path, body=None, headers=None):
        """(status, headers, body) over a connection of its own."""
        with contextlib.closing(http.client.HTTPConnection(self.address, timeout=PATIENCE_S)) as c:
            c.request(method, path, body, headers or {})
            response = c.getresponse()
            return response.status, response.headers, response.read()

    def infer(self, model, request, raw=b""):
        head = json.dumps(request).encode()
        headers = {"Inference-Header-Content-Length": str(len(head))} if raw else {}
        return self.ask("POST", f"/v2/models/{model}/infer", head + raw, headers)

    def stop(self):
        self.process.terminate()
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.file.close()


def with_binary_input(values, shape, **members):
    return {"inputs": [{"name": "x", "datatype": "FP32", "shape": shape,
                        "parameters": {"binary_data_size": len(values) * 4}}], **members}


class ModelServerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.replica = Replica(CONFIGURATION)
        cls.images = [tensor_of("data/images/line-tilted.png", HEIGHT, WIDTH, turned)
                      for turned in (False, True)]

    @classmethod
    def tearDownClass(cls):
        assert cls.replica.stop() == 0

    def orientation(self, values):
        """The probabilities of (upright, upside down)."""
        request = with_binary_input(values, [1, 3, HEIGHT, WIDTH])
        status, _, body = self.replica.infer("orientation", request, values.tobytes())
        self.assertEqual(status, 200, body)
        return json.loads(body)["outputs"][0]["data"]

    def test_tells_upright_text_from_text_upside_down(self):
        upright, turned = map(self.orientation, self.images)
        self.assertGreater(upright[0], 0.7)
        self.assertGreater(turned[1], 0.9)

    def test_json_and_binary_tensors_mean_the_same(self):
        values = self.images[0]
        shape = [1, 3, HEIGHT, WIDTH]
        plain = {"inputs": [{"name": "x", "datatype": "FP32", "shape": shape,
                             "data": values.tolist()}]}
        _, _, in_json = self.replica.infer("orientation", plain)
        status, headers, body = self.replica.infer(
            "orientation", with_binary_input(values, shape, id="b",
                                             parameters={"binary_data_output": True}),
            values.tobytes())
        self.assertEqual(status, 200)
        head = int(headers["Inference-Header-Content-Length"])
        described = json.loads(body[:head])
        self.assertEqual(described["id"], "b")
        self.assertEqual(described["outputs"][0]["parameters"], {"binary_data_size": 8})
        in_binary = array.array("f", body[head:])
        for a, b in zip(json.loads(in_json)["outputs"][0]["data"], in_binary, strict=True):
            self.assertAlmostEqual(a, b, places=6)

    def test_detection_gives_a_map_of_the_images_size(self):
        values = array.array("f", bytes(3 * 320 * 320 * 4))
        status, _, body = self.replica.infer(
            "detection", with_binary_input(values, [1, 3, 320, 320]), values.tobytes())
        self.assertEqual(status, 200, body)
        self.assertEqual(json.loads(body)["outputs"][0]["shape"], [1, 1, 320, 320])

    def test_a_wrong_request_is_told_why_and_harms_nobody(self):
        for request in ({}, {"inputs": []}, with_binary_input([0], [1, 3, 1, 1])):
            status, _, body = self.replica.infer("orientation", request)
            self.assertEqual(status, 400)
            self.assertTrue(json.loads(body)["error"])
        self.test_tells_upright_text_from_text_upside_down()

    def test_metadata_and_listing(self):
        _, _, body = self.replica.ask("GET", "/v2/models/orientation")
        self.assertEqual(json.loads(body)["inputs"],
                         [{"name": "x", "datatype": "FP32", "shape": [-1, 3, -1, -1]}])
        _, _, body = self.replica.ask("GET", "/v2/models/timed")
        self.assertEqual(json.loads(body)["parameters"]["memory_bytes"], 500_000_000)
        _, _, body = self.replica.ask("POST", "/v2/repository/index", b"{}")
        self.assertEqual([entry["name"] for entry in json.loads(body)],
                         ["detection", "orientation", "slow", "timed"])
        self.assertEqual(self.replica.ask("GET", "/v2/models/none")[0], 404)

    def test_a_timed_profile_answers_any_body_with_the_same_bytes(self):
        path = "/v2/models/timed/infer"
        body = bytes(range(256)) * 4
        first, second = (self.replica.ask("POST", path, body) for _ in range(2))
        self.assertEqual((first[0], first[2]), (200, second[2]))

    def test_metrics_are_what_promtool_accepts_but_for_tritons_names(self):
        self.orientation(self.images[0])
        _, _, text = self.replica.ask("GET", "/metrics")
        check = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        # 3: readable, with advice on names (Triton's counters have no _total).
        self.assertIn(check.returncode, (0, 3), check.stderr)


class StoppingTest(unittest.TestCase):
    def test_sigterm_loses_no_accepted_request(self):
        replica = Replica(CONFIGURATION)
        with concurrent.futures.ThreadPoolExecutor() as callers:
            answers = [callers.submit(replica.ask, "POST", "/v2/models/slow/infer", b"x")
                       for _ in range(3)]  # two run, one waits
            self.wait_for_waiting(replica, 1)
            self.assertEqual(replica.stop(), 0)
            self.assertEqual([answer.result()[0] for answer in answers], [200] * 3)

    def wait_for_waiting(self, replica, count):
        line = f'pending_request_count{{model="slow",version="1"}} {count}\n'.encode()
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            if line in replica.ask("GET", "/metrics")[2]:
                return
        self.fail("the third request never waited")


if __name__ == "__main__":
    sys.exit(unittest.main())

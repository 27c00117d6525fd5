"""What the caller and the replica get is, byte for byte, what the other one sent."""
import json
import random
import unittest

from support.client import Wire, get, infer_path, request
from support.images import tensor_of
from support.processes import ROOT, Stage, wait_until
from support.scripted_replica import ScriptedReplica, in_chunks, with_length

MODEL_SERVER = """
slots: 2
models:
  - { name: orientation, onnx: .deps/models/orientation.onnx }
  - { name: detection, onnx: .deps/models/detection.onnx }
  - { name: timed, timed: { mean: 1ms, cv: 0 } }
"""

GATEWAY = """
models:
  - {{ name: orientation, budget: 1min }}
  - {{ name: detection, budget: 1min }}
  - {{ name: timed, budget: 1min }}
  - {{ name: echo, budget: 1min }}
replicas:
  - {{ name: real, url: "{real}", models: [orientation, detection, timed], slots: 2 }}
  - {{ name: scripted, url: "{scripted}", models: [echo], slots: 2 }}
health: {{ interval: 50ms, healthy_after: 1 }}
"""

MIB = 1 << 20
PIECE_BYTES = 10_000  # no divisor of the bodies' sizes, no multiple of a buffer's


def pieces_of(body):
    return [body[at:at + PIECE_BYTES] for at in range(0, len(body), PIECE_BYTES)]


def json_request(values, shape):
    return json.dumps({"id": "a", "inputs": [
        {"name": "x", "datatype": "FP32", "shape": shape, "data": list(values)}]}).encode(), {}


def binary_request(values, shape):
    """Tensors behind the JSON, both ways."""
    head = json.dumps({
        "id": "b", "parameters": {"binary_data_output": True},
        "inputs": [{"name": "x", "datatype": "FP32", "shape": shape,
                    "parameters": {"binary_data_size": 4 * len(values)}}]}).encode()
    return head + values.tobytes(), {"Inference-Header-Content-Length": str(len(head)),
                                     "Content-Type": "application/octet-stream"}


class Identity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        stage = Stage()
        cls.addClassCleanup(stage.close)
        cls.answers = {}  # by path and query: what the scripted replica says
        cls.scripted = stage.enter_context(
            ScriptedReplica(lambda received: cls.answers[received.target]))
        cls.real = stage.model_server(MODEL_SERVER)
        gateway = GATEWAY.format(real=cls.real.url, scripted=cls.scripted.url)
        cls.gateway = stage.gateway(gateway)
        for model in ("timed", "echo"):
            wait_until(lambda m=model: get(cls.gateway.port, f"/v2/models/{m}/ready").status == 200,
                       f"{model} is ready")
        cls.image = tensor_of(ROOT / "data/images/line-tilted.png", 48, 192)
        cls.random = random.Random(7)

    def assert_same_both_ways(self, model, body, headers=()):
        """The replica answers the same, whether asked directly, through Sluice, or in chunks."""
        path = infer_path(model)
        direct = request(self.real.port, "POST", path, body, dict(headers))
        self.assertEqual(direct.status, 200, direct.body[:500])
        through = request(self.gateway.port, "POST", path, body, dict(headers))
        chunked = request(self.gateway.port, "POST", path, pieces_of(body), dict(headers),
                          chunked=True)
        for answer in (through, chunked):
            self.assertEqual(answer.status, 200, answer.body[:500])
            self.assertTrue(answer.body == direct.body, "another body than the replica's")
            for name in ("content-type", "inference-header-content-length"):
                self.assertEqual(answer.headers.get(name), direct.headers.get(name))
            self.assertEqual(answer.headers["x-sluice-replica"], "real")
        return direct

    def test_a_real_image_as_json(self):
        answer = self.assert_same_both_ways(
            "orientation", *json_request(self.image, [1, 3, 48, 192]))
        self.assertGreater(answer.json["outputs"][0]["data"][0], 0.7)  # it is upright

    def test_a_real_image_as_a_binary_tensor(self):
        answer = self.assert_same_both_ways(
            "orientation", *binary_request(self.image, [1, 3, 48, 192]))
        self.assertIn("inference-header-content-length", answer.headers)

    def test_a_page_of_megabytes_both_ways(self):
        page = tensor_of(ROOT / "data/images/line-tilted.png", 608, 608)
        answer = self.assert_same_both_ways("detection", *binary_request(page, [1, 3, 608, 608]))
        self.assertGreater(len(answer.body), MIB)

    def test_timed_profiles_answer_for_every_byte_of_the_request(self):
        for size in (0, 1, 8191, 8192, 8193, 3 * MIB + 1):
            with self.subTest(size=size):
                body = self.random.randbytes(size)
                answer = self.assert_same_both_ways("timed", body)
                self.assertEqual(answer.json["outputs"][0]["data"][0], size)

    def test_metadata(self):
        for path in ("/v2/models/orientation", "/v2/models/timed"):
            direct, through = get(self.real.port, path), get(self.gateway.port, path)
            self.assertEqual((through.status, through.body), (200, direct.body))

    def ask_scripted(self, name, answer):
        path = infer_path("echo") + "?" + name
        self.answers[path] = answer
        return request(self.gateway.port, "POST", path, b"{}")

    def test_answers_in_chunks_of_any_size(self):
        for chunk_bytes, size in ((1, 300), (7, 5000), (16 << 10, MIB), (100_003, 5 * MIB + 3)):
            with self.subTest(chunk_bytes=chunk_bytes):
                body = self.random.randbytes(size)
                answer = self.ask_scripted(f"chunks-{chunk_bytes}", in_chunks(body, chunk_bytes))
                self.assertEqual(answer.headers["transfer-encoding"], "chunked")
                self.assertTrue(answer.body == body)

    def test_answers_that_arrive_byte_by_byte(self):
        wire = in_chunks(b"some bytes", 4)
        answer = self.ask_scripted("slowly", [wire[i:i + 1] for i in range(len(wire))])
        self.assertEqual(answer.body, b"some bytes")

    def test_a_long_answer_with_a_length(self):
        body = self.random.randbytes(8 * MIB)
        answer = self.ask_scripted("length", with_length(body))
        self.assertEqual(answer.headers["content-length"], str(len(body)))
        self.assertTrue(answer.body == body)

    def test_an_answer_that_ends_with_its_connection(self):
        body = self.random.randbytes(2 * MIB)
        head = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
        answer = self.ask_scripted("until-close", head + body)
        self.assertEqual(answer.headers["transfer-encoding"], "chunked")
        self.assertTrue(answer.body == body)

    def test_chunks_reach_a_caller_of_http_1_0_without_their_frames(self):
        body = self.random.randbytes(100_000)
        path = infer_path("echo") + "?old"
        self.answers[path] = in_chunks(body, 999)
        with Wire(self.gateway.port) as wire:
            wire.send(f"POST {path} HTTP/1.0\r\nContent-Length: 2\r\n\r\n{{}}".encode())
            head, _, received = wire.read_to_end().partition(b"\r\n\r\n")
        self.assertNotIn(b"chunked", head.lower())
        self.assertTrue(received == body)

    def test_status_and_headers_of_the_replica_pass(self):
        sent = with_length(b"short of it", "X-Own: a", "x-own: b", "ETag: \"1\"",
                           "x-sluice-lane: forged", status="422 Not So")
        answer = self.ask_scripted("headers", sent)
        self.assertEqual((answer.status, answer.body), (422, b"short of it"))
        self.assertEqual(answer.headers["etag"], "\"1\"")
        self.assertEqual(answer.headers["x-sluice-lane"], "latency")

    def test_the_request_reaches_the_replica_whole(self):
        path = infer_path("echo") + "?whole=%20&x"
        self.answers[path] = with_length(b"")
        body = self.random.randbytes(5 * MIB)
        headers = {"Inference-Header-Content-Length": "9", "X-Trace": "kept", "Connection": "X-Hop",
                   "X-Hop": "not passed on", "x-sluice-tenant": "acme"}
        request(self.gateway.port, "POST", path, pieces_of(body), headers, chunked=True)
        received = self.scripted.received[-1]
        self.assertEqual(received.target, path)
        self.assertTrue(received.body == body)
        self.assertEqual(received.headers["x-trace"], "kept")
        self.assertEqual(received.headers["inference-header-content-length"], "9")
        self.assertEqual(received.headers["x-sluice-tenant"], "acme")
        self.assertEqual(received.headers["host"], f"127.0.0.1:{self.scripted.port}")
        self.assertNotIn("x-hop", received.headers)
        self.assertLess(0, int(received.headers["x-sluice-budget-ms"]))


if __name__ == "__main__":
    unittest.main()

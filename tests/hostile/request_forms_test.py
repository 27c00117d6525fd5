"""Callers that speak an older, a newer or an unusual HTTP; paths, methods and models that are not
there."""
import unittest

from hostile.case import MODEL, PATH, HostileCase, echoed, post

OK = post("Content-Length: 2", body=b"ok")
PIPELINED = 50


class RequestForms(HostileCase):
    def test_http2_prefaces_are_told_that_http1_is_spoken_here(self):
        wire = self.wire()
        wire.send(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0")
        self.assert_refused(wire, 505)

    def test_an_upgrade_is_passed_over(self):
        answer = self.ask(post("Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings",
                               "HTTP2-Settings: AAMAAABk", "Content-Length: 2", body=b"ok"))
        self.assertEqual(answer.status, 200)
        self.tasks += 1

    def test_http_1_0_callers_get_a_length_and_a_close(self):
        wire = self.wire()
        wire.send(f"POST {PATH} HTTP/1.0\r\nContent-Length: 2\r\n\r\nok".encode())
        answer = wire.read_answer()
        self.assertEqual((answer.status, answer.body), (200, echoed(PATH, b"ok")))
        self.assertTrue(wire.closed_by_peer())
        self.tasks += 1

    def test_http_1_0_callers_may_keep_the_connection(self):
        wire = self.wire()
        for _ in range(3):
            wire.send(post("Connection: keep-alive", "Content-Length: 2", body=b"ok",
                           version="HTTP/1.0"))
            answer = wire.read_answer()
            self.assertEqual((answer.status, answer.headers["connection"]), (200, "keep-alive"))
        self.tasks += 3

    def test_pipelined_requests_are_answered_in_order(self):
        wire = self.wire()
        bodies = [b"%d" % i * (i % 7) for i in range(PIPELINED)]
        wire.send(b"".join(post(f"Content-Length: {len(body)}", target=f"{PATH}?{i}", body=body)
                           for i, body in enumerate(bodies)))
        for i, body in enumerate(bodies):
            self.assertEqual(wire.read_answer().body, echoed(f"{PATH}?{i}", body))
        self.tasks += PIPELINED

    def test_pipelined_requests_of_all_kinds_in_pieces_of_all_sizes(self):
        large = b"L" * 20_000
        requests = [
            (OK, 200),
            (post("Transfer-Encoding: chunked", body=b"2\r\nok\r\n0\r\n\r\n"), 200),
            (b"GET /v2 HTTP/1.1\r\nHost: a\r\n\r\n", 200),
            (post("Content-Length: 20000", body=large), 200),
            (post("Content-Length: 3", target="/nowhere", body=b"abc"), 404),
            (post("Transfer-Encoding: chunked", body=b"4e20\r\n" + large + b"\r\n0\r\n\r\n"), 200),
            (post("x-pad: " + "p" * 9000, "Content-Length: 2", body=b"ok"), 200),
            (b"HEAD /v2/health/live HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        ]
        data = b"".join(request for request, _ in requests)
        for size in (1000, 7680, 8192, 16384, len(data)):
            wire = self.wire()
            for at in range(0, len(data), size):
                wire.send(data[at:at + size])
            for request, status in requests[:-1]:
                answer = wire.read_answer()
                self.assertEqual(answer.status, status, (size, request[:60], answer))
            self.assertIn(b"200", wire.read_until(b"\r\n\r\n"))
            self.tasks += 5

    def test_a_bad_request_behind_good_ones_takes_none_of_them_along(self):
        wire = self.wire()
        wire.send(OK * 3 + post("Content-Length: -1") + OK)
        for _ in range(3):
            self.assertEqual(wire.read_answer().status, 200)
        self.assert_refused(wire, 400)
        self.tasks += 3

    def test_absolute_targets_become_paths(self):
        for target in (f"http://sluice{PATH}", f"http://other:99{PATH}", f"HTTP://sluice{PATH}"):
            with self.subTest(target):
                answer = self.ask(post("Content-Length: 2", target=target, body=b"ok"))
                self.assertEqual((answer.status, answer.body), (200, echoed(PATH, b"ok")))
                self.tasks += 1
        for target in (f"https://sluice{PATH}", "http://", f"http://us er{PATH}",
                       f"http://user@sluice{PATH}"):
            with self.subTest(target):
                wire = self.wire()
                wire.send(post(target=target))
                self.assert_refused(wire, 400)

    def test_expect_continue_is_honoured_before_the_body(self):
        for framing, body in (("Content-Length: 2", b"ok"),
                              ("Transfer-Encoding: chunked", b"2\r\nok\r\n0\r\n\r\n")):
            wire = self.wire()
            wire.send(post("Expect: 100-continue", framing))
            self.assertEqual(wire.read_answer().status, 100)
            wire.send(body)
            self.assertEqual(wire.read_answer().body, echoed(PATH, b"ok"))
            self.tasks += 1
        self.assertNotIn("expect", self.replica.received[-1].headers)

    def test_expect_continue_is_answered_finally_where_no_body_is_wanted(self):
        for target, status in (("/nowhere", 404), ("/v2/models/other/infer", 404)):
            wire = self.wire()
            wire.send(post("Expect: 100-continue", "Content-Length: 2", target=target))
            self.assert_refused(wire, status)

    def test_no_continue_for_http_1_0_or_a_body_that_has_come(self):
        for data in (post("Expect: 100-continue", "Content-Length: 2", body=b"ok",
                          version="HTTP/1.0"),
                     post("Expect: 100-continue", "Content-Length: 2", body=b"ok")):
            self.assertEqual(self.ask(data).status, 200)
            self.tasks += 1

    def test_other_expectations_are_passed_over(self):
        self.assertEqual(self.ask(post("Expect: tea", "Content-Length: 2", body=b"ok")).status, 200)
        self.tasks += 1

    def test_paths_that_are_not_there(self):
        for target in ("/", "/v1/models", "/v2/models/", f"/v2/models/{MODEL}/", "/v2//models",
                       f"/v2/models/{MODEL}/infer/", f"/v2/models/{MODEL}/../{MODEL}/infer",
                       f"/V2/models/{MODEL}/infer", "/v2/models//infer", "/%2e%2e/etc/passwd",
                       f"/v2/models/{MODEL}/versions//infer", "/" + "a" * 8000):
            with self.subTest(target):
                answer = self.ask(post("Content-Length: 0", target=target))
                self.assertEqual((answer.status, answer.reason), (404, "unknown_path"))

    def test_models_that_are_not_there(self):
        for model in ("other", MODEL.upper(), MODEL + "%00", "%65cho", "m" * 4000, "%FF", "\xff"):
            with self.subTest(model):
                answer = self.ask(post("Content-Length: 0", target=f"/v2/models/{model}/infer"))
                allowed = [(404, "unknown_model")] + ([(400, "malformed_request")]
                                                      if model == "\xff" else [])
                self.assertIn((answer.status, answer.reason), allowed)

    def test_methods_that_do_not_fit(self):
        for method, target, allow in (("GET", PATH, "POST"), ("DELETE", PATH, "POST"),
                                      ("BREW", PATH, "POST"), ("POST", "/v2", "GET, HEAD"),
                                      ("POST", "/v2/health/ready", "GET, HEAD"),
                                      ("PUT", f"/v2/models/{MODEL}/ready", "GET, HEAD")):
            with self.subTest(method + " " + target):
                answer = self.ask(f"{method} {target} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                self.assertEqual((answer.status, answer.headers["allow"], answer.reason),
                                 (405, allow, "method_not_allowed"))

    def test_methods_that_proxies_know_mean_nothing_here(self):
        for line in ("CONNECT sluice:80", "TRACE /", "OPTIONS *"):
            with self.subTest(line):
                answer = self.ask(f"{line} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                self.assertIn(answer.status, (400, 404, 405))

    def test_bodies_that_are_no_json_are_the_replicas_business(self):
        for body in (b"{", b"", b"\xff\xfe\0", b"[" * 50_000, b'{"parameters":{"priority":99}}'):
            answer = self.ask(post(f"Content-Length: {len(body)}",
                                   "Content-Type: application/json", body=body))
            self.assertEqual((answer.status, answer.body), (200, echoed(PATH, body)))
            self.tasks += 1


if __name__ == "__main__":
    unittest.main()

"""Labels that say nothing sensible: 400, naming the header and what it may say; none crashes,
none is silently taken for a default (R2)."""
import datetime
import unittest

from hostile.case import HostileCase, post

# Header → (what its refusal must name, values that are refused).
WRONG = {
    "x-sluice-priority": ("0 (most urgent) to 9", [
        "10", "-1", "+1", "1.0", "", " ", "01", "0x1", "high", "1,2", "9" * 300, "\xb2", "\xff"]),
    "x-sluice-realtime": ("high, medium or low", [
        "High", "urgent", "", "high,low", "0", "h" * 5000, "\xff\xfe"]),
    "x-sluice-weight": ("light, medium or heavy", ["", "Light", "feather", "1"]),
    "x-sluice-budget-ms": ("milliseconds from 0 to 86400000", [
        "-1", "+1", "inf", "nan", "1e3", "0x10", "100ms", "", "86400001", "9" * 400, ".", ".5",
        "1.2.3", "1 2"]),
    "x-sluice-expected-ms": ("milliseconds from 0 to 86400000", ["-1", "soon", "", "1e9"]),
    "x-sluice-deadline": ("RFC 3339", [
        "", "tomorrow", "2026-01-31", "2026-01-31T12:00:00", "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:00:61Z",
        "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00+25:00", "2026-01-31 12:00:00Z",
        "2026-01-31T12:00:00Zz", "-026-01-31T12:00:00Z", "1767225600", "2" * 5000]),
    "x-sluice-queue": ("yes or no", ["", "No", "maybe", "0"]),
    "x-sluice-task-type": ("one of", ["", "cooking", "\xff"]),
}
PAST = ("1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "2020-02-29T23:59:60.123456789012345+23:59")
FUTURE = ("9999-12-31T23:59:60-23:59", "2999-01-01t00:00:00.5z")


class Labels(HostileCase):
    def infer(self, *headers):
        return self.ask(post(*headers, "Content-Length: 2", body=b"ok"))

    def test_wrong_values_are_told_by_name_with_what_is_allowed(self):
        with self.nothing_reaches_the_replica():
            for header, (allowed, values) in WRONG.items():
                for value in values:
                    with self.subTest(header, value=value[:20]):
                        answer = self.infer(f"{header}: {value}")
                        self.assertEqual((answer.status, answer.reason), (400, "malformed_label"))
                        self.assertIn(header, answer.json["detail"])
                        self.assertIn(allowed, answer.json["detail"])
                        self.assertLess(len(answer.body), 1000)

    def test_the_connection_serves_on_after_a_wrong_label(self):
        wire = self.wire()
        wire.send(post("x-sluice-priority: 10", "Content-Length: 2", body=b"ok"))
        self.assertEqual(wire.read_answer().status, 400)
        self.good_request(wire)

    def test_one_wrong_label_among_good_ones_is_enough(self):
        answer = self.infer("x-sluice-realtime: high", "X-Sluice-Priority: 99")
        self.assertEqual((answer.status, answer.reason), (400, "malformed_label"))

    def test_a_label_given_twice(self):
        answer = self.infer("x-sluice-priority: 1", "x-sluice-priority: x")
        self.assertEqual(answer.status, 400)

    def test_deadlines_in_the_past_are_504(self):
        with self.nothing_reaches_the_replica():
            for deadline in PAST:
                answer = self.infer(f"x-sluice-deadline: {deadline}")
                self.assertEqual((answer.status, answer.reason), (504, "deadline_passed"), deadline)
            answer = self.infer("x-sluice-budget-ms: 0")
            self.assertEqual((answer.status, answer.reason), (504, "deadline_passed"))
        self.tasks += len(PAST) + 1

    def test_deadlines_far_away_are_bounded_not_overflowed(self):
        for deadline in FUTURE:
            self.assertEqual(self.infer(f"x-sluice-deadline: {deadline}").status, 200)
            left_ms = int(self.replica.received[-1].headers["x-sluice-budget-ms"])
            self.assertLessEqual(left_ms, 86_400_000)
            self.assertGreater(left_ms, 86_000_000)
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=30)
        self.assertEqual(self.infer(f"x-sluice-deadline: {soon.isoformat()}").status, 200)
        self.assertLessEqual(int(self.replica.received[-1].headers["x-sluice-budget-ms"]), 30_000)
        self.tasks += len(FUTURE) + 1

    def test_every_priority_has_a_lane_and_reaches_the_replica(self):
        lanes = ["high"] * 3 + ["latency"] * 4 + ["low"] * 3
        for priority, lane in enumerate(lanes):
            answer = self.infer(f"x-sluice-priority: {priority}", "x-sluice-budget-ms: 20000")
            self.assertEqual((answer.status, answer.headers["x-sluice-lane"]), (200, lane))
            self.assertEqual(self.replica.received[-1].headers["x-sluice-priority"], str(priority))
        self.tasks += len(lanes)

    def test_labels_that_nobody_knows_do_no_harm(self):
        answer = self.infer("x-sluice-task-id: ../../x", "x-sluice-: ", "x-sluice-nothing: \xff",
                            "x-sluice-tenant: " + "t" * 9000)
        self.assertEqual(answer.status, 200)
        self.tasks += 1


if __name__ == "__main__":
    unittest.main()

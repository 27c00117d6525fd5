"""A minute at saturation: every task has one outcome, and nothing is kept of those that are over.
`make soak` does the same until told to stop."""
import unittest

from support.soak import FD_TOLERANCE, MEMORY_TOLERANCE_BYTES, Soak

WARM_UP_S = 10
SOAK_S = 50


class SoakTest(unittest.TestCase):
    def test_a_minute_of_saturation(self):
        with Soak(seed=11) as soak:
            self.round(soak, WARM_UP_S)
            warm, fds = soak.resident_bytes(), soak.open_fds()
            self.round(soak, SOAK_S)
            if not soak.has_sanitizer():
                self.assertLess(soak.resident_bytes(), warm + MEMORY_TOLERANCE_BYTES)
            self.assertLessEqual(soak.open_fds(), fds + FD_TOLERANCE)
            soak.gateway.terminate()
            self.assertEqual(soak.gateway.exit_code(), 0, soak.gateway.output[-2000:])

    def round(self, soak, seconds):
        figures = soak.round(seconds)
        print(f"{figures}; {soak.resident_bytes() / 2**20:.1f} MiB, {soak.open_fds()} descriptors",
              flush=True)
        self.assertEqual(figures.violations(), [])


if __name__ == "__main__":
    unittest.main()

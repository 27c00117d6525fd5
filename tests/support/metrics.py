"""What /metrics says, as numbers to sum over labels."""
import re

from support.client import get

_LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$")
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """One scrape."""

    def __init__(self, text):
        self.samples = []  # (name, labels, value)
        for line in text.splitlines():
            match = _LINE.match(line)
            if match:
                name, labels, value = match.groups()
                self.samples.append((name, dict(_LABEL.findall(labels or "")), float(value)))

    def since(self, before):
        """For counters: how much each grew."""
        grown = Metrics("")
        old = {(name, *sorted(labels.items())): value for name, labels, value in before.samples}
        grown.samples = [(name, labels, value - old.get((name, *sorted(labels.items())), 0))
                         for name, labels, value in self.samples]
        return grown

    def sum(self, metric, **labels):
        """Over the samples of `metric` that have these labels; 0 when there are none."""
        return sum(self.each(metric, **labels))

    def each(self, metric, **labels):
        return [value for name, has, value in self.samples
                if name == metric and labels.items() <= has.items()]

    def by(self, label, metric, **labels):
        """Sums of `metric` by the values of one label."""
        sums = {}
        for name, has, value in self.samples:
            if name == metric and labels.items() <= has.items():
                sums[has[label]] = sums.get(has[label], 0) + value
        return sums


def scrape(admin_port):
    return Metrics(get(admin_port, "/metrics").body.decode())

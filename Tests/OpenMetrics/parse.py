"""Prints the samples of a file that is valid OpenMetrics and valid text for Prometheus, one a line."""

import sys

from prometheus_client import parser as prometheus
from prometheus_client.openmetrics import parser as openmetrics


def samples(families):
    return [(s.name, sorted(s.labels.items()), s.value) for f in families for s in f.samples]


text = open(sys.argv[1], encoding="utf-8").read()
found = samples(openmetrics.text_string_to_metric_families(text))
assert found == samples(prometheus.text_string_to_metric_families(text)), "the formats differ"
assert len({(name, tuple(labels)) for name, labels, _ in found}) == len(found), "a sample twice"
for name, labels, value in found:
    print(name, ",".join(f"{key}={label}" for key, label in labels), repr(value))

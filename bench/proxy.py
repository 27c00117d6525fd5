#!/usr/bin/env python3
"""Processor time per request of Sluice and of HAProxy, side by side on this machine."""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

from proxy_load import CONNECTIONS, Load, Unsound
from proxy_stage import HAPROXY, ROOT, Stage

EXPLANATION = """
Both proxies stand before the same four replicas (eight slots each, 1 ms an inference, no processor
time), get the same POST of 1 KiB over 64 connections, keep connections on both sides, and send at
most eight requests at a time to a replica: the others wait in the proxy, ordered by priority. A
round measures one after the other, the next round the other way round. Processor time is what the
kernel's clock of the proxy's process says, user and system, divided by the answers with status 200.
A ratio is Sluice over HAProxy within a round (below 1, Sluice is cheaper); the result is the median
of the rounds. Every answer must be a 200, and the counts of load tool, proxy and replicas must
agree, or there is no result.

cases:
  saturation  closed loop: every connection asks again as soon as it is answered (wrk)
  equal-rate  both get 70 % of what HAProxy can do, measured first (h2load)

examples:
  bench/proxy.py --json build/bench/proxy.json
  bench/proxy.py --case saturation --rounds 2 --seconds 2    # a quick look

Leave the machine alone meanwhile: other work moves the microseconds much and the ratios a little.
Proxies get the first processor, everything else the rest. Ports 18301 to 18304, 18310, 18311,
18320 and 18321 of 127.0.0.1 must be free.
"""

SHARE_OF_MAXIMUM = 0.7
SKIPPED = {"logged": "sluice serve has no access log yet; its metrics are on in every case"}


def parse_arguments():
    parser = argparse.ArgumentParser(prog="bench/proxy.py", description=__doc__,
                                     epilog=EXPLANATION,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", choices=CASES, action="append", dest="cases",
                        help="only this one; repeat for several (all)")
    parser.add_argument("--rounds", type=int, default=6,
                        help="rounds of a case; even, so that both go first equally often (6)")
    parser.add_argument("--seconds", type=int, default=5,
                        help="of load on each proxy in a round (5)")
    parser.add_argument("--sluice", default=str(ROOT / "build/release/src/cli/sluice"),
                        metavar="FILE", help="the binary (build/release/src/cli/sluice)")
    parser.add_argument("--json", metavar="FILE", help="write the report there too")
    arguments = parser.parse_args()
    if arguments.rounds < 1 or arguments.seconds < 1:
        parser.error("--rounds and --seconds must be 1 or more")
    return arguments


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(stage, name, send):
    """One run: `send(port)` loads the proxy and returns what came back."""
    proxy = stage.proxies[name]
    replicas_before, counts_before, cpu_before = (stage.replica_answers(), proxy.counts(),
                                                  proxy.cpu())
    start = time.monotonic()
    answers = send(proxy.port)
    elapsed_ns = (time.monotonic() - start) * 1e9
    cpu = [after - before for before, after in zip(cpu_before, proxy.cpu())]
    time.sleep(0.2)  # what was under way when the load ended is answered, or counted as left
    stage.check_alive()
    counts = proxy.counts()
    check_counts(name, answers.count, counts.answers - counts_before.answers,
                 stage.replica_answers() - replicas_before)
    total_us, user_us, system_us = (ns / 1e3 / answers.count for ns in cpu)
    return {"cpu_us": total_us, "user_us": user_us, "system_us": system_us,
            "busy": cpu[0] / elapsed_ns, "answers": answers.count,
            "rps": answers.count / answers.seconds, "p99_ms": answers.p99_ms,
            "mean_wait_ms": proxy.mean_wait_ms(counts_before, counts)}


def check_counts(name, answers, of_proxy, of_replicas):
    """When the load ends, a connection may have one request that the load tool does not count, or
    a second one where the tool is slow to stop."""
    most = 2 * CONNECTIONS
    for who, count in (name, of_proxy), ("the replicas", of_replicas):
        if not answers <= count <= answers + most:
            raise Unsound(f"the load tool counts {answers} answers by {name}, {who} {count:.0f}: "
                          f"they may differ by {most} requests at most")


def check_queue(stage):
    """A comparison of proxies that queue is void when nothing has queued."""
    if stage.proxies["haproxy"].counts().longest_queue == 0:
        raise Unsound("nothing has waited in HAProxy's queue")
    sluice = stage.proxies["sluice"].counts()
    if sluice.wait_ms == 0:
        raise Unsound("nothing has waited in Sluice's queue")


def run_rounds(stage, case, rounds, send):
    results = []
    for index in range(rounds):
        order = ["haproxy", "sluice"] if index % 2 == 0 else ["sluice", "haproxy"]
        result = {"order": order}
        for name in order:
            result[name] = measure(stage, name, send)
        result.update({f"{what}_ratio": result["sluice"][key] / result["haproxy"][key]
                       for what, key in (("cpu", "cpu_us"), ("p99", "p99_ms"))})
        results.append(result)
        say(f"{case}, round {index + 1} of {rounds}: " + describe_round(result))
    return summarise(results)


def describe_round(result):
    sides = [f"{name} {result[name]['cpu_us']:.1f} µs at {result[name]['rps']:.0f}/s"
             for name in result["order"]]
    return f"{', '.join(sides)}, ratio {result['cpu_ratio']:.3f}"


def summarise(rounds):
    def median(*path):
        return statistics.median(dig(result, path) for result in rounds)
    return {"sluice_us": median("sluice", "cpu_us"), "haproxy_us": median("haproxy", "cpu_us"),
            "cpu_ratio": median("cpu_ratio"), "p99_ratio": median("p99_ratio"), "rounds": rounds}


def dig(value, path):
    for key in path:
        value = value[key]
    return value


def saturation(stage, load, arguments):
    def send(port):
        return load.saturate(port, arguments.seconds)
    result = run_rounds(stage, "saturation", arguments.rounds, send)
    check_queue(stage)
    return result


def equal_rate(stage, load, arguments):
    maximum = measure(stage, "haproxy", lambda port: load.saturate(port, arguments.seconds))["rps"]
    rate = SHARE_OF_MAXIMUM * maximum
    say(f"equal-rate: HAProxy does {maximum:.0f}/s, so {rate:.0f}/s are offered")
    result = run_rounds(stage, "equal-rate", arguments.rounds,
                        lambda port: load.offer(port, arguments.seconds, rate))
    return {"offered_rps": rate, **result}


CASES = {"saturation": saturation, "equal-rate": equal_rate}


def first_line(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout.partition("\n")[0]


def describe_machine(sluice, stage):
    return {"sluice": first_line(sluice, "--version"), "haproxy": first_line(HAPROXY, "-v"),
            "wrk": first_line("wrk", "-v"), "h2load": first_line("h2load", "--version"),
            "kernel": platform.release(), "processors": os.cpu_count(),
            "pinned": {"proxies": stage.proxy_cpus, "load and replicas": stage.other_cpus},
            # Above 1 before anything was started: the figures are of a machine that was not quiet.
            "load_average_before": os.getloadavg()[0]}


def run(arguments):
    with Stage(arguments.sluice) as stage:
        load = Load(stage.other_cpus)
        machine = describe_machine(arguments.sluice, stage)
        if machine["load_average_before"] > 1:
            say(f"load average {machine['load_average_before']:.1f}: other work runs on this "
                "machine, and the figures bear it")
        for proxy in stage.proxies.values():
            load.saturate(proxy.port, 1)  # connections are made and service times learnt
        cases = {name: CASES[name](stage, load, arguments) for name in arguments.cases or CASES}
        load.close()
    return {"cases": cases, "skipped": SKIPPED, "connections": CONNECTIONS,
            "seconds": arguments.seconds, "machine": machine}


def print_table(report):
    print(f"{'case':<12}{'Sluice µs':>11}{'HAProxy µs':>12}{'CPU ratio':>11}{'P99 ratio':>11}")
    for name, case in report["cases"].items():
        print(f"{name:<12}{case['sluice_us']:>11.1f}{case['haproxy_us']:>12.1f}"
              f"{case['cpu_ratio']:>11.3f}{case['p99_ratio']:>11.3f}")
    for name, why in report["skipped"].items():
        print(f"{name:<12}skipped: {why}")


def main():
    arguments = parse_arguments()
    try:
        report = run(arguments)
    except (Unsound, RuntimeError, OSError) as error:
        sys.exit(f"bench/proxy: no result: {error}")
    print_table(report)
    if arguments.json:
        path = pathlib.Path(arguments.json)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=2) + "\n")


if __name__ == "__main__":
    main()

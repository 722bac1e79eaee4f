#!/usr/bin/env python3
"""Where the time of a first run goes, by thread, and what more cores would make of it.

Usage: threads.py DIR [RUNS]      PENSIEVE=/path/to/pensieve measures another build; Linux only

Ingests the folder into a new database with one and with two threads, and prints wall and CPU seconds (the least of RUNS, 5),
and the share of each kind of thread. The model for n cores follows from the run with two threads:

    wall(n) = scan / n + alone + max(writer - alone, search / builders, (cpu - scan - alone) / n)

Nothing is written before the tree is scanned, by all threads. `alone` is the time in which nothing but the writer works: the end
of the run. `writer` and `search` are the CPU seconds of the writer and of the threads that build the search tables, of which
there are at most three. It is compared with runs that are held on one and on two cores.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")
MAX_BUILDERS = 3


def thread_seconds(pid, seconds):
    """Adds what the kernel knows of the threads of a process: CPU seconds by the number of the thread."""
    try:
        for number in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{number}/schedstat", "rb") as file:
                nanoseconds = int(file.read().split()[0])
            with open(f"/proc/{pid}/task/{number}/comm", encoding="utf-8") as file:
                name = "writer" if int(number) == pid else file.read().strip().rstrip("0123456789").rstrip("-")
            seconds[number] = (name, nanoseconds / 1e9)
    except OSError:
        pass  # A thread, or the process, has just ended.


def ingest(program, folder, database, threads, cores):
    """One run: wall and CPU seconds, CPU seconds by kind of thread, and its summary."""
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(database + suffix):
            os.remove(database + suffix)
    command = [program, "ingest", folder, database, "--threads", str(threads), "--json", "--progress", "off"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None,
    )
    seconds = {}
    while process.poll() is None:
        thread_seconds(process.pid, seconds)
        time.sleep(0.005)
    wall = time.monotonic() - began
    summary = json.loads(process.stdout.read())
    kinds = {}
    for name, spent in seconds.values():
        kinds[name] = kinds.get(name, 0) + spent
    # Documents are read by processes of their own, which are no threads of this one.
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    kinds["read"] = kinds.get("read", 0) + max(0, cpu - sum(kinds.values()))
    return {"wall": wall, "kinds": kinds, "cpu": sum(kinds.values()), "summary": summary}


def least(program, folder, database, threads, cores, runs):
    found = [ingest(program, folder, database, threads, cores) for _ in range(runs)]
    return min(found, key=lambda run: run["wall"])


def model(run, cores):
    phases = run["summary"]["phases"]
    inside = sum(phases.values())
    alone = phases.get("finish", 0) + max(0, run["wall"] - inside)
    writer, search = run["kinds"].get("writer", 0), run["kinds"].get("search", 0)
    builders, scan = max(1, min(MAX_BUILDERS, cores)), run["kinds"].get("scan", 0)
    return scan / cores + alone + max(writer - alone, search / builders, (run["cpu"] - scan - alone) / cores)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, runs = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 5
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = os.environ.get("PENSIEVE", os.path.join(here, "target/release/pensieve"))
    size = sum(os.path.getsize(os.path.join(place, name)) for place, _, names in os.walk(folder)
               for name in names if not os.path.islink(os.path.join(place, name))) / 1e6
    with tempfile.TemporaryDirectory() as scratch:
        database = os.path.join(scratch, "corpus.db")
        cores = sorted(os.sched_getaffinity(0))
        one = least(program, folder, database, 1, None, runs)
        two = least(program, folder, database, 2, None, runs)
        held = {count: least(program, folder, database, 2, cores[:count], runs)["wall"] for count in (1, 2) if count <= len(cores)}
    print(f"{size:.0f} MB\n\n| threads | wall s | CPU s | MB/s | writer | search tables | scan | readers | rest |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for threads, run in ((1, one), (2, two)):
        share = {kind: run["kinds"].get(kind, 0) / run["cpu"] for kind in ("writer", "search", "scan", "read")}
        rest = 1 - sum(share.values())
        print(f"| {threads} | {run['wall']:.2f} | {run['cpu']:.2f} | {size / run['wall']:.0f} | {share['writer']:.0%} "
              f"| {share['search']:.0%} | {share['scan']:.0%} | {share['read']:.0%} | {rest:.0%} |")
    print(f"\nTwo threads take {two['wall'] / one['wall']:.2f} times the wall time of one.\n")
    print("| cores | wall s by the model | measured | MB/s by the model |\n| ---: | ---: | ---: | ---: |")
    for count in (1, 2, 4, 8, 16, 32, 64):
        wall = model(two, count)
        print(f"| {count} | {wall:.2f} | {f'{held[count]:.2f}' if count in held else ''} | {size / wall:.0f} |")


main()

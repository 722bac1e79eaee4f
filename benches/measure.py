#!/usr/bin/env python3
"""Runs one command and tells what it cost: wall and CPU seconds, and the peak memory of its whole process tree.

Usage: measure.py COMMAND...        one JSON object on stdout; what the command prints goes to stderr

CPU seconds are user and system time of the command and of every descendant that was waited for, as the kernel counts
them. Memory is the sum of the proportional sets of the whole tree, looked at every 20 ms: a page that several processes
share counts once, also while a process is about to become another program. Of a process of another user only the
resident set is known, which counts shared pages in each. Linux only.
"""

import json
import os
import resource
import subprocess
import sys
import threading
import time

PAGE = os.sysconf("SC_PAGE_SIZE")


def children(pid):
    """The processes that any thread of this one has started."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        pass  # It has just ended.
    return found


def tree_of(root):
    """A process and all its descendants."""
    tree, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        tree.append(pid)
        waiting += children(pid)
    return tree


def memory_of(pid):
    """Bytes of memory of one process."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return sum(int(line.split()[1]) for line in file if line.startswith(b"Pss:")) * 1024
    except PermissionError:
        with open(f"/proc/{pid}/statm", "rb") as file:
            return int(file.read().split()[1]) * PAGE


def memory_of_tree(root):
    """Bytes of memory of the tree, and how many processes it has."""
    total = count = 0
    for pid in tree_of(root):
        try:
            total += memory_of(pid)
            count += 1
        except (FileNotFoundError, ProcessLookupError):
            pass  # It has just ended.
    return total, count


def watch(root, ended, peak):
    while not ended.wait(0.02):
        total, count = memory_of_tree(root)
        peak["memory"] = max(peak["memory"], total)
        peak["processes"] = max(peak["processes"], count)


def run(command, quiet=True, limit=None):
    """What the command cost, with its exit status and its output; killed when it takes more than `limit` CPU seconds."""
    started = time.monotonic()
    child = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL if quiet else None,
        preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) if limit else None,
    )
    peak, ended = {"memory": 0, "processes": 1}, threading.Event()
    watcher = threading.Thread(target=watch, args=(child.pid, ended, peak))
    watcher.start()
    output = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - started
    ended.set()
    watcher.join()
    return {
        "status": child.returncode,
        "wall_s": round(wall, 3),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 3),
        "peak_tree_mib": round(max(peak["memory"], usage.ru_maxrss * 1024) / 2**20, 1),
        "processes": peak["processes"],
        "output": output.decode("utf-8", "replace"),
    }


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    result = run(sys.argv[1:], quiet=False)
    sys.stderr.write(result.pop("output"))
    print(json.dumps(result))
    return result["status"]


if __name__ == "__main__":
    sys.exit(main())

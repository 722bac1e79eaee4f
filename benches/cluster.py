#!/usr/bin/env python3
"""How long a corpus takes on many machines: a simulation by costs that were measured, beside plain sums.

Usage: cluster.py TERABYTES MACHINES CORES [name=value...]      cluster.py 10 16 64 store_rate=50e9

Every list of `pensieve plan` is one task. A machine works on one list for every four of its cores; a machine that fails
returns after a while and goes on with the same list from its last commit; lists take more or less than expected; all
machines share the bandwidth of the store that they read from and write to. Then the shards are merged into databases of at
most `largest_database` bytes, one thread each. Prints each step as simulated, and as a sum that knows no failures, no
waiting and no list that takes longer than another.

Costs are those that `merge.sh` and `threads.py` print; name=value replaces any of them.
"""

import heapq
import random
import sys

COSTS = {
    "read_ns": 80.0,  # CPU nanoseconds to ingest one byte of input
    "writer_share": 0.28,  # of these, of the one thread that writes
    "rows_ns": 48.0,  # CPU nanoseconds of `worker --rows chunks` for one byte
    "hash_ns": 2.5,  # CPU nanoseconds to hash one byte
    "walk_files": 100e3,  # files a second of one machine that walks a tree
    "join_files": 275e3,  # lines a second of `plan --merge`
    "plan_bytes": 540.0,  # its memory for one file
    "database_bytes": 1.5,  # bytes of database for one byte of input
    "parquet_bytes": 0.25,  # bytes of Parquet for one byte of input
    "merge_rate": 41e6,  # bytes of shards that one merge takes in a second
    "chunk_bytes": 2400.0,  # bytes of input for one chunk
    "spread": 0.1,  # standard deviation of what a list takes, as a share of what is expected
}

CLUSTER = {
    "file_bytes": 200e3,  # mean size of a file
    "list_bytes": 20e9,  # input of one list
    "threads": 4,  # cores for one list
    "store_rate": 20e9,  # bytes a second of the shared store, reading and writing together
    "machine_rate": 1.2e9,  # bytes a second of one machine's network
    "failures_hours": 500.0,  # mean time between failures of one machine
    "repair_seconds": 600.0,  # until it is back
    "largest_database": 1e12,  # bytes
    "seed": 1,
}


class Step:
    def __init__(self, name, simulated, summed, core_seconds, moved, breaks=""):
        self.name, self.simulated, self.summed = name, simulated, summed
        self.core_seconds, self.moved, self.breaks = core_seconds, moved, breaks


def makespan(tasks, machines, slots, setting, chance):
    """The time until the last task has ended; machines fail and go on. A task is a pair: seconds of work, and the seconds
    of its bytes if it had the network of a machine and its part of the store to itself."""
    free = [(0.0, machine) for machine in range(machines) for _ in range(slots)]
    heapq.heapify(free)
    fails = [chance.expovariate(1 / (setting["failures_hours"] * 3600)) for _ in range(machines)]
    end = 0.0
    for work, transfer in tasks:
        now, machine = heapq.heappop(free)
        done = now + max(work, transfer)
        while fails[machine] < done:
            # Work up to the last commit, seconds before, is kept.
            done += setting["repair_seconds"] + 10
            fails[machine] += setting["repair_seconds"] + chance.expovariate(1 / (setting["failures_hours"] * 3600))
        end = max(end, done)
        heapq.heappush(free, (done, machine))
    return end


def transfer(size, tasks, machines, slots, setting):
    """Seconds that a task waits for its bytes while all slots work, and what it waits for."""
    network = setting["machine_rate"] / min(slots, max(1, tasks / machines))
    store = setting["store_rate"] / min(machines * slots, tasks)
    return size / min(network, store), "the network of a machine" if network < store else "the store"


def steps(terabytes, machines, cores, setting):
    chance = random.Random(setting["seed"])
    size = terabytes * 1e12
    files, chunks = size / setting["file_bytes"], size / setting["chunk_bytes"]
    databases = size * setting["database_bytes"]

    # Each machine walks the whole tree and hashes its part; one of them joins the lines.
    part = size / machines
    network = min(setting["machine_rate"], setting["store_rate"] / machines)
    by_hash = max(part * setting["hash_ns"] / 1e9 / cores, part / network)
    walk, join = files / setting["walk_files"], files / setting["join_files"]
    memory = files * setting["plan_bytes"]
    yield Step("plan", walk + by_hash * chance.uniform(1, 1.1) + join, walk + by_hash + join,
               size * setting["hash_ns"] / 1e9 + machines * walk + join, size,
               f"{memory / 1e9:.0f} GB of memory where the parts are joined")

    # A list goes on `threads` cores: the writer's share cannot be divided.
    slots = max(1, cores // int(setting["threads"]))
    share = max(setting["writer_share"], 1 / min(cores, setting["threads"]))
    lists = max(1, round(size / setting["list_bytes"]))
    bytes_each = size / lists
    expected = bytes_each * setting["read_ns"] / 1e9 * share
    waits, place = transfer(bytes_each * (1 + setting["database_bytes"]), lists, machines, slots, setting)
    tasks = [(expected * max(0.5, chance.gauss(1, setting["spread"])), waits) for _ in range(lists)]
    yield Step(f"{lists} lists", makespan(tasks, machines, slots, setting, chance),
               max(expected, waits) * max(1, lists / (machines * slots)),
               size * setting["read_ns"] / 1e9, size + databases, place if waits > expected else "cores")

    merged = max(1, round(databases / setting["largest_database"] + 0.499))
    each = databases / merged
    merging = each / setting["merge_rate"]
    waits, place = transfer(2 * each, merged, machines, slots, setting)
    tasks = [(merging * max(0.5, chance.gauss(1, setting["spread"] / 2)), waits) for _ in range(merged)]
    yield Step(f"{merged} merges", makespan(tasks, machines, slots, setting, chance),
               max(merging, waits) * max(1, merged / (machines * slots)),
               databases / setting["merge_rate"], 2 * databases, place if waits > merging else "one thread writes each")

    # Chunk rows need no writer: every core reads, and the engine sends hashes around to find equal chunks.
    moved = size * (1 + setting["parquet_bytes"]) + chunks * 70
    work = bytes_each * setting["rows_ns"] / 1e9
    waits, place = transfer(bytes_each * (1 + setting["parquet_bytes"]), lists, machines, cores, setting)
    tasks = [(work * max(0.5, chance.gauss(1, setting["spread"])), waits) for _ in range(lists)]
    yield Step("instead of lists and merges: chunk rows, by an engine", makespan(tasks, machines, cores, setting, chance),
               max(work, waits) * max(1, lists / (machines * cores)), size * setting["rows_ns"] / 1e9, moved,
               place if waits > work else "cores")


def span(seconds):
    return f"{seconds / 3600:.1f} h" if seconds >= 1800 else f"{seconds / 60:.1f} min" if seconds >= 90 else f"{seconds:.0f} s"


def main():
    numbers = [word for word in sys.argv[1:] if "=" not in word]
    if len(numbers) != 3:
        sys.exit(__doc__)
    setting = {**COSTS, **CLUSTER}
    for word in sys.argv[1:]:
        if "=" in word:
            name, value = word.split("=")
            if name not in setting:
                sys.exit(f"{name}: not one of {', '.join(setting)}")
            setting[name] = float(value)
    terabytes, machines, cores = float(numbers[0]), int(numbers[1]), int(numbers[2])
    print(f"{terabytes:g} TB, {terabytes * 1e12 / setting['file_bytes']:,.0f} files, {machines} machines with {cores} cores\n")
    print("| step | time | by sums | core hours | TB moved | bound by |\n| --- | ---: | ---: | ---: | ---: | --- |")
    for step in steps(terabytes, machines, cores, setting):
        print(f"| {step.name} | {span(step.simulated)} | {span(step.summed)} | {step.core_seconds / 3600:,.1f} "
              f"| {step.moved / 1e12:.1f} | {step.breaks} |")


main()

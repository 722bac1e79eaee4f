#!/usr/bin/env python3
"""How long a corpus takes on many machines: a simulation by costs that were measured, beside plain sums.

Usage: cluster.py TERABYTES MACHINES CORES [name=value...]      cluster.py 10 16 64 store_rate=50e9

Every list of `pensieve plan` is one task. A machine works on one list for every four of its cores; a machine that fails
returns after a while and goes on with the same list from its last commit; lists take more or less than expected; all
machines share the bandwidth of the store that they read from and write to. Then the shards are merged into databases of at
most `largest_database` bytes, one thread each, and these are joined by a catalogue. Prints each step as simulated, and as a
sum that knows no failures, no waiting and no list that takes longer than another.

Costs are those that `merge.sh` and `threads.py` print; name=value replaces any of them.
"""

import heapq
import random
import sys

COSTS = {
    "read_ns": 50.0,  # CPU nanoseconds to ingest one byte of input
    "writer_share": 0.33,  # of these, of the one thread that writes
    "hash_ns": 2.2,  # CPU nanoseconds to hash one byte
    "walk_entries": 30e3,  # entries a second of one machine that walks a tree
    "plan_bytes": 1000.0,  # memory of `plan` for one file
    "database_bytes": 2.0,  # bytes of database for one byte of input
    "merge_rate": 34e6,  # bytes of shards that one merge takes in a second
    "catalogue_files": 25e3,  # files a second that a catalogue of partitions takes
    "catalogue_chunks": 1e6,  # hashes of chunks a second that a search over partitions looks at first
    "chunk_bytes": 1500.0,  # bytes of input for one chunk
    "spread": 0.15,  # standard deviation of what a list takes, as a share of what is expected
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


def in_turn(total, machines, slots, setting):
    """Bytes a second of one task while all slots work."""
    return min(setting["machine_rate"] / slots, setting["store_rate"] / min(machines * slots, max(total, 1)))


def steps(terabytes, machines, cores, setting):
    chance = random.Random(setting["seed"])
    size = terabytes * 1e12
    files, chunks = size / setting["file_bytes"], size / setting["chunk_bytes"]
    databases = size * setting["database_bytes"]

    # Each machine walks the whole tree and hashes its part; one of them joins the lines.
    part = size / machines
    by_hash = max(part * setting["hash_ns"] / 1e9 / cores, part / min(setting["machine_rate"], setting["store_rate"] / machines))
    walk, join = files / setting["walk_entries"], files / setting["walk_entries"]
    memory = files * setting["plan_bytes"]
    yield Step("plan", walk + by_hash * chance.uniform(1, 1.1) + join, walk + by_hash + join,
               size * setting["hash_ns"] / 1e9 + machines * walk + join, size,
               f"{memory / 1e9:.0f} GB of memory where the parts are joined")

    # A list goes on `threads` cores: the writer's share cannot be divided.
    slots = max(1, cores // int(setting["threads"]))
    share = max(setting["writer_share"], 1 / min(cores, setting["threads"]))
    lists = max(1, round(size / setting["list_bytes"]))
    bytes_each = size / lists
    rate = in_turn(lists, machines, slots, setting)
    expected = bytes_each * setting["read_ns"] / 1e9 * share
    moved_each = bytes_each * (1 + setting["database_bytes"])
    tasks = [(expected * max(0.5, chance.gauss(1, setting["spread"])), moved_each / rate) for _ in range(lists)]
    yield Step(f"{lists} lists", makespan(tasks, machines, slots, setting, chance),
               max(expected, moved_each / rate) * lists / min(machines * slots, lists),
               size * setting["read_ns"] / 1e9, size + databases,
               "the store" if moved_each / rate > expected else "cores")

    partitions = max(1, round(databases / setting["largest_database"] + 0.499))
    each = databases / partitions
    merging = each / setting["merge_rate"]
    rate = in_turn(partitions, machines, 1, setting)
    tasks = [(merging * max(0.5, chance.gauss(1, setting["spread"] / 2)), 2 * each / rate) for _ in range(partitions)]
    yield Step(f"{partitions} merges", makespan(tasks, machines, slots, setting, chance),
               max(merging, 2 * each / rate) * max(1, partitions / (machines * slots)),
               databases / setting["merge_rate"], 2 * databases, "one thread writes each")

    if partitions > 1:
        took = files / setting["catalogue_files"]
        yield Step("catalogue", took * chance.uniform(1, 1.1), took, took, files * 500, "one thread, and again when a partition changes")
        took = chunks / setting["catalogue_chunks"]
        yield Step("first search", took * chance.uniform(1, 1.1), took, took, chunks * 70, "one thread reads the hashes of all chunks")


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
    print("| step | hours | by sums | core hours | TB moved | bound by |\n| --- | ---: | ---: | ---: | ---: | --- |")
    for step in steps(terabytes, machines, cores, setting):
        print(f"| {step.name} | {step.simulated / 3600:.2f} | {step.summed / 3600:.2f} | {step.core_seconds / 3600:,.0f} "
              f"| {step.moved / 1e12:.1f} | {step.breaks} |")


main()

"""A server under load for a long time: does it grow, and for how long does the collector stop it?

usage: soak.py [SECONDS [ROWS]]     (1200, 200000; with the python to be looked at)

A server of asyncio holds ROWS rows in memory and answers requests, lines of JSON, that clients in
another process send as fast as they are answered: rows are added, changed and removed, counted by
groups, put into SQLite and taken out, rendered, parsed by regular expressions, streamed by
generators; some requests fail, some leave cycles, some need a megabyte for a moment.

Prints a line twenty times: seconds, requests, resident memory in MB, full collections, the longest
pause of any collection in ms. The last line compares the resident memory of the second quarter of
the time with that of the last one; exit code 1 if that has grown by more than 2 % and a MB.
"""
import asyncio
import collections
import gc
import json
import random
import re
import sqlite3
import statistics
import string
import subprocess
import sys
import time

CLIENTS = 8
REPORTS = 20
WORD = re.compile(r"(?P<name>[a-z]+)-(?P<number>\d+)")
PAGE = string.Template("<li class=$kind>$name: $price</li>")


class Row:
    def __init__(self, number, kind, price, tags):
        self.number, self.kind, self.price, self.tags = number, kind, price, tags

    def as_dict(self):
        return {"number": self.number, "kind": self.kind, "price": self.price, "tags": self.tags}


class Left:
    """A cycle that nobody holds."""
    def __init__(self, what):
        self.me, self.what = self, what


class Server:
    def __init__(self, rows):
        self.rng = random.Random(1)
        self.rows = {n: self.new_row(n) for n in range(rows)}
        self.next = rows
        self.recent = collections.OrderedDict()
        self.database = sqlite3.connect(":memory:")
        self.database.execute("create table log (number integer, name text)")
        self.requests = self.failed = 0

    def new_row(self, number):
        rng = self.rng
        return Row(number, f"kind-{rng.randrange(40)}", rng.randrange(10000) / 100,
                   [f"tag{rng.randrange(1000)}" for _ in range(rng.randrange(4))])

    def do_replace(self, n):
        """The oldest row goes, so that their number stays."""
        self.rows.pop(next(iter(self.rows)))
        row = self.rows[self.next] = self.new_row(self.next)
        self.next += 1
        return row.as_dict()

    def do_change(self, n):
        row = self.rows[next(iter(self.rows))]
        row.price = round(row.price * 1.01 % 100, 2)
        row.tags = sorted({*row.tags, f"tag{n % 1000}"})[-4:]
        return row.price

    def do_count(self, n):
        groups = collections.Counter()
        for i, row in zip(range(300), self.rows.values()):
            groups[row.kind] += row.price
        return groups.most_common(3)

    def do_log(self, n):
        execute = self.database.execute
        execute("insert into log values (?, ?)", (n, f"name-{n}"))
        execute("delete from log where number < ?", (n - 500,))
        return execute("select count(*), max(name) from log").fetchone()

    def do_render(self, n):
        return "".join(PAGE.substitute(kind=row.kind, name=row.number, price=f"{row.price:.2f}")
                       for _, row in zip(range(20), self.rows.values()))

    def do_parse(self, n):
        text = " ".join(f"abc-{n + i} {i}" for i in range(30))
        return sum(int(m["number"]) for m in WORD.finditer(text))

    def do_recall(self, n):
        key = n % 5000
        if key in self.recent:
            self.recent.move_to_end(key)
        else:
            self.recent[key] = {"n": n, "square": n * n, "text": str(n) * 5}
            if len(self.recent) > 2000:
                self.recent.popitem(last=False)
        return self.recent[key]["text"]

    def do_leave(self, n):
        Left([Left(n), {"n": n}])
        return n

    def do_large(self, n):
        parts = [bytearray(1 << 20), [n] * 100_000, {n + i: i for i in range(2000)}]
        return sum(map(len, parts))

    def do_fail(self, n):
        return {}[n]

    async def answer(self, request):
        self.requests += 1
        try:
            return getattr(self, "do_" + request["do"])(request["n"])
        except KeyError as e:
            self.failed += 1
            return f"{type(e).__name__}: {e}"

    async def serve(self, reader, writer):
        while line := await reader.readline():
            answer = await self.answer(json.loads(line))
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()


class Pauses:
    """How long collections take."""
    def __init__(self):
        self.longest = self.full = 0
        gc.callbacks.append(self)

    def __call__(self, phase, info):
        if phase == "start":
            self.begun = time.perf_counter()
        else:
            self.longest = max(self.longest, time.perf_counter() - self.begun)
            self.full += info["generation"] == 2


async def ask(port, number):
    what = [name[3:] for name in dir(Server) if name.startswith("do_")]
    weights = [1 if name == "large" else 20 for name in what]
    rng = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for n in range(1 << 60):
        request = {"do": rng.choices(what, weights)[0], "n": n}
        writer.write(json.dumps(request).encode() + b"\n")
        if not await reader.readline():
            break


async def ask_all(port):
    await asyncio.gather(*(ask(port, number) for number in range(CLIENTS)),
                         return_exceptions=True)


def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * 4096 / (1 << 20)


async def main(seconds, rows):
    server, pauses, samples = Server(rows), Pauses(), []
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    clients = subprocess.Popen([sys.executable, __file__, "--clients", str(port)])
    print("seconds  requests    MB  collections  longest pause")
    try:
        for i in range(1, REPORTS + 1):
            for _ in range(5):
                await asyncio.sleep(seconds / REPORTS / 5)
                samples.append(resident())
            print(f"{seconds * i / REPORTS:7.0f} {server.requests:9} {samples[-1]:5.0f} "
                  f"{pauses.full:12} {pauses.longest * 1000:11.1f} ms", flush=True)
    finally:
        clients.kill()
        clients.wait()
        listening.close()
    quarter = len(samples) // 4
    early = statistics.median(samples[quarter:2 * quarter])
    late = statistics.median(samples[-quarter:])
    flat = late <= early * 1.02 + 1
    print(f"{'flat' if flat else 'growing'}: {early:.1f} MB in the second quarter, {late:.1f} in "
          f"the last; {server.requests} requests, {server.failed} of them failed; longest pause "
          f"{pauses.longest * 1000:.1f} ms")
    return not flat or not server.requests


if __name__ == "__main__":
    if sys.argv[1:2] == ["--clients"]:
        asyncio.run(ask_all(int(sys.argv[2])))
    else:
        seconds, rows, *_ = sys.argv[1:] + ["1200", "200000"][len(sys.argv) - 1:]
        sys.exit(asyncio.run(main(float(seconds), int(rows))))

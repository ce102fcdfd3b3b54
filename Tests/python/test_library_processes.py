"""What a person does with the library: threads, processes, sockets, servers."""
import asyncio
import concurrent.futures
import http.server
import json
import multiprocessing
import os
import queue
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import urllib.error
import urllib.request

PORTABLE = "what programs ask of the library"


class Threads(unittest.TestCase):
    def test_producers_and_consumers_share_a_queue(self):
        work, done = queue.Queue(maxsize=3), []
        lock = threading.Lock()

        def consume():
            while (item := work.get()) is not None:
                with lock:
                    done.append(item * item)
                work.task_done()

        consumers = [threading.Thread(target=consume) for _ in range(4)]
        for t in consumers:
            t.start()
        for n in range(200):
            work.put(n)
        work.join()
        for _ in consumers:
            work.put(None)
        for t in consumers:
            t.join(10)
            self.assertFalse(t.is_alive(), "a consumer did not stop")
        self.assertEqual(sorted(done), [n * n for n in range(200)])

    def test_condition_barrier_event_and_local(self):
        barrier, local, seen = threading.Barrier(3), threading.local(), []
        go = threading.Event()

        def run(n):
            go.wait(10)
            local.n = n
            barrier.wait(10)
            seen.append(local.n == n)

        threads = [threading.Thread(target=run, args=(n,)) for n in range(3)]
        for t in threads:
            t.start()
        go.set()
        for t in threads:
            t.join(10)
        self.assertEqual(seen, [True] * 3)
        self.assertFalse(hasattr(local, "n"))

    def test_pool_of_threads_maps_in_order_and_hands_on_exceptions(self):
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(lambda n: n + 1, range(50))), list(range(1, 51)))
            future = pool.submit(int, "x")
            with self.assertRaisesRegex(ValueError, "invalid literal"):
                future.result(10)
            late = [pool.submit(pow, 2, n) for n in range(10)]
            self.assertEqual(sorted(f.result() for f in concurrent.futures.as_completed(late)),
                             [2 ** n for n in range(10)])


def square(n):
    return n * n, os.getpid()


def add_to(total, queue_, n):
    with total.get_lock():
        total.value += n
    queue_.put(("done", n))


class Processes(unittest.TestCase):
    def test_pool_of_processes_forked_and_spawned(self):
        for method in ("fork", "spawn"):
            with self.subTest(method):
                context = multiprocessing.get_context(method)
                with context.Pool(2) as pool:
                    results = pool.map(square, range(8))
                self.assertEqual([r[0] for r in results], [n * n for n in range(8)])
                self.assertNotIn(os.getpid(), {r[1] for r in results})

    def test_processes_share_a_value_and_a_queue(self):
        for method in ("fork", "spawn"):
            with self.subTest(method):
                context = multiprocessing.get_context(method)
                total, messages = context.Value("i", 0), context.Queue()
                children = [context.Process(target=add_to, args=(total, messages, n))
                            for n in (1, 2, 3)]
                for c in children:
                    c.start()
                got = sorted(messages.get(timeout=60) for _ in children)
                for c in children:
                    c.join(60)
                self.assertEqual((total.value, [c.exitcode for c in children]), (6, [0, 0, 0]))
                self.assertEqual(got, [("done", 1), ("done", 2), ("done", 3)])

    def test_process_pool_executor(self):
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            self.assertEqual(list(pool.map(pow, [2, 3, 4], [10, 3, 2])), [1024, 27, 16])

    def test_subprocess_pipes_timeouts_and_exit_codes(self):
        child = textwrap.dedent("""
            import sys
            for line in sys.stdin:
                print(line.strip()[::-1])
            print("bad", file=sys.stderr)
            sys.exit(3)
        """)
        done = subprocess.run([sys.executable, "-c", child], input="abc\ndéf\n", text=True,
                              capture_output=True, encoding="utf-8",
                              env={**os.environ, "PYTHONUTF8": "1"})
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("cba\nféd\n", "bad\n", 3))
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            subprocess.check_output([sys.executable, "-c", "raise SystemExit(9)"])
        self.assertEqual(caught.exception.returncode, 9)
        with self.assertRaises(subprocess.TimeoutExpired):
            subprocess.run([sys.executable, "-c", "import time; time.sleep(60)"], timeout=0.5)
        with self.assertRaises(FileNotFoundError):
            subprocess.run(["/no/such/program"])
        sort = subprocess.Popen(["sort", "-r"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.assertEqual(sort.communicate(b"a\nc\nb\n")[0], b"c\nb\na\n")


class Asyncio(unittest.TestCase):
    def test_echo_server_on_loopback_serves_clients_at_once(self):
        async def serve(reader, writer):
            while line := await reader.readline():
                writer.write(line.upper())
                await writer.drain()
            writer.close()

        async def client(port, n):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            answers = []
            for i in range(3):
                writer.write(f"client {n} says {i}\n".encode())
                answers.append(await reader.readline())
                await asyncio.sleep(0)
            writer.close()
            await writer.wait_closed()
            return answers

        async def main():
            server = await asyncio.start_server(serve, "127.0.0.1", 0)
            port = server.sockets[0].getsockname()[1]
            async with server:
                return await asyncio.gather(*(client(port, n) for n in range(10)))

        for n, answers in enumerate(asyncio.run(main())):
            self.assertEqual(answers, [f"CLIENT {n} SAYS {i}\n".encode() for i in range(3)])

    def test_task_group_cancels_siblings_and_groups_errors(self):
        log = []

        async def waits():
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                log.append("cancelled")
                raise

        async def fails():
            await asyncio.sleep(0)
            raise KeyError("k")

        async def main():
            async with asyncio.TaskGroup() as group:
                group.create_task(waits())
                group.create_task(fails())

        with self.assertRaises(ExceptionGroup) as caught:
            asyncio.run(main())
        self.assertEqual(repr(caught.exception.exceptions), "(KeyError('k'),)")
        self.assertEqual(log, ["cancelled"])

    def test_timeout_queue_lock_and_subprocess(self):
        async def main():
            with self.assertRaises(TimeoutError):
                async with asyncio.timeout(0.01):
                    await asyncio.Event().wait()
            items = asyncio.Queue()
            await asyncio.gather(*(items.put(n) for n in range(5)))
            lock, got = asyncio.Lock(), []

            async def take():
                async with lock:
                    got.append(await items.get())
            await asyncio.gather(*(take() for _ in range(5)))
            child = await asyncio.create_subprocess_exec(
                sys.executable, "-c", "print(input()[::-1])",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
            out, _ = await child.communicate(b"abc\n")
            in_thread = await asyncio.to_thread(threading.get_ident)
            return got, out, child.returncode, in_thread != threading.get_ident()

        self.assertEqual(asyncio.run(main()), ([0, 1, 2, 3, 4], b"cba\n", 0, True))


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = json.dumps({"sum": sum(body)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


class Http(unittest.TestCase):
    def test_http_server_answers_urllib(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "page.txt"), "w") as f:
                f.write("hello\n" * 10000)

            def handler(*args):
                return Handler(*args, directory=folder)
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
            thread = threading.Thread(target=server.serve_forever)
            thread.start()
            try:
                base = f"http://127.0.0.1:{server.server_port}/"
                opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                with opener.open(base + "page.txt", timeout=20) as page:
                    self.assertEqual(page.read(), b"hello\n" * 10000)
                    self.assertEqual(page.headers["Content-type"], "text/plain")
                with opener.open(urllib.request.Request(base, b"[1, 2, 3.5]"), timeout=20) as page:
                    self.assertEqual(json.load(page), {"sum": 6.5})
                with self.assertRaises(urllib.error.HTTPError) as caught:
                    opener.open(base + "nothing", timeout=20)
                self.assertEqual(caught.exception.code, 404)
                caught.exception.close()
            finally:
                server.shutdown()
                server.server_close()
                thread.join()


if __name__ == "__main__":
    unittest.main()

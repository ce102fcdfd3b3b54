"""Memory of machine code: dense, never writable and executable, limited, and given back."""
import os
import subprocess
import sys
import sysconfig
import textwrap
import unittest

SETUP = """
import sys
figures = sys._jit.figures
def make(i, body="return n + {}"):
    names = {}
    exec(f"def f(n):\\n    " + body.format(i), names)
    return names.pop("f")
def warm(f):
    for n in range(700):
        f(n)
    return f
def maps():
    with open("/proc/self/maps") as f:
        return [line.split() for line in f]
def resident():
    total, executable = 0, False
    with open("/proc/self/smaps") as f:
        for line in f:
            words = line.split()
            if "-" in words[0] and ":" not in words[0]:
                executable = words[1][2] == "x" and len(words) == 5
            elif executable and words[0] == "Rss:":
                total += int(words[1]) * 1024
    return total
"""


def run(text, *options, mode="eager", check=True, **env):
    text = SETUP + textwrap.dedent(text)
    done = subprocess.run([sys.executable, *options, "-c", text], text=True, timeout=300,
                          env={**os.environ, "SPRINGBOARD_JIT": mode, **env},
                          capture_output=True)
    if check and done.returncode != 0:
        raise AssertionError(f"exit code {done.returncode}\n{done.stdout}{done.stderr[-3000:]}")
    return done.stdout, done.stderr


@unittest.skipUnless(sys._jit.is_available(), "built without the compiler")
class Memory(unittest.TestCase):
    maxDiff = None

    def prints(self, text, expected, *options, **kwargs):
        out, err = run(text, *options, **kwargs)
        self.assertEqual(out, textwrap.dedent(expected).lstrip(), err[-3000:])
        return err

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is another")
    def test_functions_lie_side_by_side(self):
        self.prints("""
            functions = [warm(make(i)) for i in range(300)]
            assert figures()["functions"] > 300
            used, pages = figures()["code_bytes"], resident()
            assert pages < used + (1 << 16), (used, pages)
            executable = [m for m in maps() if m[1] == "r-xp" and len(m) == 5]
            assert len(executable) < 100, executable
            print(all(f(3) == i + 3 for i, f in enumerate(functions)))
            """, "True\n")

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is another")
    @unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""),
                     "what is freed stays in quarantine")
    def test_compiling_leaves_little_behind(self):
        # Graphs are many times as large as what stays, some 2.6 times the code with the code
        # itself. The first functions make the compiler's room for graphs, and fill what malloc()
        # has left by chance.
        self.prints("""
            body = "\\n    ".join(f"a{k} = n + {k}; b{k} = [a{k}, n]" for k in range(200))
            def held():
                with open("/proc/self/status") as f:
                    return next(int(l.split()[1]) for l in f if l.startswith("RssAnon")) * 1024
            functions = [make(0, body) for i in range(20)]
            for f in functions: f(0)        # makes the instructions that are specialised
            for f in functions[:10]: warm(f)
            before, code_before = held(), figures()["code_bytes"]
            for f in functions[10:]: warm(f)
            grown, code = held() - before, figures()["code_bytes"] - code_before
            print(figures()["functions"] >= 20, grown < 4 * code or (grown, code))
            """, "True True\n", mode="on")

    @unittest.skipIf("sanitize" in (sysconfig.get_config_var("PY_CORE_LDFLAGS") or ""),
                     "arrays move each time then")
    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is another")
    def test_what_compiling_needs_waits_for_the_next_time(self):
        """... until the collector has gone through everything. A page costs more when it is touched
        for the first time than all that is done with it."""
        self.prints("""
            import gc, resource
            def long():
                return make(0, "\\n    ".join(["n = n * 3 - n // 7 + (n & 5)"] * 300) + "; return n")
            functions = [long() for _ in range(9)]
            def faults(f):
                before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
                compiled = figures()["compiled"]
                while figures()["compiled"] == compiled:
                    f(1)
                return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
            gc.disable()
            faults(functions[0])
            kept = [faults(f) for f in functions[1:5]]
            gone = []
            for f in functions[5:]:
                gc.collect()
                gone.append(faults(f))
            print(min(gone) - max(kept) > 50 or (gone, kept))
            """, "True\n")

    def test_nothing_is_writable_and_executable(self):
        self.prints("""
            seen = set()
            for i in range(50):
                warm(make(i))
                seen |= {m[1] for m in maps()}
            print([m for m in seen if "w" in m and "x" in m])
            """, "[]\n")

    def test_without_descriptors_pages_are_moved(self):
        # Code is written by a descriptor; where there is none, pages take others' places.
        self.prints("""
            import resource
            functions = [warm(make(i)) for i in range(20)]
            limits = resource.getrlimit(resource.RLIMIT_NOFILE)
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
            functions += [warm(make(i)) for i in range(20, 200)]
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            functions += [warm(make(i)) for i in range(200, 220)]
            print(figures()["functions"] > 220, all(f(3) == i + 3 for i, f in enumerate(functions)),
                  any("w" in m[1] and "x" in m[1] for m in maps()))
            """, "True True False\n")

    def test_compiling_in_a_forked_child_leaves_the_parent_alone(self):
        # Both add functions at the same addresses, each in memory of its own.
        self.prints("""
            import os
            functions = [warm(make(i)) for i in range(10)]
            def more(first):
                return [warm(make(i)) for i in range(first, first + 50)]
            def right(functions, first):
                return all(f(3) == i + 3 for i, f in enumerate(functions, first))
            pid = os.fork()
            others = more(1000 if pid == 0 else 2000)
            if pid == 0:
                os._exit(not (right(functions, 0) and right(others, 1000)))
            print(os.waitpid(pid, 0)[1], right(functions, 0), right(others, 2000))
            """, "0 True True\n")

    def test_no_descriptor_stays_open(self):
        self.prints("""
            import os
            before = os.listdir("/proc/self/fd")
            functions = [warm(make(i)) for i in range(10)]
            print(os.listdir("/proc/self/fd") == before)
            """, "True\n")

    @unittest.skipIf("SPRINGBOARD_EMULATOR" in os.environ, "the emulator's memory is another")
    def test_functions_that_die_give_it_back(self):
        self.prints("""
            def rounds(n):
                for i in range(n):
                    warm(make(i))
            for k in range(3):
                rounds(200), resident()
            before, pages = figures()["code_bytes"], resident()
            rounds(600)
            now = figures()
            print(now["code_bytes"] <= before + (1 << 14), now["freed"] > 500,
                  resident() <= pages + (1 << 14))
            """, "True True True\n", mode="on", SPRINGBOARD_JIT_MEMORY="1M")

    def test_it_is_given_back_while_a_compiled_function_runs(self):
        # rounds() is in machine code all the time: what is on the C stack stays.
        self.prints("""
            def rounds(n):
                most = 0
                for i in range(n):
                    f = make(i, "return [n + {0}, n * 2, str(n), n - {0}, (n, n), n % 7]")
                    warm(f)
                    assert f(1)[0] == i + 1
                    most = max(most, figures()["code_bytes"])
                return most
            most = rounds(400)
            print(most < 1 << 20 or most, figures()["freed"] > 100, sys._jit.is_enabled())
            """, "True True True\n")

    def test_other_versions_are_given_back(self):
        self.prints("""
            def f(a, b):
                return a + b
            for pair in [(1, 2), (1.5, 2), ("a", "b"), ([], [1]), ((), (1,))]:
                for i in range(3000):
                    f(*pair)
            for i in range(200):
                pass
            now = figures()
            print(now["compiled"] - now["freed"] <= now["functions"] + 2)
            """, "True\n")

    def test_a_function_that_replaces_its_code(self):
        self.prints("""
            class Loud:
                def __del__(self):
                    for i in range(5):
                        warm(make(i))
            def other(n): return "other", n
            def f(n):
                held = Loud()
                if n == 700:
                    f.__code__ = make(n, "return 'new', n").__code__
                return n
            for n in range(701): last = f(n)
            print(last, f(1))
            def g(n):
                held = Loud()
                if n == 700:
                    global g
                    del g
                return n
            h = [g]
            for n in range(700): h[0](n)
            print(h.pop()(700))
            """, "700 ('new', 1)\n700\n")

    def test_a_finalizer_that_replaces_the_code_of_an_init(self):
        # C(i) in machine code allocates, the collector runs, and a finalizer changes __init__.
        self.prints("""
            import gc
            class Trap:
                def __del__(self):
                    C.__init__.__code__ = (lambda self, n: setattr(self, "n", -n)).__code__
            class C:
                def __init__(self, n):
                    self.n = n
                    self.me = self      # garbage, so that the collector has a reason
            def rounds(first, n):
                last = None
                for i in range(first, first + n):
                    if i == 3000:
                        trap = Trap()
                        trap.me = trap
                        del trap
                    last = C(i)
                return last.n
            print(rounds(0, 2500), rounds(2500, 5000) in (-7499,))
            """, "2499 True\n")

    def test_what_it_says_of_itself(self):
        text = """
            j = sys._jit
            def f(n):
                total = 0
                for i in range(n): total += j.is_active()
                return total
            f(3000)
            print(j.is_available(), j.is_enabled(), f(3000) > 2900, j.is_active(),
                  figures()["compiled"] > 0, figures()["seconds"] > 0, sorted(figures()))
            """
        names = "code_bytes code_limit compiled exits freed functions given_up seconds".split()
        self.prints(text, f"True True True False True True {names}\n", mode="eager")
        self.prints(text, f"True False False False False False {names}\n", mode="off")
        self.prints(text, f"True False False False False False {names}\n", "-X", "jit=0")

    def test_the_limit(self):
        for options, env in ((("-X", "jit_memory=64K"), {}),
                             ((), {"SPRINGBOARD_JIT_MEMORY": "65536"})):
            err = self.prints("""
                functions = [warm(make(i)) for i in range(200)]
                now = figures()
                print(now["code_limit"], now["code_bytes"] <= 65536, sys._jit.is_enabled())
                print(all(f(3) == i + 3 for i, f in enumerate(functions)))
                """, "65536 True False\nTrue\n", "-v", *options, **env)
            self.assertEqual(err.count("# machine code:"), 1)
            self.assertIn("its memory is used up", err)

    def test_no_memory_at_all(self):
        self.prints("print(sum(warm(make(i))(2) for i in range(9)), figures()['functions'])",
                    "54 0\n", "-X", "jit_memory=0")

    def test_an_allocation_that_fails_while_compiling(self):
        # Each that the first function needs fails in turn; what it leaves suits the next one.
        try:
            import _testcapi
        except ImportError:
            self.skipTest("no _testcapi")
        self.prints("""
            import os
            from _testcapi import remove_mem_hooks, set_nomemory
            BODY = "x = i = {}\\n    while i < 7: x += n; i += 1\\n    return x"
            def child(nth):
                first, second, thousands = make(0, BODY), make(1, BODY), range(20000)
                set_nomemory(nth, nth + 1)
                try:
                    # Only the compiler needs memory.
                    for i in thousands:
                        first(3)
                except MemoryError:
                    pass
                remove_mem_hooks()
                # The compiler's frame is elsewhere in the C stack.
                list(map(second, [3] * 20000))
                return first(3), second(3)
            for nth in range(60):
                pid = os.fork()
                if pid == 0:
                    os._exit(child(nth) != (21, 19))
                if os.waitpid(pid, 0)[1] != 0:
                    print("wrong or killed:", nth)
            """, "", mode="on")

    def test_no_memory_for_the_nodes_of_a_join(self):
        # Where the sanitizer looks on, nodes are allocated a few at a time, so that each may be
        # the first that is not there.
        try:
            import _testcapi
        except ImportError:
            self.skipTest("no _testcapi")
        self.prints('''
            from _testcapi import remove_mem_hooks, set_nomemory
            TEXT = """
            def f(n):
                m = [[0] * 4 for _ in range(4)]
                for i in range(4):
                    for j in range(4):
                        m[i][j] = i * j + n
                        if i == j == 3: break
                    else: m[i][0] = -1
                large = [x for row in m for x in row if x > 2]
                return m, large, any(x > 3 for row in m for x in row)
            """
            def calls(f, first, after):
                set_nomemory(first, after)
                try:
                    for i in range(6):
                        try:
                            f(1)
                        except MemoryError:
                            pass
                except MemoryError:
                    pass
                remove_mem_hooks()
            names = {}
            exec(TEXT, names)
            expected = names["f"](1)
            for nth in range(400):
                for after in (0, nth + 1):
                    exec(TEXT, names)
                    calls(names["f"], nth, after)
                if names["f"](1) != expected:
                    print("wrong:", nth)
            ''', "", mode="stress:5")

    def test_the_system_refuses(self):
        # PR_SET_MDWE: nothing that was writable may become executable.
        text = """
            import ctypes
            before = figures()["functions"]
            if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) != 0:
                print("no such rule")
            else:
                print(sum(warm(make(i))(2) for i in range(9)), figures()["functions"] - before,
                      sys._jit.is_enabled())
            """
        out, err = run("import ctypes\n" + textwrap.dedent(text), "-v", mode="on")
        if "no such rule" in out:
            self.skipTest("the kernel has no PR_SET_MDWE")
        self.assertEqual(out, "54 0 False\n")
        self.assertEqual(err.count("# machine code: the system refuses"), 1)

    def test_threads_run_in_pages_that_are_replaced(self):
        self.prints("""
            import threading
            sys.setswitchinterval(1e-5)
            def work(n):
                total = 0
                for i in range(n):
                    total = (total * 3 + i) % 1000003
                return total
            expected = warm(work) and work(5000)
            end, wrong = False, []
            def runs():
                while not end:
                    if work(5000) != expected: wrong.append(1)
            threads = [threading.Thread(target=runs) for i in range(3)]
            for t in threads: t.start()
            kept = []
            for i in range(300):
                f = warm(make(i))
                if i % 3: kept.append((i, f))
            end = True
            for t in threads: t.join()
            print(wrong, all(f(1) == i + 1 for i, f in kept))
            """, "[] True\n")

    def test_a_fork_in_a_compiled_function(self):
        self.prints("""
            import os, threading
            def child(n):
                pid = 0
                for i in range(n):
                    if i == n - 2: pid = os.fork()
                    if pid == 0 and i == n - 1:
                        functions = [warm(make(k)) for k in range(30)]
                        good = all(f(1) == k + 1 for k, f in enumerate(functions))
                        os._exit(0 if good else 1)
                return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            def fork():
                for i in range(5): result.append(child(1000))
            def busy():
                while not result or len(result) < 5: sum(range(50))
            result = []
            threads = [threading.Thread(target=f) for f in (fork, busy)]
            for t in threads: t.start()
            for t in threads: t.join()
            print(result)
            """, "[0, 0, 0, 0, 0]\n")


if __name__ == "__main__":
    unittest.main()

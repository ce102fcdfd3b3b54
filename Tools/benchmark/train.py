"""What a build with --enable-optimizations runs on its instrumented python: a
little of everything, so that the profile tells hot code from cold.

usage: train.py (with the python to be trained), in a folder that may be written

It runs the benchmark programs and operations, the programs once more for a shorter time with
perf support on, and then short modules of CPython's own suite, each of which
represents a part of the runtime. Failures are ignored, because other tests find them: here
only the counters matter.
"""
import os
import subprocess
import sys
import types

HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = """
test_array test_base64 test_binascii test_binop test_bisect test_bytes test_bz2
test_cmath test_codecs test_collections test_complex test_copy test_csv
test_dataclasses test_datetime test_decimal test_deque test_dict test_difflib
test_enum test_exceptions test_float test_fractions test_fstring test_functools
test_generators test_grammar test_hashlib test_heapq test_int test_iter
test_itertools test_json test_list test_long test_math test_memoryio
test_operator test_ordered_dict test_patma test_pickle test_pprint test_re
test_set test_sqlite3 test_statistics test_struct test_tabnanny test_time
test_tokenize test_traceback test_tuple test_unicode test_userdict test_weakref
test_with test_xml_etree test_zlib
""".split()


def train_benchmarks():
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    from suite import PROGRAMS
    for function, n in PROGRAMS.values():
        function(n if n < 100 else n // 4)
    import micro
    module = sys.modules["training"] = types.ModuleType("training")
    namespace = vars(module)
    exec(micro.CHILD_FUNCTIONS, namespace)
    for name, setup, statement in micro.operations([]):
        runner = namespace["runner_of"](setup, statement)
        n = namespace["repetitions"](runner, 20_000)
        for _ in range(9):
            runner(n)


def train_shown():
    from suite import PROGRAMS
    for lines in False, True:
        sys.activate_stack_trampoline("perf", lines=lines)
        for function, n in PROGRAMS.values():
            function(n // 10 + 1)
        sys.deactivate_stack_trampoline()
    os.unlink(f"/tmp/perf-{os.getpid()}.map")


def train_modules():
    for module in MODULES:
        try:
            subprocess.run([sys.executable, "-B", "-m", "test", module], timeout=60,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            print(f"{module}: took too long", file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1:] != ["--modules"]:
        train_benchmarks()
        train_shown()
    if sys.argv[1:] != ["--benchmarks"]:
        train_modules()

"""What a build with --enable-optimizations runs on its instrumented python: a
little of everything, so that the profile tells hot code from cold.

usage: train.py [--benchmarks|--modules|--layout|--usual] (with the python to be trained), in a
folder that may be written

It runs the benchmark programs and operations, the programs once more for a shorter time with
perf support on, and then short modules of CPython's own suite, each of which
represents a part of the runtime. Failures are ignored, because other tests find them: here
only the counters matter.

--layout is what Tools/build/lay_out counts with: each process that ends there takes half a second to
write its counts, so there are few of them. --usual is programs as people write them: the functions
that they take lie together, so that a small process needs few pages of the interpreter.
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


# For the layout: those that start no processes and take no time.
TOGETHER = """
test_array test_binop test_bisect test_bytes test_codecs test_collections test_copy test_csv
test_dataclasses test_datetime test_deque test_dict test_enum test_exceptions test_fstring
test_functools test_generators test_grammar test_heapq test_iter test_list test_memoryio
test_operator test_ordered_dict test_patma test_pprint test_re test_set test_struct test_textwrap
test_tokenize test_tuple test_userdict test_weakref test_with test_xml_etree test_zlib
""".split()


def train_programs(programs):
    for function, n in programs.values():
        function(n if n < 100 else n // 4)


def train_operations():
    import micro
    module = sys.modules["training"] = types.ModuleType("training")
    namespace = vars(module)
    exec(micro.CHILD_FUNCTIONS, namespace)
    for name, setup, statement in micro.operations([]):
        runner = namespace["runner_of"](setup, statement)
        n = namespace["repetitions"](runner, 20_000)
        for _ in range(9):
            runner(n)


def train_shown(programs):
    for lines in False, True:
        sys.activate_stack_trampoline("perf", lines=lines)
        for function, n in programs.values():
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


def train_layout():
    from suite import KINDS
    others = [subprocess.Popen([sys.executable, "-B", *options], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
              for options in (["-m", "test", *TOGETHER], ["-X", "jit=0", __file__, "--programs"])]
    for programs in KINDS.values():
        train_programs(programs)
    for other in others:
        other.wait()


def train_usual():
    from everyday_algorithms import EVERYDAY_ALGORITHMS
    train_programs(EVERYDAY_ALGORITHMS)


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    sys.dont_write_bytecode = True
    wanted = sys.argv[1:] or ["--benchmarks", "--modules"]
    if wanted == ["--usual"]:
        sys.exit(train_usual())         # without what the others import
    from suite import TRAINING
    if wanted != ["--modules"]:
        train_programs(TRAINING)
    if "--benchmarks" in wanted or "--layout" in wanted:
        train_operations()
        train_shown(TRAINING)
    if "--modules" in wanted:
        train_modules()
    if "--layout" in wanted:
        train_layout()

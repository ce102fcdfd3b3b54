"""warnings and logging: filters, categories, handlers, formatters."""
import io
import logging
import logging.handlers
import sys
import warnings


def old(x):
    warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)
    return x


old(1)
for _ in range(3):
    old(2)
warnings.warn("plain")
warnings.warn(UserWarning("instance"))
warnings.warn_explicit("explicit", RuntimeWarning, "fake.py", 12)
with warnings.catch_warnings(record=True) as rec:
    warnings.simplefilter("always")
    old(3)
    old(3)
    warnings.warn("res", ResourceWarning)
print([(str(w.message), w.category.__name__, w.lineno) for w in rec])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        old(4)
    except DeprecationWarning as e:
        print("raised", e)
    warnings.filterwarnings("ignore", message="qui.t", category=UserWarning)
    warnings.warn("quiet please")
for bad in (lambda: warnings.warn("a", 3), lambda: warnings.warn("a", int), lambda: warnings.simplefilter("nope"), lambda: warnings.filterwarnings("ignore", 3), lambda: warnings.warn()):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
old_show = warnings.showwarning
warnings.showwarning = lambda m, c, f, l, file=None, line=None: print("shown:", m, c.__name__, l)
warnings.warn("custom", FutureWarning)
warnings.showwarning = old_show
print(warnings.formatwarning("msg", UserWarning, "f.py", 3, "code line"), end="")
eval(compile("x = 1 is 1", "lit.py", "exec"))
eval(compile("assert (1, 2)", "tup.py", "exec"))
eval(compile("'\\d'", "esc.py", "exec"))
exec("def f():\n    return (1)(2)")
exec("[1][1.5:2] if 0 else [1, 2] [(0, 1)] if 0 else 0")
~True

log = logging.getLogger("app")
log.setLevel(logging.DEBUG)
h = logging.StreamHandler(sys.stdout)
h.setFormatter(logging.Formatter("%(levelname)-8s|%(name)s|%(funcName)s:%(lineno)d|%(message)s"))
log.addHandler(h)
log.propagate = False


def work(n):
    log.debug("start %d", n)
    log.info("dict %(a)s", {"a": 1})
    try:
        [][n]
    except IndexError:
        log.exception("failed %s %r", n, "arg")
    log.warning("warn", stack_info=False)
    log.error("bad args %d %d", 1)
    log.critical("crit")


work(3)
child = log.getChild("sub.deep")
child.info("from child", extra={"who": "me"})
print(child, child.parent, child.getEffectiveLevel(), log.isEnabledFor(5), logging.getLevelName(30), logging.getLevelName("ERROR"), logging.getLevelName(35))


class Only(logging.Filter):
    def filter(self, r):
        return r.levelno % 20 == 0


h.addFilter(Only())
for lvl in (10, 20, 30, 40, 45):
    log.log(lvl, "level %d", lvl)
mem = logging.handlers.MemoryHandler(10, target=logging.StreamHandler(sys.stdout))
log.addHandler(mem)
log.info("buffered")
mem.flush()
st = io.StringIO()
logging.basicConfig(stream=st, level=logging.INFO, format="{levelname}:{message:>10}", style="{")
logging.info("root")
logging.debug("hidden")
logging.warning("w %s", "x")
print(st.getvalue())
ad = logging.LoggerAdapter(log, {"k": "v"})
ad.error("adapted")
logging.getLogger("nohandlers").error("to root")
print(st.getvalue().splitlines()[-1])
for bad in (lambda: log.setLevel("NOPE"), lambda: log.log("a", "b"), lambda: logging.getLogger(3), lambda: logging.Formatter("%(x)d", style="?"), lambda: logging.Formatter("{bad", style="{"), lambda: logging.basicConfig(nope=1), lambda: logging.Formatter("no fields")):
    try:
        print("ok", type(bad()).__name__)
    except Exception as e:
        print(type(e).__name__, e)
logging.captureWarnings(True)
warnings.warn("captured")
print(st.getvalue().splitlines()[-2].split(":")[0])
logging.captureWarnings(False)
warnings.simplefilter("error")
warnings.warn("last", UserWarning)

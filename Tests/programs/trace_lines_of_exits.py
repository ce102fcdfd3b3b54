# The lines that a tracer is told where control leaves statements: returns through `finally` and `with`,
# cases that end with what is not run, the ends of `except*`, a module without statements.
import re
import sys

ENDS = [
    "if t.x: x = 1", "if t.x:\n  x = 1", "if t.x:\n  return", "if t.x:\n  return 1", "if t.x:\n  return t",
    "if t.x:\n  if t.x:\n    x = 2", "x = 1", "if t.x:\n  t.\\\n  x += 1", "if t.x: x = 1\nelse: t.f()",
    "if t.x:\n  t.f()", "if t.x: 'text'", "try: x = 1\nfinally:\n  if t.x:\n    x = 2",
    "try: x = 1\nfinally:\n  if t.x:\n    x = 2\n  else:\n    x = 3",
    "try: x = 1\nfinally:\n  if t.x:\n    if t.x: x = 2", "with t:\n  if t.x: return t.\\\n  f",
    "while t.x:\n  t.x = 0", "if t.x: raise ValueError",
    "try:\n  x = 1 if t.x else 2\nexcept KeyError: t.f()", "x = 1 if t.x else 2\nt.f()",
    "if a: x = 1 if t.x else 2\nelse: t.f()", "if a:\n  x = 1 if t.x else 2\nelse: t.f()",
]
CASES = ["1", "[*_]", "[*_] if True", "[*_] if t", "1 if t", "[b]", "x", "(1 |\n    2)", "2:\n    pass\n  case _"]
AROUND = [
    "{}", "try:\n  {}\nexcept OSError: pass", "with t:\n  {}", "try:\n  {}\nfinally: x = 3",
    "for i in 1, 2:\n  {}", "with t:\n  {}\n  y = 1", "try:\n  t.fail()\nexcept* ValueError:\n  {}",
    "try:\n  t.fail()\nexcept ValueError as e:\n  {}",
    "try:\n  t.fail()\nfinally:\n  {}", "try:\n  try:\n    t.f()\n  finally:\n    {}\nexcept KeyError: pass",
    "with t:\n  try:\n    {}\n    y = 1\n  finally: y = 3", "try: t.f()\nfinally:\n  try:\n    {}\n  finally: y = 1",
]
WHOLE = [
    # (b, t) are a value and a T
    "try: t.fail()\nexcept ValueError as e:\n  try:\n    x = 1 if t.x else 2\n  except KeyError:\n    x = 3",
    "try: t.fail()\nexcept ValueError as e:\n  try: x = 1 if t.x else 2\n  finally:\n    x = 3",
    "try: t.fail()\nexcept* ValueError as x:\n  match a:\n    case 2 if t.f \\\nor t.f(): x = 1",
    "match a:\n  case x:\n    try: t.fail()\n    except* ValueError: x = 1\n    else: x = 2",
    "match a:\n  case x if t:\n    try: t.f()\n    except* ValueError: ...\n    else: x \\\n, y = 1, 2",
    "try: t.fail()\nexcept* ValueError as x:\n  while \\\n    t.x:\n    t.x = 0",
    "try: t.fail()\nexcept* ValueError:\n  while t and \\\n    t.x:\n    t.x = 0",
    "try: t.fail()\nexcept* ValueError:\n  while (t.x >\n    0):\n    t.x = 0",
    "try: t.fail()\nexcept* ValueError:\n  while t.x if t \\\n    else t.f():\n    t.x = 0",
    "while \\\nTrue: t.f(); t.limit(); continue",
    "while \\\nTrue: t.f(); t.limit()",
    "while \\\nTrue:\n  t.limit()\n  if t.x: continue\n  t.f()",
    "try:\n  while True: t.f(); t.limit(); continue\nexcept KeyError: pass",
    "for i in 1, 2:\n  try: x = 1; return None\n  finally:\n    try: t.fail()\n"
    "    except* ValueError as x: assert a",
    "for i in 1, 2:\n  for j in 1, 2:\n    for k in 1, 2:\n      try: x = 1; return None\n"
    "      finally:\n        try: t.fail()\n        except* ValueError as x: assert a",
    "for i in 1, 2:\n  try: x = 1; return\n  finally:\n    try: t.fail()\n"
    "    except* ValueError: assert a\n    else: t.f()",
    "try: return t \\\n  and t.f()\nfinally: pass",
    "try: return t or \\\n  t.f()\nexcept KeyError: pass",
    "for i in 1, 2:\n  try: return (t\n    and t.x)\n  finally: x = 1",
    "try: return t.f()\nfinally:\n  try: t.fail()\n  except* ValueError: x, y = t, 2\n  else: x, y = 1, t.f()",
    "try: t.f()\nfinally:\n  try: x = 1\n  except BaseException as y: pass\n  else: return not t.f()\n"
    "  finally:\n    try: raise ValueError\n    except* ValueError: x, y = 1, 2\n    else: x, y = 3, 4",
    "try: t.fail()\nfinally:\n  try: x = 1\n  except BaseException as y: pass\n  else: return not t.f()\n"
    "  finally:\n    try: raise ValueError\n    except* ValueError: x, y = 1, 2\n    else: x, y = 3, 4",
    "try: t.x += 1\nfinally: t \\\n.x += t.fail()",
    "try: t.fail()\nexcept* ValueError:\n  while t.x:\n    t.x = 0",
    "try: t.fail()\nexcept* ValueError:\n  if t.x:\n    t.f()",
    "try: import os\nfinally:\n  if t.x:\n    t.f()",
    "try:\n  t.fail()\nexcept ValueError:\n  try: t.fail()\n  finally:\n    try: x = 1\n    except KeyError: x = 2\n"
    "    except:\n      if t.x or t.f():\n        x = 3",
    "for i in 1, 2:\n  with t:\n    try:\n      if t.x: break\n      continue\n    finally: x = 1",
    "try: t.fail()\nexcept* ValueError:\n  while t.x:\n    raise KeyError",
    "try: t.fail()\nexcept ValueError as x:\n  try:\n    with t: x = 1\n  except KeyError as x:\n    t.f()",
    "for i in 1, 2:\n  with t:\n    try: t.fail()\n    finally:\n      if a == 3: continue",
    "while 1:\n  try: t.fail()\n  finally:\n    if a == 3: continue",
    "match a:\n  case x:\n    try: pass\n    finally:\n      while a == 3:\n        t.f()",
    "match a:\n  case x:\n    if t.x:\n      def g(): pass",
    "match a:\n  case x:\n    if t.x:\n      @t.deco\n      async def g(): pass",
    "match a:\n  case x:\n    if t.x:\n      class g: pass",
    "match a:\n  case x:\n    while \\\n      a == 3: x = 1",
    "match a:\n  case x:\n    if t.x:\n      assert t \\\n        and not a == 3",
    "try: t.fail()\nexcept* ValueError:\n  while t.x:\n    try: t.x = 0\n    finally: x = 1",
    "try: t.f()\nfinally:\n  try: x = 1\n  finally:\n    match a:\n      case 1 if 0: return t.f() or t.x",
    "try: t.fail()\nfinally:\n  try: x = 1\n  finally:\n    match a:\n      case 1 if 0: return t.f() or t.x",
    "try: t.fail()\nfinally:\n  try: x = 1\n  finally:\n    match a:\n      case [x, *y] if 0: return t.f() or t.x",
    "try: t.fail()\nfinally:\n  try: x = 1 if t.f() else 2\n  finally:\n    while a == 3: pass",
    "while t.x < 1 and t.step():\n  y: int",
    "for i in 1, 2:\n  while 1: x = 1 \\\n    ; t.x -= 1; t.x < -3 and t.fail(); continue",
    "while 1: t.x -= 1; t.x < -3 and t.fail(); x = 1 \\\n  ; continue",
    "while 1: x = \\\n    t.x; t.x -= 1; t.x < -3 and t.fail(); x = 1 \\\n  ; continue",
    "x, y = (5 ==\n  a != 3) if t else 2",
    "x = (5 ==\n  a != 3) if t.x else (1 <\n  a < 3)",
    "try:\n  try:\n    try: x = t.fail()\n    except* ValueError:\n      x = 1\n"
    "  except* KeyError as x:\n    x = 2\nexcept* OSError as x:\n  x = 3",
    "match a:\n  case [1, *_]:\n    try: x = 4\n    finally:\n      match t.x:\n"
    "        case 0 if t.x == 1 == a:\n          x = 1",
    "while t.x < 3 and t.step():\n  if t.f():\n    while (): x = 1\nx = \\\n  a and t.f() if t else 1",
]
# In a coroutine. t is an asynchronous manager and iterates, too.
ASYNC = [
    "match a:\n  case 1 if a:\n    async for i in t:\n      if t.x: break\nx = 1",
    "match a:\n  case 1 if a:\n    async \\\n    for i in \\\n      t:\n      if t.x: break\nx = 1",
    "async with t as x, t as y:\n  if t.x:\n    pass\nx = 1",
    "async with t: x, \\\n  y = (), ()\nx = 1",
    "async with t:\n  if t.x:\n    return 1\nx = 1",
    "for i in 1, 2:\n  async with t:\n    if t.x: break\n    while t.x: x = 1\nx = 1",
]
LATER = re.compile(r"^", re.M)


class T:
    def __init__(self, x):
        self.x = x

    def f(self):
        return self.x

    def step(self):
        self.x += .5
        return 1

    def fail(self):
        raise ValueError

    def limit(self):
        if self.x > 3:
            raise KeyError
        self.x += 1

    def deco(self, f):
        return f

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        return False

    def __aiter__(self):
        self.left = 3
        return self

    async def __anext__(self):
        self.left -= 1
        if self.left == 0:
            raise StopAsyncIteration


def indented(text, by):
    return LATER.sub(by, text).lstrip(" ")


def events(code, function, *args):
    told = []

    def hear(frame, event, arg):
        if frame.f_code is code:
            told.append(event[0] + str(frame.f_lineno))
            return hear
    sys.settrace(hear)
    try:
        function(*args)
    except BaseException as e:
        told.append(type(e).__name__)
    finally:
        sys.settrace(None)
    return " ".join(told)


def show(text, head="def f(a, t):"):
    names = {}
    try:
        exec(head + "\n  " + indented(text, "  "), names)
    except SyntaxError as e:        # a return in `except*`
        return print(e.msg)
    f = names["f"]
    def call(*args):
        return f(*args) if head[0] == "d" else f(*args).send(None)
    print([events(f.__code__, call, a, T(x)) for a in ([1], 1, "z") for x in (0, 1)])


for around in AROUND:
    before = re.search(r"( *){}", around).group(1)
    for case in CASES:
        print(repr(around), repr(case))
        for end in ENDS:
            match = f"match a:\n  case {case}:\n    " + indented(end, "    ")
            show(around.replace("{}", indented(match, before)))
    for end in ENDS:
        show(around.replace("{}", indented(end, before)))
for text in WHOLE:
    show(text)
for text in ASYNC:
    show(text, "async def f(a, t):")
for text in "", "\n\n# nothing\n", "pass":
    code = compile(text, "<module>", "exec")
    print(events(code, exec, code, {}))

# tb_lineno is the number that is stored, also if it says nothing: of a traceback that a program
# has made, and of an instruction without a line.
import sys
import types

frame = sys._getframe()
for lasti in 0, 2, 20, 10**6, -1:
    for line in -1, 0, 5, -7:
        print(lasti, line, types.TracebackType(None, frame, lasti, line).tb_lineno)
code = compile("def f():\n    1 / 0\n", "made", "exec").co_consts[0].replace(co_linetable=b"")
try:
    types.FunctionType(code, {})()
except ZeroDivisionError as e:
    print(e.__traceback__.tb_next.tb_lineno)

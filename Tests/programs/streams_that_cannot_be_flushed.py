"""The exit status of a process whose stdout or stderr can't be flushed when it ends."""
import os
import re
import subprocess
import sys

FAILS = """
import sys
class Stream:
    closed = False
    def write(self, text):
        pass
    def flush(self):
        raise ValueError("no")
"""
CASES = [
    FAILS + "sys.stderr = Stream()",
    FAILS + "sys.stderr = Stream(); sys.exit(3)",
    FAILS + "sys.stdout = Stream(); sys.exit(3)",
    FAILS + "sys.stderr = Stream(); Stream.closed = True",
    FAILS + "del Stream.flush; sys.stderr = Stream()",
    "import os, sys; os.close(2); sys.exit('text')",
    "import os, sys; os.close(2); sys.exit(3)",
    "import os, sys; os.close(2); 1 / 0",
    "import os, sys; os.close(1); print('text')",
    "import os, sys; os.close(1); os.close(2); print('text')",
    "import sys; sys.stderr.write('text'); sys.stderr.close(); sys.exit(3)",
]
env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
for case in CASES:
    done = subprocess.run([sys.executable, "-c", case], capture_output=True, env=env)
    print(done.returncode, case.splitlines()[-1])

# What an exception leaves behind whose message nobody can take.
REFUSES = """
import sys
class Stream:
    def write(self, text):
        raise ValueError(text)
class Dies:
    def __del__(self):
        1 / 0
def audit(event, args):
    if event == "sys.unraisablehook":
        raise RuntimeError(event)
"""
for case in ("sys.stderr.close(); 1 / 0", "sys.stderr = 5; {}[1]", "sys.stderr = Stream(); raise OSError(1, 'two')",
             "del sys.stderr; 1 / 0", "sys.stderr = None; 1 / 0", "sys.stderr = Stream(); Dies()",
             "sys.addaudithook(audit); Dies()", "sys.stderr.close(); print(1, file=sys.stderr)"):
    done = subprocess.run([sys.executable, "-c", REFUSES + case], capture_output=True, env=env)
    print(done.returncode, case, re.sub(r"0x[0-9a-f]+", "ADDRESS", done.stderr.decode()))

"""What the runners share: parts of a suite run side by side, one on each processor."""
import concurrent.futures
import os
import re


def processors():
    return len(os.sched_getaffinity(0))


def results(function, parts, jobs):
    """function(part) of each part, in the order in which they end."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = [pool.submit(function, part) for part in parts]
        for done in concurrent.futures.as_completed(running):
            yield done.result()


def last_counts(pattern, text):
    """The numbers in the last line of text that matches, or None."""
    found = re.findall(pattern, text)
    return tuple(map(int, found[-1])) if found else None

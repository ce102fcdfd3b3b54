from gevent import monkey
monkey.patch_all()
import socket
import threading
import time
import urllib.request

import gevent
from gevent.pool import Pool
from gevent.pywsgi import WSGIServer
from gevent.queue import Queue

events = []


def worker(name, pause):
    for i in range(3):
        time.sleep(pause)
        events.append((name, i))


gevent.joinall([gevent.spawn(worker, "a", 0.1), gevent.spawn(worker, "b", 0.25)])
print(events)


def application(environ, start):
    start("200 OK", [("Content-Type", "text/plain")])
    return [environ["PATH_INFO"].encode() * 2]


server = WSGIServer(("127.0.0.1", 0), application, log=None)
server.start()
pages = Pool(5).map(lambda i: urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/{i}").read(), range(10))
print(pages)
server.stop()
queue = Queue()
gevent.spawn(lambda: [queue.put(i) for i in range(5)])
print([queue.get(timeout=5) for _ in range(5)])
thread = threading.Thread(target=lambda: events.append("thread"))
thread.start()
thread.join()
print(events[-1])
try:
    with gevent.Timeout(0.05):
        gevent.sleep(5)
except gevent.Timeout as error:
    print("timeout", error)
print(gevent.spawn(lambda: 1 / 1).get())

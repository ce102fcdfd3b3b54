"""Sockets of this machine: streams, datagrams, messages, errors."""
import array
import os
import select
import socket
import threading

a, b = socket.socketpair()
print(a.family, a.type, a.proto, a.getsockname())
a.sendall(b"x" * 1000)
print(len(b.recv(4096)), b.gettimeout())
b.settimeout(0.01)
try:
    b.recv(1)
except TimeoutError as e:
    print(type(e).__name__, e)
b.setblocking(False)
try:
    b.recv(1)
except BlockingIOError as e:
    print(e.errno)
r, w = os.pipe()
print(a.sendmsg([b"ab", b"", bytearray(b"cd")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [w]))]))
data, ancillary, flags, address = b.recvmsg(100, socket.CMSG_SPACE(4))
fd = array.array("i", ancillary[0][2])[0]
os.write(fd, b"through the pipe")
print(data, ancillary[0][:2], flags, address, os.read(r, 100))
buffers = [bytearray(2), bytearray(3)]
a.send(b"hello!")
print(b.recvmsg_into(buffers)[0], buffers, b.recv(10))
print(select.select([b], [a], [], 0)[1] == [a])
p = select.poll()
p.register(a, select.POLLOUT)
print(p.poll(0) == [(a.fileno(), select.POLLOUT)])
e = select.epoll()
e.register(b.fileno(), select.EPOLLIN)
a.send(b"1")
print(e.poll(1) == [(b.fileno(), select.EPOLLIN)])
e.close()
a.close()
print(b.recv(10), b.recv(10))
b.close()

server = socket.create_server(("127.0.0.1", 0))
port = server.getsockname()[1]


def serve():
    conn, address = server.accept()
    with conn:
        while chunk := conn.recv(65536):
            conn.sendall(chunk[::-1])


t = threading.Thread(target=serve)
t.start()
with socket.create_connection(("localhost", port), timeout=5) as c:
    c.sendall(bytes(range(256)))
    got = b""
    while len(got) < 256:
        view = bytearray(100)
        n = c.recv_into(view)
        got += view[:n]
    print(len(got), c.gettimeout(), c.getpeername()[0])
t.join()
server.close()
u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
u.bind(("", 0))
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print(s.sendto(b"dgram", ("127.0.0.1", u.getsockname()[1])), u.recvfrom(100)[0])
for f in [lambda: s.connect(("127.0.0.1", 1 << 17)), lambda: s.bind(5), lambda: s.sendto(b"", "x"), lambda: s.setsockopt(1, 2, "a"),
          lambda: s.recv(-1), lambda: socket.socket(99), lambda: socket.inet_aton("x"), lambda: socket.inet_pton(2, "1.2.3"),
          lambda: socket.htons(70000), lambda: socket.getservbyname("no-such-service"), lambda: s.settimeout(-1),
          lambda: socket.getaddrinfo("127.0.0.1", 80, type=socket.SOCK_STREAM)]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
s.close()
u.close()

import threading

import h5py
import numpy as np
import psycopg2.extensions
import pycurl
import zmq
from google.protobuf import descriptor_pb2, struct_pb2, json_format

with h5py.File("data.h5", "w") as f:
    f["x/y"] = np.arange(12).reshape(3, 4)
    f["x"].attrs["unit"] = "m"
    f.create_dataset("text", data=["a", "bb"], dtype=h5py.string_dtype())
with h5py.File("data.h5") as f:
    print(f["x/y"][1:, ::2], dict(f["x"].attrs), list(f["text"]), list(f))
    try:
        f["missing"]
    except KeyError as error:
        print(error)
context = zmq.Context()
reply = context.socket(zmq.REP)
port = reply.bind_to_random_port("tcp://127.0.0.1")
thread = threading.Thread(target=lambda: reply.send_multipart([b"got", reply.recv()]))
thread.start()
request = context.socket(zmq.REQ)
request.connect(f"tcp://127.0.0.1:{port}")
request.send(b"hello")
print(request.recv_multipart())
thread.join()
context.destroy()
print(psycopg2.extensions.adapt("it's").getquoted(), psycopg2.extensions.parse_dsn("host=a dbname=b"))
curl = pycurl.Curl()
curl.setopt(pycurl.URL, "http://127.0.0.1:1/")
try:
    curl.perform()
except pycurl.error as error:
    print(error.args[0])
message = struct_pb2.Struct()
message.update({"a": [1, {"b": None}], "c": "é"})
copy = struct_pb2.Struct.FromString(message.SerializeToString())
print(copy == message, sorted(json_format.MessageToDict(copy).items()), descriptor_pb2.FileDescriptorProto(name="f.proto").SerializeToString())

import asyncio

import uvloop


async def handle(reader, writer):
    while data := await reader.readline():
        writer.write(data.upper())
        await writer.drain()
    writer.close()


async def main():
    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    for i in range(3):
        writer.write(f"line {i}\n".encode())
        print(await reader.readline())
    writer.close()
    server.close()
    process = await asyncio.create_subprocess_exec("sh", "-c", "cat; exit 3", stdin=-1, stdout=-1)
    print(await process.communicate(b"through cat"), process.returncode)
    print(await asyncio.gather(*(asyncio.sleep(0.01, i) for i in range(4))))
    try:
        await asyncio.wait_for(asyncio.sleep(5), 0.02)
    except asyncio.TimeoutError:
        print("timeout")
    print(await asyncio.get_running_loop().run_in_executor(None, sum, range(10)))


uvloop.install()
asyncio.run(main())

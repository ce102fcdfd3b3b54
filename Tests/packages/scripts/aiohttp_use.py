import asyncio, aiohttp
from aiohttp import web
async def h(r): return web.json_response({"a": r.match_info["x"], "q": dict(r.query)})
async def main():
    app = web.Application(); app.router.add_get("/{x}", h)
    run = web.AppRunner(app); await run.setup(); site = web.TCPSite(run, "127.0.0.1", 0); await site.start()
    port = site._server.sockets[0].getsockname()[1]
    async with aiohttp.ClientSession() as s:
        async with s.get(f"http://127.0.0.1:{port}/hey?z=1") as r: print(r.status, await r.json())
    await run.cleanup()
asyncio.run(main())

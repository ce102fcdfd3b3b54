import asyncio, tornado.web, tornado.httpclient, tornado.httpserver, tornado.testing
class M(tornado.web.RequestHandler):
    async def get(self, n): await asyncio.sleep(0); self.write({"n": int(n)})
async def main():
    app = tornado.web.Application([(r"/(\d+)", M)]); s = tornado.httpserver.HTTPServer(app)
    sock, port = tornado.testing.bind_unused_port(); s.add_socket(sock)
    c = tornado.httpclient.AsyncHTTPClient()
    rs = await asyncio.gather(*(c.fetch(f"http://127.0.0.1:{port}/{i}") for i in range(5)))
    print([r.body for r in rs]); s.stop()
asyncio.run(main())

import requests, threading, http.server, json
class H(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        if self.path == "/r": self.send_response(302); self.send_header("Location", "/x?q=1"); self.send_header("Content-Length","0"); self.end_headers(); return
        body = json.dumps({"path": self.path, "ua": self.headers["X-Me"]}).encode()
        self.send_response(200); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(body))); self.send_header("Set-Cookie","a=b"); self.end_headers(); self.wfile.write(body)
    def do_POST(self):
        n = int(self.headers["Content-Length"]); body = self.rfile.read(n)
        self.send_response(201); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *a): pass
s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), H)
threading.Thread(target=s.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{s.server_port}"
with requests.Session() as ses:
    ses.trust_env = False
    r = ses.get(base + "/r", headers={"X-Me": "é".encode().decode('latin1')})
    print(r.status_code, r.json(), [h.status_code for h in r.history], dict(ses.cookies))
    r = ses.post(base + "/p", json={"k": [1, 2.5, None]}); print(r.status_code, r.text)
    r = ses.post(base + "/p", files={"f": ("n.txt", b"data")}); print(b"data" in r.content)
    try: ses.get("http://127.0.0.1:1/", timeout=1)
    except requests.ConnectionError as e: print(type(e).__name__)
s.shutdown()

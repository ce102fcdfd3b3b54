import flask
app = flask.Flask(__name__); app.secret_key="x"
@app.route("/u/<int:n>")
def u(n): flask.session["n"]=n; return flask.jsonify(n=n, url=flask.url_for("u", n=3))
@app.route("/t")
def t(): return flask.render_template_string("{{ request.args.q }} {{ g.x }}{% if session.n %} {{session.n}}{% endif %}")
@app.before_request
def b(): flask.g.x = "gx"
@app.route("/boom")
def boom(): return 1/0
c = app.test_client()
for p in ("/u/5", "/t?q=<i>", "/nope", "/u/x"):
    r = c.get(p); print(r.status, r.get_data(as_text=True))

import yaml, markdown, click, attr, dateutil.parser, simplejson, pyparsing as pp, tabulate, toml, docopt, html5lib, bs4, mpmath, mako.template, babel.dates, datetime
print(yaml.safe_load("a: [1, 2.5, null, 2020-01-02]\nb: &x {c: d}\ne: *x"), yaml.dump({"z": [1, {"q": "é"}]}))
print(markdown.markdown("# T\n\n* a\n* b **c**\n\n```\nx\n```\n| a | b |\n|---|---|\n| 1 | 2 |", extensions=["extra"]))
@attr.s(auto_attribs=True, frozen=True, order=True)
class P:
    x: int; y: float = attr.ib(default=2.0, validator=attr.validators.instance_of(float))
print(P(1), P(1) < P(2), attr.asdict(P(3)), attr.evolve(P(1), x=9))
try: P(1, 2)
except TypeError as e: print(str(e)[:80])
print(dateutil.parser.parse("Thu Sep 25 2003 10:36:28 UTC+3"), simplejson.dumps({"a": 1.0, "b": [True]}, indent=1))
e = pp.infix_notation(pp.Word(pp.nums), [("*", 2, pp.opAssoc.LEFT), ("+", 2, pp.opAssoc.LEFT)])
print(e.parse_string("1+2*3+4").as_list())
print(tabulate.tabulate([["a", 1.5], ["bb", 22]], headers=["n", "v"], tablefmt="grid"))
print(toml.loads("[a]\nb=1\nc=[1,2]"), docopt.docopt("usage: p [--x=N] <f>", ["--x=3", "q"]))
print(bs4.BeautifulSoup("<p>a<b>c</p><i>d", "html5lib").prettify())
mpmath.mp.dps = 50; print(mpmath.zeta(3), mpmath.quad(mpmath.sin, [0, mpmath.pi]))
print(mako.template.Template("% for i in range(3):\n ${i*2} ${x | h}\n% endfor").render(x="<&>"))
print(babel.dates.format_datetime(datetime.datetime(2020,1,2,3,4,5), locale="de_DE"))
@click.command()
@click.option("--n", default=1, help="count", type=click.IntRange(0, 5))
@click.argument("name")
def hello(n, name):
    """Says hello."""
    for _ in range(n): click.echo(f"hi {name}")
from click.testing import CliRunner
for a in (["--n", "2", "bob"], ["--help"], ["--n", "9", "x"], []):
    r = CliRunner().invoke(hello, a); print(r.exit_code, r.output)

import os

import bitarray
import frozenlist
import gmpy2
import lazy_object_proxy
import Levenshtein
import markupsafe
import multidict
import psutil
import pyrsistent
import regex
import setproctitle
import shapely.geometry
import wrapt
import yarl
import zope.interface

me = psutil.Process()
print(me.pid == os.getpid(), me.memory_info().rss > 1e6, psutil.cpu_count() == os.cpu_count(), "python" in me.exe() or "PYTHON")
print(markupsafe.escape("<a & 'b'>"), markupsafe.Markup("<b>%s</b>") % "<i>")
print(regex.findall(r"(?<n>\p{Lu}\w*)(?:\s+(?&n))?", "Ab Cd ef Gh"), regex.fullmatch(r"(?:cats|cat){e<=1}", "cax"))
print(gmpy2.mpz(2) ** 200, gmpy2.next_prime(10 ** 20), gmpy2.sqrt(gmpy2.mpfr(2)), gmpy2.mpq(1, 3) + 1)
print(Levenshtein.distance("kitten", "sitting"), Levenshtein.ratio("abcd", "abce"))
bits = bitarray.bitarray("10110")
print(bits & bitarray.bitarray("11100"), bits.count(), (bits * 2).tobytes())
many = multidict.CIMultiDict([("A", "1"), ("a", "2")])
print(many.getall("A"), yarl.URL("http://u@h:81/p?q=é#f").update_query(x=1), frozenlist.FrozenList([1, 2]))
print(pyrsistent.pvector([1, 2]).set(0, 9).append(3), pyrsistent.pmap({"a": 1}).set("b", 2)["b"])
print(shapely.geometry.Point(0, 0).buffer(1).area.__round__(6), shapely.geometry.box(0, 0, 2, 2).intersection(shapely.geometry.box(1, 1, 3, 3)).wkt)
calls = []
proxy = lazy_object_proxy.Proxy(lambda: calls.append(1) or [1, 2])
print(calls, len(proxy), proxy + [3], calls)


@wrapt.decorator
def loud(wrapped, instance, args, kwargs):
    return str(wrapped(*args, **kwargs)).upper()


class Shop:
    @loud
    def greet(self, name):
        """Greets."""
        return f"hi {name}"


print(Shop().greet("bob"), Shop.greet.__doc__, Shop.greet.__name__)


class IThing(zope.interface.Interface):
    size = zope.interface.Attribute("how large")


@zope.interface.implementer(IThing)
class Thing:
    size = 3


print(IThing.providedBy(Thing()), IThing.implementedBy(Thing), list(IThing))
setproctitle.setproctitle("springboard-test")
print(setproctitle.getproctitle(), open("/proc/self/cmdline").read().split("\0")[0])

"""The page, in a real browser: what it draws and says is what the recording has."""
import functools
import importlib.util
import os
import shutil
import sys
import unittest

from springprof import recording, tables
from springprof.recording import Builder, COMPILED, INTERPRETER, KERNEL, LIBRARY, PYTHON
from support import LINES, file, folder, refusal, shares_file, springprof
from test_recording_file import example

LONG = "draws"


@functools.cache
def browser_refusal():
    if shutil.which("chromium") is None or shutil.which("chromedriver") is None:
        return "chromium is not installed (apt-get install chromium chromium-driver)"
    if importlib.util.find_spec("selenium") is None:
        return "selenium is not installed (apt-get install python3-selenium)"
    return None


def start_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,950",
                     "--disable-dev-shm-usage", "--disable-background-networking",
                     "--no-first-run", "--user-data-dir=" + os.path.join(folder(), "chromium")):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


@unittest.skipIf(browser_refusal(), str(browser_refusal()))
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(300)
        cls.browser.set_page_load_timeout(300)

    def open(self, path):
        self.browser.get("file://" + path)
        self.wait("document.body.dataset.ready === 'yes'")

    def wait(self, condition, seconds=240):
        from selenium.webdriver.support.ui import WebDriverWait
        WebDriverWait(self.browser, seconds, 0.05).until(
            lambda browser: browser.execute_script("return " + condition), condition)

    def js(self, code, *arguments):
        return self.browser.execute_script(code, *arguments)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def click(self, selector):
        self.js("document.querySelector(arguments[0]).click()", selector)

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.browser).send_keys(*keys).perform()

    def search(self, text):
        self.js("const s = document.getElementById('search'); s.value = arguments[0];"
                "s.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))", text)
        return float(self.js("return document.getElementById('found').dataset.time"))

    def rows(self, table):
        self.click(f"[data-table={table}]")
        rows = self.js("return [...document.querySelectorAll('#table tbody tr')].map(r => "
                       "[r.dataset.name, r.dataset.place, +r.dataset.own, +r.dataset.total])")
        return {(name, place): (own, total) for name, place, own, total in rows}

    def boxes(self):
        """Names of the boxes that are drawn, with their width in pixels. `whole` is then that of
        all: the window's may be another by now, without a scroll bar."""
        self.js("draw()")
        found, self.whole = self.js(
            "const t = current(); return [boxes.filter(b => !b.above && b.n)"
            ".map(b => [frameLabel(t.frame[b.n]), b.w, b.d, b.x, b.y]), boxes[0].w]")
        return found

    def report(self, result, name):
        path = file(name + ".springprof")
        recording.write(result, path)
        return springprof("report", path).stdout.strip()


class Made(Page):
    """A recording of 10 samples, each of 1 ms: every number is known."""

    WIDEST_WORK = ("boxes.filter(b => b.n && frameLabel(current().frame[b.n]) === 'work')"
                   ".sort((x, y) => y.w - x.w)[0]")

    def setUp(self):
        self.open(self.report(example(), "made"))

    def test_tables(self):
        ms = 1e6
        self.assertEqual(self.rows("functions"), {
            ("main", "/srv/app.py"): (2 * ms, 8 * ms), ("work", "/srv/app.py"): (4 * ms, 4 * ms),
            ("Fast.<locals>.λ", "/srv/ä b.py"): (2 * ms, 2 * ms)})
        self.assertEqual(self.rows("lines"), {
            ("app.py:10", "main"): (2 * ms, 8 * ms), ("app.py:20", "work"): (4 * ms, 4 * ms),
            ("ä b.py:30", "Fast.<locals>.λ"): (2 * ms, 2 * ms)})
        self.assertEqual(self.rows("native"), {
            ("op_CALL", "/usr/bin/python"): (2 * ms, 4 * ms),
            ("memcpy", "/lib/libc.so.6"): (2 * ms, 2 * ms), ("ksys_read", "kernel"): (ms, ms)})

    def test_search_by_function_file_and_line(self):
        for text, found in (("work", 4e6), ("MAIN", 8e6), ("app.py", 8e6), ("app.py:20", 4e6),
                            ("app.py:21", 0), ("libc.so", 2e6), ("ä b.py:30", 2e6), ("λ", 2e6)):
            self.assertEqual(self.search(text), found, text)
        self.search("work")
        self.assertEqual(self.text("#found"), "40.0 %  (4.0 ms)")

    def test_kinds_are_hidden_and_shown(self):
        names = [box[0] for box in self.boxes()]
        self.assertNotIn("op_CALL", names)          # at first, the interpreter is hidden
        self.assertIn("memcpy", names)
        self.keys("3")
        self.assertIn("op_CALL", [box[0] for box in self.boxes()])
        self.click("#kind-3")
        self.click("#kind-4")
        names = [box[0] for box in self.boxes()]
        self.assertFalse({"memcpy", "ksys_read"} & set(names))
        # What is hidden is still counted in what has called it.
        self.assertEqual(self.js("return tree.total[0]"), 1e7)

    def test_zoom_and_back(self):
        width = max(box[1] for box in self.boxes())
        self.js(f"zoomTo({self.WIDEST_WORK}.n)")
        self.assertEqual({box[0] for box in self.boxes() if box[1] > width}, {"work"})
        self.keys("\ue00c")                          # Escape: a step outwards, to main
        self.assertEqual({box[0] for box in self.boxes() if box[1] > width}, {"main"})
        self.keys("\ue00c")
        self.assertEqual(max(box[1] for box in self.boxes()), width)

    def test_a_click_zooms_and_shows_the_source(self):
        from selenium.webdriver.common.action_chains import ActionChains
        x, y = self.js(f"draw(); const b = {self.WIDEST_WORK};"
                       "const a = document.getElementById('flames').getBoundingClientRect();"
                       "return [a.x + b.x + b.w / 2, a.y + b.y + 8]")
        actions = ActionChains(self.browser)
        actions.w3c_actions.pointer_action.move_to_location(int(x), int(y))
        actions.w3c_actions.pointer_action.click()
        actions.perform()
        self.assertEqual(self.js("return frameLabel(current().frame[zoomed()])"), "work")
        self.assertIn("/srv/app.py", self.text("#source-name"))
        line = self.js("const r = document.querySelector('#source [data-line=\"20\"]');"
                       "return [r.dataset.own, r.dataset.total, r.classList.contains('here'),"
                       "r.textContent]")
        self.assertEqual(line[:3], ["4000000", "4000000", True])
        self.assertTrue(line[3].endswith("line 20"), line)

    def test_inverted(self):
        self.keys("i")
        boxes = self.boxes()
        tops = {name: width for name, width, depth, *_ in boxes if depth == 1}
        scale = self.whole / 10
        for name, weight in (("work", 2), ("memcpy", 2), ("main", 2), ("Fast.<locals>.λ", 2),
                             ("ksys_read", 1)):
            self.assertAlmostEqual(tops[name], weight * scale, delta=1, msg=name)
        self.assertEqual(sum(name == "main" for name, _, depth, *_ in boxes if depth == 2), 2)

    def test_flame_and_icicle(self):
        before = {box[0]: box[4] for box in self.boxes()}
        self.assertLess(before["main"], before["work"])
        self.keys("f")
        after = {box[0]: box[4] for box in self.boxes()}
        self.assertGreater(after["main"], after["work"])

    def test_threads(self):
        self.js("const s = document.getElementById('thread');"
                "s.value = [...s.options].find(o => o.textContent.includes('worker')).value;"
                "s.onchange()")
        self.assertEqual(self.js("return tree.total[0]"), 4e6)
        self.assertEqual(self.rows("functions")[("main", "/srv/app.py")], (0, 3e6))
        self.keys("0")
        self.assertEqual(self.js("return tree.total[0]"), 1e7)

    def test_span_of_time(self):
        from selenium.webdriver.common.action_chains import ActionChains
        area = self.js("const a = document.getElementById('time').getBoundingClientRect();"
                       "return [a.x, a.y, a.width]")
        actions = ActionChains(self.browser)
        pointer = actions.w3c_actions.pointer_action
        pointer.move_to_location(int(area[0] + 1), int(area[1] + 20))
        pointer.pointer_down()
        pointer.move_to_location(int(area[0] + area[2] * 0.5), int(area[1] + 20))
        pointer.pointer_up()
        actions.perform()
        # Samples stand at 0 to 9 ms; the first half has five.
        self.assertEqual(self.js("return tree.total[0]"), 5e6)
        self.keys("0")
        self.assertEqual(self.js("return tree.total[0]"), 1e7)

    def test_lines_and_keys(self):
        self.keys("l")
        self.assertIn("work:20", [box[0] for box in self.boxes()])
        self.keys("l")
        self.js("document.getElementById('flames').focus()")
        self.keys("\ue015")                          # down: the widest box
        self.assertEqual(self.js("return frameLabel(current().frame[focus])"), "main")
        self.keys("\ue015")
        self.assertEqual(self.js("return frameLabel(current().frame[focus])"), "work")
        self.keys("\ue014")                          # right: its neighbour
        self.assertNotEqual(self.js("return frameLabel(current().frame[focus])"), "work")
        self.keys("\ue012", "\ue007")                # left, Enter
        self.assertEqual(self.js("return frameLabel(current().frame[zoomed()])"), "work")
        self.keys("/", "m", "a", "i", "n")
        self.wait("document.getElementById('found').dataset.time === '8000000'")
        self.keys("\ue00c", "?")
        self.assertTrue(self.js("return document.getElementById('help').open"))

    def test_nothing_is_asked_for_and_nothing_goes_wrong(self):
        self.browser.get_log("performance")
        self.open(self.report(example(), "quiet"))
        self.search("work")
        self.keys("i", "f", "l")
        urls = [entry["message"] for entry in self.browser.get_log("performance")
                if "Network.requestWillBeSent" in entry["message"]]
        self.assertFalse([url for url in urls if '"url":"http' in url], urls)
        self.assertFalse(self.browser.get_log("browser"))
        self.assertEqual(self.js("return performance.getEntriesByType('resource')"
                                 ".filter(e => !e.name.startsWith('data:')).length"), 0)

    def test_a_function_that_is_compiled_at_times_has_both_colors(self):
        builder = Builder()
        main, slow, fast = (builder.frame(name, "/srv/app.py", line, kind)
                            for name, line, kind in (("main", 1, PYTHON), ("f", 5, PYTHON),
                                                     ("f", 6, COMPILED)))
        thread = builder.thread(1, 1, "python")
        for n, frame in enumerate([slow, slow, slow, fast]):
            builder.sample(n, thread, [frame, main], 1_000_000)
        self.open(self.report(builder.finish(**example().meta), "both"))
        for inverted in False, True:
            found = self.js(
                "draw(); const t = current(),"
                "b = boxes.find(b => b.n && frameLabel(t.frame[b.n]) === 'f'), f = t.frame[b.n],"
                "g = document.getElementById('flames').getContext('2d'),"
                "at = y => [...g.getImageData((b.x + b.w - 9) * ratio, (b.y + y) * ratio, 1, 1)"
                ".data].slice(0, 3).join();"
                "return [compiledPart(b.n, t), at(3), at(16), at(11),"
                "frameColor(f, PYTHON).match(/\\d+/g).join(),"
                "frameColor(f, COMPILED).match(/\\d+/g).join(), kindText(b.n, t)]")
            part, top, bottom, above, python, compiled, text = found
            self.assertEqual((part, text), (0.25, "Python, 25.0 % compiled"))
            self.assertEqual((top, above, bottom), (python, python, compiled))
            self.keys("i")
        self.keys("i", "i")
        self.click("#kind-1")                       # only what is interpreted is left
        self.assertEqual(self.js("return Math.max(...tree.compiled)"), 0)
        self.browser.get_log("browser")             # its advice on getImageData()

    def test_weights_that_are_no_time(self):
        result = example()
        result.meta["unit"] = result.meta["event"] = "page-faults"
        self.open(self.report(result, "faults"))
        self.assertTrue(self.text("#summary").startswith("10.00 M page-faults, "))
        self.search("work")
        self.assertEqual(self.text("#found"), "40.0 %  (4.00 M)")
        self.assertIn("4.00 M", self.text("#table tbody tr"))

    def test_comparison(self):
        after = Builder()
        frames = {name: after.frame(name, "/srv/app.py", line, PYTHON)
                  for name, line in (("main", 10), ("work", 20), ("new", 25))}
        thread = after.thread(1, 1, "python")
        for n, stack in enumerate([["main"]] * 2 + [["work", "main"]] * 4 + [["new", "main"]] * 2):
            after.sample(n, thread, [frames[name] for name in stack], 5_000_000)
        before = example()
        paths = file("before.springprof"), file("after.springprof")
        recording.write(before, paths[0])
        recording.write(after.finish(**before.meta), paths[1])
        self.open(springprof("diff", *paths, "-o", file("diff.html")).stdout.strip())
        cells = self.js("return [...document.querySelectorAll('#table tbody tr')].map(r => "
                        "[...r.cells].map(c => c.textContent))")
        rows = {row[-1].split("/")[0]: row[:-1] for row in cells}
        self.assertEqual(rows["new"], ["0.00 %", "25.0 %", "+25.00 %"] * 2)
        self.assertEqual(rows["work"], ["40.0 %", "50.0 %", "+10.00 %"] * 2)
        self.assertEqual(rows["main"][3:], ["80.0 %", "100.0 %", "+20.00 %"])
        text = springprof("diff", "--text", *paths).stdout
        self.assertRegex(text, r"0\.0% -> +25\.0% +0\.0% -> +25\.0% +\+25\.0%  new")


@unittest.skipIf(refusal(), str(refusal()))
class Measured(Page):
    def test_the_page_has_the_numbers_of_the_file(self):
        path = shares_file(seconds=0.5)[0]
        self.open(springprof("report", path, "-o", file("measured.html")).stdout.strip())
        result = recording.read(path)
        expected = tables.Tables(result)
        self.assertEqual(float(self.js("return document.getElementById('summary').dataset.total")),
                         expected.total)
        shown = self.rows("functions")
        for (name, place, python), row in expected.functions.items():
            if python:
                self.assertEqual(shown[name, place], (row.own, row.total), name)
        line = LINES["    spin(18000)"]
        self.assertEqual(self.search(f"shares.py:{line}"),
                         expected.lines[file("shares.py"), line].total)
        self.browser.save_screenshot(file("measured.png"))


class Large(Page):
    def test_half_a_million_stacks_are_fluent(self):
        builder = Builder()
        frames = [builder.frame(f"function_{n}", f"/srv/module_{n % 50}.py", n % 300 + 1,
                                (PYTHON, PYTHON, INTERPRETER, LIBRARY, KERNEL)[n % 5])
                  for n in range(3000)]
        thread = builder.thread(1, 1, "python")
        state = 1
        for n in range(500_000):
            stack, at = [], n
            for depth in range(14):
                stack.append(frames[(at * 7 + depth * 211) % (8 if depth < 4 else 3000)])
                at = at // 3 if depth % 2 else at
            state = (state * 1103515245 + 12345) & 0x7fffffff
            builder.sample(n * 1e5, thread, stack[::-1], 100_000)
        path = self.report(builder.finish(**example().meta), "large")
        self.open(path)
        self.assertGreater(self.js("return R.parents.length"), 500_000)
        draw = self.js("const t = performance.now(); for (let i = 0; i < 5; i++) draw();"
                       "return (performance.now() - t) / 5")
        zoom = self.js("zoomTo(current().children(current().children(0)[0])[0]);"
                       "const t = performance.now(); draw(); return performance.now() - t")
        search = self.js("const t = performance.now(); setSearch('function_7'); draw();"
                         "return performance.now() - t")
        switch = self.js("const t = performance.now(); toggleKind(3); draw();"
                         "return performance.now() - t")
        inverted = self.js("const t = performance.now(); invert(); draw();"
                           "return performance.now() - t")
        print(f"draw {draw:.0f} zoom {zoom:.0f} search {search:.0f} switch {switch:.0f} "
              f"inverted {inverted:.0f} ms", file=sys.stderr)
        self.assertLess(draw, 150)
        self.assertLess(zoom, 300)
        self.assertLess(search, 2000)


if __name__ == "__main__":
    unittest.main()

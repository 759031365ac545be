"""Opens reports in Chromium and checks what a reader gets. Each check prints a line; a failure ends with 1."""

import functools
import http.server
import pathlib
import re
import sys
import tempfile
import threading

from axe_selenium_python import Axe
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import browser as chromium
import figures
import inputs
import printing
import spelling

failures = 0


def check(title, problems, done=""):
    """Prints the result of a check: what it has found, or what it has looked at."""
    global failures
    problems = list(problems)
    failures += bool(problems)
    print(f"{'FAIL' if problems else 'ok  '} {title}" + (f": {done}" if done else ""))
    for problem in problems[:8]:
        print(f"       {problem}")
    if len(problems) > 8:
        print(f"       and {len(problems) - 8} more")
    sys.stdout.flush()


def url(path):
    return path.resolve().as_uri()


def name(page):
    return f"{page.parent.name}/{page.name}"


def opens_quietly(browser, page):
    chromium.messages(browser), chromium.requests(browser)
    browser.get(url(page))
    chromium.open_folded(browser)
    asked = [request for request in chromium.requests(browser) if request != url(page)]
    check(f"{name(page)} asks for nothing and says nothing", asked + chromium.messages(browser))


def reads_without_script(browser, page):
    chromium.scripting(browser, False)
    browser.get(url(page))
    problems = browser.execute_script("""
        return Array.from(document.querySelectorAll('main section, main h2, main p, figure, svg.chart, .tile'))
          .filter(e => !e.closest('details') && !e.getClientRects().length)
          .map(e => 'not shown: ' + e.outerHTML.slice(0, 80))""")
    if browser.find_elements(By.CSS_SELECTOR, "th button"):
        problems.append("the script has run")
    folded = browser.find_elements(By.CSS_SELECTOR, "details")
    for details in folded[:6] + folded[-2:]:
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", details)
        details.find_element(By.TAG_NAME, "summary").click()
    problems += browser.execute_script("""
        return arguments[0].filter(d => !d.open || d.lastElementChild.getBoundingClientRect().height < 10)
          .map(d => 'does not open: ' + d.textContent.slice(0, 60))""", folded[:6] + folded[-2:])
    chromium.open_folded(browser)
    hidden = browser.execute_script("""
        const shown = document.body.innerText.replace(/\\s/g, '');
        return Array.from(document.querySelectorAll('main p, main li, main dd, main td, main th, main h2, main h3'))
          .filter(e => !e.querySelector('svg') && !shown.includes(e.textContent.replace(/\\s/g, '')))
          .map(e => 'not readable: ' + e.textContent.slice(0, 60))""")
    check(f"{name(page)} is readable without script", problems + hidden, f"{len(folded)} folded parts")
    chromium.scripting(browser, True)


def is_accessible(browser, page):
    for scheme in ["light", "dark"]:
        for width in [1440, 360]:
            chromium.colours(browser, scheme)
            chromium.resize(browser, width)
            browser.get(url(page))
            chromium.open_folded(browser)
            axe = Axe(browser)
            axe.inject()
            found = axe.run()
            problems = [
                f"{violation['id']}: {violation['help']} ({len(violation['nodes'])} times: "
                f"{violation['nodes'][0]['html'][:120]})" for violation in found["violations"]]
            check(f"axe, {name(page)}, {scheme}, {width} pixels", problems, f"{len(found['passes'])} rules")
    chromium.colours(browser, "light")
    chromium.resize(browser, 1440)


def fits(browser, page):
    for width in [360, 800, 1440]:
        chromium.resize(browser, width)
        browser.get(url(page))
        for is_open in [False, True]:
            if is_open:
                chromium.open_folded(browser)
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            check(
                f"{name(page)} fits {width} pixels" + (", all open" if is_open else ""),
                [f"it is {wide} pixels wide"] if wide > width else [])
    chromium.resize(browser, 1440)


def prints(browser, page):
    browser.get(url(page))
    known = browser.execute_script(printing.READ)
    for paper, size in printing.PAPER.items():
        printed = printing.pages(chromium.pdf(browser, *size))
        check(
            f"{name(page)} on {paper}: no figure is cut", printing.cut_figures(known, printed),
            f"{len(known)} figures, {len(printed)} pages")
        check(f"{name(page)} on {paper}: nothing is beyond the paper's edge", printing.beyond_the_edge(printed))


def describes(browser, page):
    browser.get(url(page))
    problems = browser.execute_script("""
        const bad = [];
        for (const svg of document.querySelectorAll('svg.chart')) {
          const ids = (svg.getAttribute('aria-labelledby') || '').split(' ');
          const words = ids.map(id => (document.getElementById(id) || {textContent: ''}).textContent);
          if (svg.getAttribute('role') !== 'img' || words.length < 2 || words.some(w => w.trim().length < 3))
            bad.push(svg.id + ': ' + words.join(' / '));
        }
        for (const figure of document.querySelectorAll('figure'))
          if (!figure.querySelector('figcaption p') || !figure.querySelector('svg.chart, .note')
              || !figure.querySelector('details table'))
            bad.push('without words, picture or numbers: ' + figure.id);
        const ids = Array.from(document.querySelectorAll('[id]'), e => e.id);
        for (const id of ids.filter((id, at) => ids.indexOf(id) !== at)) bad.push('two are named ' + id);
        return bad""")
    check(f"{name(page)}: each figure has its text", problems)


def tells_the_csv(browser, page):
    chromium.scripting(browser, False)
    browser.get(url(page))
    known = browser.execute_script(figures.READ)
    # The page of an app has the rows of that app.
    app = None if page.name == "index.html" else browser.execute_script(
        "return document.querySelector('h1').textContent").split(": ")[0]
    month = figures.read(page.parent, "headlines.csv")[0]["month"]
    problems, compared = [], 0
    for figure in known:
        try:
            compared += figures.compare(page.parent, figure, month, app)
        except figures.Mismatch as error:
            problems.append(f"{figure['title']}: {error}")
    tiles = browser.execute_script(
        "return Array.from(document.querySelectorAll('.tile .number'), e => e.textContent)")
    texts = [
        set().union(*(spelling.spellings(row["value"], shown, row["currency"]) for shown in ("", "%")))
        for row in figures.read(page.parent, "headlines.csv") if row["value"]]
    for number in [] if app else tiles:
        if not any(number in text for text in texts):
            problems.append(f"no headline is {number}")
    check(f"{name(page)}: the numbers are those of the CSV files", problems, f"{compared} cells, {len(tiles)} tiles")
    chromium.scripting(browser, True)


def reached_by_keyboard(browser, page):
    browser.get(url(page))
    chromium.open_folded(browser)
    wanted = browser.execute_script("""
        window.reached = new Set(); window.unmarked = new Set();
        document.addEventListener('focusin', event => {
          const style = getComputedStyle(event.target);
          reached.add(event.target);
          if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2) unmarked.add(event.target);
        });
        window.wanted = Array.from(document.querySelectorAll('a[href], button, select, input, summary, [tabindex="0"]'))
          .filter(e => e.checkVisibility({visibilityProperty: true}));
        return wanted.length""")
    for _ in range(wanted // 50 + 2):
        ActionChains(browser).send_keys(Keys.TAB * 50).perform()
    problems = browser.execute_script("""
        const name = e => e.outerHTML.slice(0, 90);
        return [...wanted.filter(e => !reached.has(e)).map(e => 'not reached: ' + name(e)),
          ...Array.from(unmarked, e => 'focus not visible: ' + name(e))]""")
    check(f"{name(page)}: the keyboard reaches everything", problems, f"{wanted} places")


def sorts(browser, page):
    """The comfort that the script adds: sorting, filtering and choosing a series."""
    browser.get(url(page))
    chromium.open_folded(browser)
    problems = browser.execute_script("""
        const bad = [];
        const button = document.querySelector('th.n button');
        button.click();
        const head = button.closest('th');
        if (head.getAttribute('aria-sort') !== 'descending') bad.push('a number is not sorted from the largest');
        const select = document.querySelector('.choice select');
        if (select) {
          select.selectedIndex = 1;
          select.dispatchEvent(new Event('change'));
          const svg = select.closest('.choice').querySelector('svg');
          if (!svg || !svg.getBoundingClientRect().width) bad.push('no series is drawn');
        }
        return bad""")
    check(f"{name(page)}: tables sort, series are drawn", problems)
    chooses(browser, page)


def chooses(browser, page):
    """Each series that can be chosen has an axis of its own that fits it, months, and words for screen readers."""
    problems = browser.execute_script("""
        const bad = [];
        const sets = JSON.parse(document.getElementById('choices').textContent);
        const drawn = box => box.querySelector('svg');
        for (const box of document.querySelectorAll('.choice')) {
          const set = sets[box.dataset.use.slice('choice-'.length)];
          const select = box.querySelector('select');
          const listed = Object.values(set.by).flat();
          if (select.options.length !== listed.length + 1) bad.push('not all are listed: ' + set.name);
          listed.forEach(([title, [low, high, ...ticks], ...points], at) => {
            select.selectedIndex = at + 1;
            select.dispatchEvent(new Event('change'));
            const fault = words => bad.push(`${set.name}, ${title}: ${words}`);
            const known = points.filter(point => point !== null).map(point => [].concat(point));
            const svg = drawn(box);
            if (!svg) return known.length && fault('is not drawn');
            const texts = Array.from(svg.querySelectorAll('text'), text => text.textContent);
            for (const tick of ticks) if (!texts.includes(tick)) fault('lacks ' + tick);
            if (!texts.includes(set.months[set.months.length - 1])) fault('lacks its last month');
            if ((texts[0].startsWith('axis begins at ')) !== (low > 0)) fault('does not say where it begins');
            for (const value of known.flatMap(point => point.slice(0, 3)).filter(value => value !== null))
              if (value < low - 0.01 || value > high + 0.01) fault(`${value} is not on the axis`);
            const named = svg.getAttribute('aria-labelledby').split(' ')
              .map(id => (document.getElementById(id) || {textContent: ''}).textContent);
            if (!named[0].endsWith(': ' + title) || !named[1].startsWith('In 2')) fault('says ' + named.join(' / '));
            const band = svg.querySelector('path[fill-opacity]').getAttribute('d');
            if ((band !== '') !== known.some(point => point.length > 2 && point[1] !== null)) fault('band: ' + band);
            if (svg.querySelectorAll('[data-v]').length !== known.length) fault('not all values are under the pointer');
            if (svg.querySelector('[style]') || /NaN|undefined/.test(svg.outerHTML)) fault(svg.outerHTML.slice(0, 80));
            const view = svg.getBoundingClientRect();
            const boxes = Array.from(svg.querySelectorAll('text'), text => [text.textContent, text.getBoundingClientRect()]);
            boxes.forEach(([one, place], first) => {
              if (place.left < view.left - 1 || place.right > view.right + 1) fault(one + ' is cut');
              for (const [other, next] of boxes.slice(first + 1))
                if (place.left < next.right - 1 && next.left < place.right - 1
                    && place.top < next.bottom - 3 && next.top < place.bottom - 3) fault(`${one} covers ${other}`);
            });
          });
          select.selectedIndex = 0;
          select.dispatchEvent(new Event('change'));
          if (drawn(box)) bad.push('a series stays after all together: ' + set.name);
        }
        return bad""")
    count = browser.execute_script("return document.querySelectorAll('.choice option').length")
    check(f"{name(page)}: each chosen series has its axis", problems, f"{count} choices")


class StrictHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files as Jenkins does: without script, and without styles in the page."""

    def end_headers(self):
        self.send_header(
            "Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self'; style-src 'self';")
        super().end_headers()

    def log_message(self, *arguments):
        pass


def legible_without_styles(browser, page):
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(StrictHandler, directory=page.parent))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser.get(f"http://127.0.0.1:{server.server_port}/{page.name}")
    problems = browser.execute_script("""
        const bad = [];
        const light = c => { const m = c.match(/[0-9.]+/g).map(Number).slice(0, 3).map(v => v / 255)
          .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
          return 0.2126 * m[0] + 0.7152 * m[1] + 0.0722 * m[2]; };
        const body = getComputedStyle(document.body).backgroundColor;
        if (body !== 'rgba(0, 0, 0, 0)') bad.push('styles were let in: ' + body);
        if (document.querySelector('th button')) bad.push('the script was let in');
        if (!document.querySelector('svg.chart')) bad.push('there is no picture');
        for (const svg of document.querySelectorAll('svg.chart')) {
          if (svg.closest('details')) continue;
          const box = svg.getBoundingClientRect();
          if (box.width < 100 || box.height < 16 || box.width > 1100) bad.push(`${svg.id} is ${box.width} by ${box.height}`);
          for (const text of svg.querySelectorAll('text')) {
            const style = getComputedStyle(text);
            const colour = style.fill === 'currentcolor' ? style.color : style.fill;
            if (parseFloat(style.fontSize) < 9) bad.push(`${svg.id}: ${text.textContent} has ${style.fontSize}`);
            const ratio = 1.05 / (light(colour) + 0.05);
            if (ratio < 4.5) bad.push(`${svg.id}: ${text.textContent} has a contrast of ${ratio.toFixed(1)}`);
          }
        }
        for (const e of document.querySelectorAll('main p, main li, main td, main th, main h2, main h3')) {
          if (!e.checkVisibility() || e.closest('details')) continue;
          const style = getComputedStyle(e);
          if (parseFloat(style.fontSize) < 12 || light(style.color) > 0.18) bad.push(e.outerHTML.slice(0, 60));
        }
        return bad""")
    check(f"{name(page)} is legible where styles and scripts are forbidden", problems)
    server.shutdown()


def shows_hostile_names(browser, page, names):
    opens_quietly(browser, page)
    shown = [
        re.sub("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", lambda mark: "\\u{%X}" % ord(mark.group()), name)
        for name in names]
    problems = browser.execute_script("""
        const text = document.querySelector('main').textContent;
        const bad = arguments[0].filter(name => !text.includes(name)).map(name => 'not shown: ' + name);
        if (window.harm) bad.push('a name has run as a script');
        if (document.querySelector('img, [onload], [onerror], [onfocus]')) bad.push('a name has become markup');
        if (document.querySelectorAll('style').length !== 1) bad.push('there are more styles than one');
        if (!document.querySelector('footer')) bad.push('the page ends early');
        return bad""", [name.strip() for name in shown])
    check(f"{name(page)} shows hostile names as text", problems, f"{len(names)} names")


def is_small(browser, page, limit):
    size = page.stat().st_size
    check(f"{name(page)} has at most {limit // 1000} KB", [f"{size} bytes"] if size > limit else [], f"{size} bytes")
    browser.get(url(page))
    count = browser.execute_script("return document.querySelectorAll('*').length")
    check(f"{name(page)} has at most 60,000 elements", [f"{count}"] if count > 60_000 else [], f"{count}")


def is_fast(browser, page):
    times = []
    for _ in range(3):
        browser.get(url(page))
        times.append(browser.execute_script("""
            const paint = performance.getEntriesByName('first-contentful-paint')[0];
            const load = performance.getEntriesByType('navigation')[0].loadEventEnd;
            return Math.max(load, paint ? paint.startTime : 0)"""))
    check(
        f"{name(page)} is drawn in under a second", [f"{min(times):.0f} ms"] if min(times) > 1000 else [],
        f"{min(times):.0f} ms")


def checks(browser, program, folder):
    inputs.report(program, inputs.ROOT / "sample-reports", folder / "sample")
    index = folder / "sample" / "index.html"
    for page in [index, *sorted(index.parent.glob("app-*.html"))[:1]]:
        opens_quietly(browser, page)
        reads_without_script(browser, page)
        is_accessible(browser, page)
        fits(browser, page)
        prints(browser, page)
        describes(browser, page)
        legible_without_styles(browser, page)
        is_small(browser, page, 300_000)
        is_fast(browser, page)
    for page in sorted(index.parent.glob("*.html")):
        tells_the_csv(browser, page)
    sorts(browser, index)
    reached_by_keyboard(browser, index)

    inputs.report(program, inputs.finance(program, folder), folder / "prices")
    prices = folder / "prices" / "index.html"
    opens_quietly(browser, prices)
    is_accessible(browser, prices)
    fits(browser, prices)
    prints(browser, prices)
    describes(browser, prices)
    legible_without_styles(browser, prices)
    tells_the_csv(browser, prices)

    names = inputs.hostile(folder / "names")
    inputs.report(program, folder / "names", folder / "hostile")
    for page in sorted((folder / "hostile").glob("*.html")):
        shows_hostile_names(browser, page, names if page.name == "index.html" else [])
    fits(browser, folder / "hostile" / "index.html")

    inputs.report(program, inputs.large(program, folder), folder / "many")
    many = folder / "many" / "index.html"
    is_small(browser, many, 800_000)
    is_fast(browser, many)
    opens_quietly(browser, many)

    script = inputs.ROOT / "Sources" / "Rendering" / "Assets" / "page.js"
    size = script.stat().st_size
    check("the script has at most 10 KB", [f"{size} bytes"] if size > 10_000 else [], f"{size} bytes")


def main():
    program = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else inputs.PROGRAM).resolve()
    browser = chromium.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            checks(browser, program, pathlib.Path(folder))
    finally:
        browser.quit()
    print(f"{failures} checks failed" if failures else "all checks hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

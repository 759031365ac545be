"""Opens reports in Chromium and checks what a reader gets: PAGE.md. Each check prints a line; a failure ends with 1.

With a program: writes reports of several worlds and pages of single tables, and checks them; with names of worlds, or
`tables`, only these. With HTML files: checks these, as they are.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import time
import traceback

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import browser as chromium
import colours
import facts
import inputs
import printing
import sentences
import shape
from spelling import visible

# Widths in pixels: a phone, the limits of the layouts and one more, a desk, the widest.
WIDTHS = [360, 390, 640, 641, 1000, 1001, 1280, 2000]

failures = []


def check(title, problems, done=""):
    """Prints the result of a check: what it has found, or what it has looked at."""
    problems = list(problems)
    if problems:
        failures.append(title)
    print(f"{'FAIL' if problems else 'ok  '} {title}" + (f": {done}" if done else ""))
    for problem in problems[:12]:
        print(f"       {problem}")
    if len(problems) > 12:
        print(f"       and {len(problems) - 12} more")
    sys.stdout.flush()


def url(path):
    return path.resolve().as_uri()


def name(page):
    return f"{page.parent.name}/{page.name}"


def is_app(page):
    return page.name.startswith("app-")


def read(browser, page):
    """Returns what the page is made of, before its script has run."""
    chromium.scripting(browser, False)
    browser.get(url(page))
    found = browser.execute_script(shape.READ)
    chromium.scripting(browser, True)
    return found


def has_its_shape(browser, page, names=()):
    found = read(browser, page)
    title = name(page)
    check(f"{title}: one title, the headings and sections in their order", shape.order_problems(found, is_app(page)))
    check(f"{title}: status, five tiles, three bullets", shape.first_screen_problems(found, is_app(page)))
    check(f"{title}: each section has its sentence, figure, side and fold", shape.section_problems(found))
    check(f"{title}: plain words", shape.word_problems(found, names))
    check(f"{title}: nothing from outside is allowed", shape.policy_problems(found))


def opens_quietly(browser, page):
    chromium.messages(browser), chromium.requests(browser)
    browser.get(url(page))
    chromium.open_folded(browser)
    asked = [request for request in chromium.requests(browser) if request != url(page)]
    check(f"{name(page)}: asks for nothing and says nothing", asked + chromium.messages(browser))


def reads_without_script(browser, page):
    """All that is read with the script is there without it, and folds open."""
    read_texts = """
        return Array.from(document.querySelectorAll(
            'h1, h2, h3, p, li, td, th, caption, figcaption, summary, code, dt, dd, svg text, svg title, svg desc'))
          .filter(e => !e.closest('[hidden]')).map(e => {
            const copy = e.cloneNode(true);
            copy.querySelectorAll('button.copy, label').forEach(part => part.remove());
            return copy.textContent.replace(/\\s+/g, ' ').trim();
          }).filter(text => text !== '')"""
    browser.get(url(page))
    with_script = set(browser.execute_script(read_texts))
    chromium.scripting(browser, False)
    browser.get(url(page))
    without = set(browser.execute_script(read_texts))
    problems = [f"only with the script: {text[:80]}" for text in sorted(with_script - without)
                if not re.search(r"Copy$", text)]
    folded = browser.execute_script("return Array.from(document.querySelectorAll('details > summary'))")
    for summary in folded[:3] + folded[-1:]:
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", summary)
        summary.click()
    problems += browser.execute_script("""
        return arguments[0].map(e => e.parentElement)
          .filter(d => !d.open || d.lastElementChild.getBoundingClientRect().height < 10)
          .map(d => 'does not open: ' + d.textContent.slice(0, 60))""", folded[:3] + folded[-1:])
    chromium.open_folded(browser)
    problems += browser.execute_script("""
        return Array.from(document.querySelectorAll('h1, h2, h3, p, li, td, th, figure, svg.plot'))
          .filter(e => e.textContent.trim() && !e.checkVisibility({visibilityProperty: true, opacityProperty: true}))
          .map(e => 'not shown: ' + e.outerHTML.slice(0, 80))""")
    check(f"{name(page)}: the same without script", problems, f"{len(without)} texts")
    chromium.scripting(browser, True)


def is_accessible(browser, page):
    for scheme in ["light", "dark"]:
        for width in [1280, 390]:
            chromium.show(browser, scheme)
            chromium.resize(browser, width)
            browser.get(url(page))
            chromium.open_folded(browser)
            found = chromium.axe(browser)
            problems = [
                f"{violation['id']}: {violation['help']} ({len(violation['nodes'])} times: "
                f"{violation['nodes'][0]['html'][:150]})" for violation in found["violations"]]
            check(f"{name(page)}: axe, {scheme}, {width} pixels", problems, f"{len(found['passes'])} rules")
    chromium.show(browser, "light")


def has_its_colours(browser, page):
    chromium.resize(browser, 1280)
    for scheme in ["light", "dark"]:
        chromium.show(browser, scheme)
        browser.get(url(page))
        chromium.open_folded(browser)
        check(f"{name(page)}: the colours of the table, {scheme}", colours.token_problems(browser, scheme))
        problems, count = colours.drawn_problems(browser, scheme)
        check(f"{name(page)}: each colour is of the table and stands out, {scheme}", problems, f"{count} uses")
    chromium.show(browser, "light")


def has_its_sizes(browser, page):
    problems = []
    for place, width in enumerate([1280, 390]):
        chromium.resize(browser, width)
        browser.get(url(page))
        chromium.open_folded(browser)
        found = browser.execute_script(shape.READ_SIZES, list(shape.SIZES), shape.SMALLEST)
        problems += shape.size_problems(found, place, width)
    check(f"{name(page)}: sizes of text", problems)
    chromium.resize(browser, 1280)


def fits(browser, page, tallest):
    """No sideways scrolling, no label over another one, and heights. `tallest` are those at 1280 and 390 pixels."""
    wide, covered = [], []
    for width in WIDTHS:
        chromium.resize(browser, width)
        browser.get(url(page))
        for is_open in [False, True]:
            if is_open:
                chromium.open_folded(browser)
            found = browser.execute_script("return document.documentElement.scrollWidth")
            if found > width:
                wide.append(f"{found} pixels wide at {width}" + (", all open" if is_open else ""))
        covered += [f"at {width}: {text}" for text in browser.execute_script(COVERED)]
    check(f"{name(page)}: no sideways scrolling from 360 to 2,000 pixels", wide)
    check(f"{name(page)}: no label is cut or covers another one", covered)
    heights = {}
    for width, most in zip([1280, 390], tallest):
        chromium.resize(browser, width)
        browser.get(url(page))
        heights[width] = browser.execute_script("return document.documentElement.scrollHeight")
    problems = [f"{heights[width]} pixels at {width}, not {most}"
                for width, most in zip([1280, 390], tallest) if heights[width] > most]
    check(f"{name(page)}: not too high", problems, f"{heights[1280]} at 1280, {heights[390]} at 390")


def breaks_no_word(browser, page):
    """Heads of side tables and numbers of grids stand on one line, word by word."""
    broken = []
    for width in WIDTHS:
        chromium.resize(browser, width)
        browser.get(url(page))
        broken += [f"at {width}: {text}" for text in browser.execute_script(BROKEN)]
    check(f"{name(page)}: no head and no number of a grid is broken", broken)


# Words of heads and grids that stand on more lines than one.
BROKEN = """
const bad = [];
for (const cell of document.querySelectorAll('.side thead th, .heat td, .heat thead th')) {
  const text = cell.firstChild;
  if (!text || text.nodeType !== 3) continue;
  for (const word of text.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    if (new Set(Array.from(range.getClientRects(), box => Math.round(box.top))).size > 1) bad.push(word[0]);
  }
}
return bad"""


# Labels of charts that are outside of the page, or that lie on each other.
COVERED = """
const bad = [];
for (const svg of document.querySelectorAll('svg.plot')) {
  const boxes = Array.from(svg.querySelectorAll('text'))
    .filter(text => text.checkVisibility() && text.textContent.trim())
    .map(text => [text.textContent, text.getBoundingClientRect()]);
  boxes.forEach(([one, place], first) => {
    if (place.left < -1 || place.right > innerWidth + 1) bad.push(`"${one}" is cut`);
    for (const [other, next] of boxes.slice(first + 1))
      if (place.left < next.right - 2 && next.left < place.right - 2
          && place.top < next.bottom - 4 && next.top < place.bottom - 4) bad.push(`"${one}" covers "${other}"`);
  });
}
return bad"""


def answers_at_once(browser, page):
    """The first screen: up to the third bullet at a desk, up to the first bullet's first line on a phone."""
    chromium.resize(browser, 1280, 800)
    browser.get(url(page))
    fonts = chromium.fonts(browser)
    problems = [] if fonts == {"DejaVu Sans"} else [f"the fonts are {fonts}"]
    bottom = browser.execute_script("""
        return Math.max(
          ...Array.from(document.querySelectorAll('.changed li'), e => e.getBoundingClientRect().bottom))""")
    if bottom > 640:
        problems.append(f"the third bullet ends at {bottom:.0f} pixels of 1280 × 800, not 640")
    chromium.resize(browser, 390, 844)
    browser.get(url(page))
    line = browser.execute_script("""
        const range = document.createRange();
        range.selectNodeContents(document.querySelector('.changed li'));
        return Math.min(...Array.from(range.getClientRects(), box => box.bottom))""")
    if line > 844:
        problems.append(f"the first line of the first bullet ends at {line:.0f} pixels of 390 × 844")
    check(f"{name(page)}: the answer is on the first screen", problems, f"{bottom:.0f} and {line:.0f} pixels")


def prints(browser, page):
    problems = []
    for paper, width in printing.WIDTHS.items():
        chromium.resize(browser, width)
        chromium.show(browser, "dark", "print")
        browser.get(url(page))
        layout = browser.execute_script(printing.READ_LAYOUT)
        if len(set(layout["tops"])) != 1:
            problems.append(f"{paper}: tiles begin at {layout['tops']}")
        problems += [f"{paper}: printed: {text}" for text in layout["shown"]]
        if layout["ground"] != "rgb(255, 255, 255)" or abs(float(layout["size"][:-2]) - 14) > 0.1:
            problems.append(f"{paper}: ground {layout['ground']}, text {layout['size']}")
        problems += [f"{paper}: {problem}" for problem in colours.token_problems(browser, "light")]
        known = browser.execute_script(printing.READ)
        chromium.show(browser, "light")
        printed = printing.pages(chromium.pdf(browser, *printing.PAPER[paper]))
        problems += [f"{paper}: cut: {text}" for text in printing.cut_figures(known, printed)]
        problems += [f"{paper}: {text}" for text in printing.beyond_the_edge(printed)]
    check(f"{name(page)}: prints", problems, f"{len(known)} figures, {len(printed)} pages of Letter")
    chromium.resize(browser, 1280)


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
    """The comfort that the script adds: folded tables sort and are filtered, values stand under the pointer."""
    browser.get(url(page))
    chromium.open_folded(browser)
    problems = browser.execute_script("""
        const bad = [];
        const number = e => Number(e.textContent.replace(/[,%]/g, '').replace('\\u2212', '-'));
        const button = document.querySelector('details th.r button');
        if (!button) return ['no column of numbers can be sorted'];
        button.click();
        const head = button.closest('th');
        const table = head.closest('table');
        const values = Array.from(table.tBodies[0].rows, row => row.cells[head.cellIndex])
          .filter(cell => cell.textContent.trim()).map(number);
        if (head.getAttribute('aria-sort') !== 'descending') bad.push('a number is not sorted from the largest');
        if (values.some((value, at) => at && value > values[at - 1])) bad.push('sorted: ' + values);
        if (!document.querySelector('svg.plot rect title')) bad.push('no value is under the pointer');
        return bad""")
    check(f"{name(page)}: folded tables sort", problems)


def is_small(browser, page, limit):
    size = page.stat().st_size
    browser.get(url(page))
    count = browser.execute_script("return document.querySelectorAll('*').length")
    problems = [f"{size:,} bytes, not {limit:,}"] if size > limit else []
    problems += [f"{count:,} elements"] if count > 60_000 else []
    check(f"{name(page)}: small", problems, f"{size:,} bytes, {count:,} elements")


def is_fast(browser, page):
    times = []
    for _ in range(3):
        browser.get(url(page))
        times.append(browser.execute_script("""
            const paint = performance.getEntriesByName('first-contentful-paint')[0];
            const load = performance.getEntriesByType('navigation')[0].loadEventEnd;
            return Math.max(load, paint ? paint.startTime : 0)"""))
    check(f"{name(page)}: drawn in under a second", [f"{min(times):.0f} ms"] if min(times) > 1000 else [],
          f"{min(times):.0f} ms")


def shows_hostile_names(browser, page, names):
    shown = [visible(name).strip() for name in names]
    browser.get(url(page))
    problems = browser.execute_script("""
        const text = document.body.textContent;
        const bad = arguments[0].filter(name => !text.includes(name)).map(name => 'not shown: ' + name);
        if (window.harm) bad.push('a name has run as a script');
        if (document.querySelector('img, [onload], [onerror], [onfocus]')) bad.push('a name has become markup');
        if (document.querySelectorAll('style').length !== 1) bad.push('there are more styles than one');
        if (!document.querySelector('footer')) bad.push('the page ends early');
        return bad""", shown)
    check(f"{name(page)}: hostile names are text", problems, f"{len(names)} names")


def tells_the_csv(browser, page, currency=""):
    """Each number of tiles, bullets and leads stands in a CSV file beside the page."""
    found = read(browser, page)
    known = facts.Facts(page.parent, currency, found["titles"][0] if is_app(page) else None)
    problems, exact, loose = sentences.problems(found, known)
    check(f"{name(page)}: numbers are those of the CSV files", problems,
          f"{exact} by their place, {loose} found in the files of their section")


def check_page(browser, page, *, most_bytes=3_000_000, tallest=(9_000, 15_000), names=(), has_axe=True):
    """All checks of a page that need no CSV."""
    chromium.resize(browser, 1280)
    has_its_shape(browser, page, names)
    opens_quietly(browser, page)
    reads_without_script(browser, page)
    if has_axe:
        is_accessible(browser, page)
    has_its_colours(browser, page)
    has_its_sizes(browser, page)
    fits(browser, page, tallest)
    breaks_no_word(browser, page)
    answers_at_once(browser, page)
    prints(browser, page)
    is_small(browser, page, most_bytes)


def check_settlement(browser, page):
    """The page of a settled period: the checks of a report that ask for neither five tiles nor its sections."""
    chromium.resize(browser, 1280)
    found = read(browser, page)
    problems = list(shape.policy_problems(found))
    if found["titles"] != [f"Settlement of {page.stem.removeprefix('reconcile-')}"]:
        problems.append(f"titles are {found['titles']}")
    if not found["status"] or found["status"]["mark"] not in ("status ok", "status w"):
        problems.append(f"status: {found['status']}")
    check(f"{name(page)}: its title and status", problems)
    opens_quietly(browser, page)
    reads_without_script(browser, page)
    is_accessible(browser, page)
    has_its_colours(browser, page)
    fits(browser, page, (9_000, 15_000))
    is_small(browser, page, 800_000)


# The tables of a single command, each as a page: whole, and with a line for each value of a view.
TABLES = ["churn", "renewals", "lapses", "refunds", "retention", "movement", "proceeds", "trials", "recurring", "status",
          "drivers", "churn --by product", "proceeds --by country", "retention --by duration"]


def check_tables(browser, program, folder):
    """The page of each single table: its sentence and figures stand before the table, whose months are not broken."""
    for command in TABLES:
        page = folder / (command.replace(" --by ", "-by-") + ".html")
        table, *options = command.split()
        subprocess.run([program, table, inputs.ROOT / "sample-reports", *options, "-q", "-o", page], check=True)
        guarded(check_table, browser, page)


def check_table(browser, page):
    chromium.resize(browser, 1280)
    found = read(browser, page)
    check(f"{name(page)}: nothing from outside is allowed", shape.policy_problems(found))
    problems = []
    for width in [1280, 390]:
        chromium.resize(browser, width)
        browser.get(url(page))
        problems += [f"at {width}: {problem}" for problem in browser.execute_script("""
            const bad = [];
            const figures = document.querySelectorAll('main figure');
            const table = document.querySelector('main .data');
            if (document.querySelectorAll('h1').length !== 1) bad.push('not one title');
            if (!figures.length || !table) return ['no figure or no table'];
            for (const figure of figures) {
              if (figure.getBoundingClientRect().bottom > table.getBoundingClientRect().top) bad.push('below the table');
              const svg = figure.querySelector('svg[role=img]');
              const words = (svg && svg.getAttribute('aria-labelledby') || '').split(' ');
              if (words.length !== 2 || words.some(id => !document.getElementById(id)?.textContent))
                bad.push('a figure without words');
            }
            for (const cell of document.querySelectorAll('.data tbody th, .data td.k')) {
              const range = document.createRange();
              range.selectNodeContents(cell);
              if (new Set(Array.from(range.getClientRects(), box => box.top)).size > 1)
                bad.push('broken: ' + cell.textContent);
            }
            return bad""")]
    check(f"{name(page)}: figures with words, then the table, whose keys are not broken", problems)
    opens_quietly(browser, page)
    reads_without_script(browser, page)
    is_accessible(browser, page)
    has_its_colours(browser, page)
    fits(browser, page, (12_000, 20_000))
    is_small(browser, page, 200_000)


def check_worlds(browser, program, folder, only):
    for world in inputs.WORLDS:
        if only and world.name not in only:
            continue
        start = time.monotonic()
        page = world.write(program, folder) / "index.html"
        print(f"---- {world.name}: {world.what} ({time.monotonic() - start:.0f} s)", flush=True)
        apps = sorted(page.parent.glob("app-*.html"))
        names = facts.names(page.parent)
        for one in [page, *apps[:world.app_pages]]:
            guarded(check_page, browser, one, most_bytes=world.most_bytes, tallest=world.tallest, names=names)
            guarded(tells_the_csv, browser, one, world.currency)
        for one in sorted(page.parent.glob("reconcile-*.html"))[-2:]:
            guarded(check_settlement, browser, one)
        if world.hostile:
            for one in [page, *apps]:
                guarded(shows_hostile_names, browser, one, world.hostile if one == page else [])
        if world.silent_month:
            guarded(says_nothing_of, browser, page, *world.silent_month)
            guarded(keeps_its_sources, folder / "sample", page)
        if world.name == "sample":
            guarded(reached_by_keyboard, browser, page)
            guarded(sorts, browser, page)
            guarded(is_fast, browser, page)
    if not only or "tables" in only:
        check_tables(browser, program, folder)
    script = inputs.ROOT / "Sources" / "Rendering" / "Assets" / "page.js"
    size = script.stat().st_size
    check("the script has at most 10 KB", [f"{size} bytes"] if size > 10_240 else [], f"{size} bytes")


def says_nothing_of(browser, page, month, short):
    """A month without files is in no row or mark as a number."""
    browser.get(url(page))
    problems = browser.execute_script("""
        const bad = [];
        const [month, short] = arguments;
        for (const row of document.querySelectorAll('tr')) {
          const [head, ...cells] = Array.from(row.cells, cell => cell.textContent.trim());
          if ([month, short].includes(head) && cells.some(text => /\\d/.test(text)))
            bad.push([head, ...cells].join(' | '));
        }
        for (const title of document.querySelectorAll('svg title'))
          if (title.textContent.startsWith(month + ':') && /\\d/.test(title.textContent.slice(month.length)))
            bad.push(title.textContent);
        return bad""", month, short)
    check(f"{name(page)}: {month}, without files, has no number", problems)


def keeps_its_sources(whole, page):
    """A lost file changes no source of a headline number."""
    if whole.exists():
        sources = [{(row["figure"], row["source"]) for row in facts.read(place / "headlines.csv")}
                   for place in (whole, page.parent)]
        check(f"{name(page)}: sources stay as they are with lost files", sorted(sources[0] ^ sources[1]))


def guarded(function, *arguments, **named):
    """Runs checks; a page on which a check breaks off fails it."""
    try:
        function(*arguments, **named)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        problem = f"{type(error).__name__}: {str(error)[:200]} ({place.name}, line {place.lineno})"
        check(f"{name(arguments[1])}: {function.__name__}", [problem])


def main(arguments):
    pages = [pathlib.Path(argument) for argument in arguments if argument.endswith(".html")]
    worlds = {world.name for world in inputs.WORLDS} | {"tables"}
    only = [argument for argument in arguments if argument in worlds]
    programs = [argument for argument in arguments if not argument.endswith(".html") and argument not in only]
    browser = chromium.start()
    try:
        for page in pages:
            guarded(check_page, browser, page)
            if (page.parent / "headlines.csv").exists():
                guarded(tells_the_csv, browser, page)
        if not pages:
            program = pathlib.Path(programs[0] if programs else inputs.PROGRAM).resolve()
            with tempfile.TemporaryDirectory() as folder:
                check_worlds(browser, program, pathlib.Path(folder), only)
    finally:
        browser.quit()
    print(f"{len(failures)} checks failed" if failures else "all checks hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What a page is made of: its headings, tiles, sentences, tables and folds, as PAGE.md orders them."""

import re

SECTIONS = {
    "movement": "Who came and who left", "churn": "Churn, reasons and renewals", "retention": "Retention",
    "trials": "Trials", "refunds": "Refunds", "money": "Money", "prices": "Price increases",
    "settlement": "Settlement", "health": "Data health", "definitions": "What the numbers mean",
}
NOT_OF_APPS = ["prices", "settlement", "health"]
TILES = ["Active subscriptions", "Net new", "Churn", "Net proceeds", "Trials that paid"]
# Of all others more is better: PAGE.md, "First screen".
GOOD_WHEN_LESS = ["Churn"]
MOST_ROWS = 8
KEY = ["came, became paying, better", "left, refunded, worse", "how much there is", "can still change", "data missing"]

# Words of the program that are none of the reader's.
STRANGE = re.compile(
    r"\b(?:[a-z]+(?:_[a-z0-9]+)+|voluntary|billing|lapses?|cohorts?|storefronts?|bridges?|provisional|partial)\b", re.I)
FILE = re.compile(r"\S+\.(?:csv|md|json|html|txt|gz|zip)\b")
COMMAND = re.compile(r"\bsubreport [a-z]+|(?<![\w-])--[a-z][a-z-]+")
# Days and months are written in words.
ISO_DAY = re.compile(r"\b20\d\d-\d\d(?:-\d\d)?\b")

READ = """
const text = e => e ? e.textContent.replace(/\\s+/g, ' ').trim() : '';
const all = (e, query) => Array.from(e.querySelectorAll(query));
const outside = e => !e.closest('details');
const words = e => {
  const copy = e.cloneNode(true);
  all(copy, 'script, style, .files, details').forEach(part => part.remove());
  all(copy, 'p, li, td, th, h2, h3, text, title, desc, span, b, small').forEach(part => part.append(' '));
  return text(copy);
};
const own = words => words[0] || '';
const h1 = all(document, 'h1');
const status = document.querySelector('.top > .status');
return {
  titles: h1.map(e => own(Array.from(e.childNodes, text))), subtitle: text(document.querySelector('h1 > span')),
  headings: all(document, 'h1, h2, h3, h4, h5, h6').filter(outside).map(e => [Number(e.localName[1]), text(e)]),
  policy: (document.querySelector('meta[http-equiv="Content-Security-Policy"]') || {content: ''}).content,
  styled: all(document, '[style]').map(e => e.outerHTML.slice(0, 80)),
  apps: all(document, 'nav.apps > *').map(e => [e.localName, e.getAttribute('aria-current') || e.getAttribute('href')]),
  status: status && {mark: status.className, first: text(status.querySelector('b')), signs: all(status, 'b svg').length,
    second: Array.from(status.childNodes).filter(n => n.nodeType === 3).map(text).join(' ').trim(),
    links: all(status, 'a').map(a => a.getAttribute('href'))},
  tiles: all(document, 'ul.tiles > li.tile').map(e => ({
    label: text(e.querySelector('h3')), number: text(e.querySelector('p.n')), lines: all(e, '.c .y').map(text),
    parts: Array.from(e.children, part => part.localName), dots: all(e, '.spark circle').length,
    verdict: text(e.querySelector('.c .d')), tone: (e.querySelector('.c .d') || {className: ''}).className})),
  bullets: all(document, '.changed > ul > li').map(e => ({
    text: text(e), mark: e.className, begins: own(Array.from(e.childNodes, n => n.nodeName))})),
  key: all(document, 'p.key > span').map(text),
  contents: all(document, 'nav.toc a').map(a => [a.getAttribute('href'), text(a)]),
  order: all(document, 'ul.tiles, .changed, p.key, nav.toc, main > section').map(e => e.className || e.localName),
  sections: all(document, 'main > section').map(e => ({
    id: e.id, title: text(e.querySelector('h2')),
    named: e.getAttribute('aria-labelledby') === (e.querySelector('h2') || {}).id,
    leads: all(e, 'p.lead').map(text), figures: all(e, 'figure').filter(outside).length,
    pictures: all(e, 'figure').map(f => ({
      caption: text(f.querySelector('figcaption')), grids: all(f, 'table').length,
      charts: all(f, 'svg.plot').map(svg => [svg.getAttribute('role'),
        ...(svg.getAttribute('aria-labelledby') || '').split(' ').map(id => text(document.getElementById(id)))])})),
    values: all(e, 'figure svg text.val').filter(outside).map(text),
    labels: all(e, 'figure svg text:not(.ax):not(.note):not(.rl)').filter(outside).map(text),
    sides: all(e, '.side').map(side => ({titles: all(side, 'h3').map(text), notes: all(side, 'p').map(text),
      tables: all(side, 'table').map(table => all(table, 'tbody tr').map(row => Array.from(row.cells, text)))})),
    folds: all(e, 'details').map(d => ({open: d.open, summary: text(d.querySelector('summary')),
      codes: all(d, 'code').map(text).filter(code => code.startsWith('subreport ')), end: text(d.lastElementChild),
      inner: all(d, ':scope > :not(.files)').map(words).join(' ')})),
    words: words(e)})),
  top: all(document, 'header, ul.tiles, .changed, p.key, nav.toc').map(words).join(' '),
  ids: all(document, '[id]').map(e => e.id),
};"""


# PAGE.md, "Type and space": sizes in pixels at 1280 and at 390 pixels.
SIZES = {
    "h1": (30, 22), "main > section > h2": (22, 20), ".tile .n": (33, 25), ".lead": (17, 16),
    ".side table": (14, 14), "svg text.ax": (12.5, 12.5)}
SMALLEST = 12

READ_SIZES = """
const sizes = Object.fromEntries(arguments[0].map(query => [query, Array.from(document.querySelectorAll(query))
  .filter(e => e.checkVisibility()).map(e => parseFloat(getComputedStyle(e).fontSize))]));
const small = Array.from(document.querySelectorAll('body *')).filter(e => e.checkVisibility()
  && Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim())
  && parseFloat(getComputedStyle(e).fontSize) < arguments[1]).map(e => e.outerHTML.slice(0, 80));
const page = document.querySelector('.page').getBoundingClientRect();
const rows = new Set(Array.from(document.querySelectorAll('.tile'), e => Math.round(e.getBoundingClientRect().top)));
return {sizes, small, width: page.width, rows: rows.size};"""


def size_problems(found, place, width):
    """Sizes of text, the page's width, and tiles in a row at a desk and as a list below 1000 pixels."""
    for query, wanted in SIZES.items():
        sizes = set(found["sizes"][query])
        if sizes - {wanted[place]}:
            yield f"at {width}: {query} has {sorted(sizes)} pixels, not {wanted[place]}"
    yield from (f"at {width}: smaller than {SMALLEST} pixels: {text}" for text in found["small"][:3])
    if found["width"] > 1240:
        yield f"at {width}: the page is {found['width']} pixels wide"
    if found["rows"] != (1 if width >= 1000 else 5):
        yield f"at {width}: tiles are in {found['rows']} rows"


def name_of(label):
    """Returns a tile's name without its month."""
    return label.split(",")[0]


def order_problems(page, is_app):
    """The title, the order of headings and sections, and the links to them."""
    if len(page["titles"]) != 1 or not page["titles"][0]:
        yield f"h1: {page['titles']}"
    if not re.match(r"(Subscriptions|Settlements)\b", page["subtitle"]):
        yield f"below the title: {page['subtitle']!r}"
    levels = [level for level, _ in page["headings"]]
    for before, (level, text) in zip(levels, page["headings"][1:]):
        if level > before + 1:
            yield f"h{level} {text!r} follows h{before}"
    wanted = [id for id in SECTIONS if not (is_app and id in NOT_OF_APPS)]
    ids = [section["id"] for section in page["sections"]]
    if [id for id in ids if id != "apps"] != wanted:
        yield f"sections are {' '.join(ids)}"
    titles = [text for level, text in page["headings"] if level == 2]
    order = ["Key figures", "What changed"] + [SECTIONS[id] for id in wanted] + ["All apps"] * ("apps" in ids)
    if titles != order:
        yield f"h2 are {titles}"
    links = [["#" + id, SECTIONS[id]] for id in ids if id in SECTIONS]
    if page["contents"] != links:
        yield f"links to sections are {page['contents']}"
    if page["order"][:4] != ["tiles", "changed", "key", "toc"]:
        yield f"the page begins with {page['order'][:4]}"
    twice = {id for id in page["ids"] if page["ids"].count(id) > 1}
    if twice:
        yield f"ids that occur twice: {sorted(twice)[:5]}"


def first_screen_problems(page, is_app):
    """The status, five tiles and three bullets."""
    status = page["status"]
    if not status or status["mark"] not in ("status ok", "status w") or status["signs"] != 1 or not status["first"]:
        yield f"status: {status}"
    elif len(status["second"]) > 150:
        yield f"the status has {len(status['second'])} characters: {status['second']}"
    elif not is_app and status["links"] != ["#health"]:
        yield f"the status links to {status['links']}"
    if status and status["first"].endswith("is complete") != (status["mark"] == "status ok"):
        yield f"{status['mark']} says {status['first']}"
    apps = [target for _, target in page["apps"]]
    if apps and (apps.count("page") != 1 or len(apps) > 9 or len(apps) == 9 and "#apps" in apps[:-1]):
        yield f"the apps at the top are {apps}"
    # Recurring revenue takes the place of net proceeds where it is known.
    if [name_of(tile["label"]).replace("Recurring revenue", "Net proceeds") for tile in page["tiles"]] != TILES:
        yield f"tiles are {[tile['label'] for tile in page['tiles']]}"
    for tile in page["tiles"]:
        parts = ["h3", "p", "div"] if tile["number"] == "no data" else ["h3", "p", "svg", "div"]
        if tile["parts"] != parts or not tile["number"]:
            yield f"{tile['label']}: {tile['parts']} {tile['number']!r}"
        if not re.fullmatch(r"[^\d]*\d[\d,]*(\.\d+)?%?( of [\d,]+)?( [A-Z]{3})?( so far)?|no data", tile["number"]):
            yield f"{tile['label']}: the number is {tile['number']!r}"
        yield from verdict_problems(tile)
    if len(page["bullets"]) != 3:
        yield f"{len(page['bullets'])} bullets"
    for bullet in page["bullets"]:
        if bullet["begins"] != "B" or bullet["mark"] not in ("", "o", "i", "w") or not bullet["text"].endswith("."):
            yield f"bullet {bullet['text']!r} ({bullet['mark']})"
    if page["key"][:5] != KEY:
        yield f"the key says {page['key']}"


def verdict_problems(tile):
    """Sign, word and colour of a verdict say the same."""
    text, tone = tile["verdict"], tile["tone"].removeprefix("d ")
    found = re.fullmatch(r"([▲▼]) (.+), (better|worse)", text)
    if found:
        is_good = (found[1] == "▲") != (name_of(tile["label"]) in GOOD_WHEN_LESS)
        if (found[3] == "better") != is_good or tone != ("good" if is_good else "bad"):
            yield f"{tile['label']}: {text} in the colour of {tone}"
    elif text and (tone != "flat" or not re.fullmatch(
            r"≈ \S+ points, may be chance|Too few to compare|incomplete|not all seen yet|no change", text)):
        yield f"{tile['label']}: {text!r} in the colour of {tone}"


def section_problems(page):
    """Each section has a sentence, at most one figure, one side table and one fold; only the last has two folds."""
    for section in page["sections"]:
        where = section["id"]
        if where == "apps":
            continue
        if not section["named"] or section["title"] != SECTIONS.get(where):
            yield f"{where}: {section['title']}"
        if len(section["leads"]) != (where != "definitions"):
            yield f"{where}: {len(section['leads'])} sentences"
        for lead in section["leads"]:
            count = len(sentences(lead))
            # A limit of the sentence that PAGE.md itself adds where a rate had another value at the same age.
            most = 2 + ("at this age and is at" in lead) + (where == "health")
            if not lead.endswith(".") or count > most:
                yield f"{where}: {count} sentences: {lead}"
        if section["figures"] > 1 or len(section["sides"]) > 1:
            yield f"{where}: {section['figures']} figures and {len(section['sides'])} sides"
        # What the numbers mean has one for our words and one for those of other tools.
        if len(section["folds"]) > 1 + (where == "definitions") or any(fold["open"] for fold in section["folds"]):
            yield f"{where}: {len(section['folds'])} folds, or an open one"
        for picture in section["pictures"]:
            yield from picture_problems(where, picture)
        for side in section["sides"]:
            yield from side_problems(where, side)
        for fold in section["folds"]:
            if len(fold["codes"]) > 1:
                yield f"{where}: {len(fold['codes'])} commands"
            if where not in ("health", "definitions") and fold["codes"] and (
                    not re.match(r"Every row behind it( \([A-Z]{3} alone\))?: subreport explain ", fold["end"])):
                yield f"{where}: the fold ends with {fold['end']!r}"


def sentences(text):
    """Splits a text into sentences."""
    return re.split(r"(?<=[.!?]) (?=[A-Z0-9])", text)


def picture_problems(where, picture):
    """A figure is a chart with a title and a description in words, or a table."""
    if len(picture["charts"]) + picture["grids"] != 1 or not picture["caption"]:
        yield f"{where}: a figure of {len(picture['charts'])} charts and {picture['grids']} tables"
    for role, *words in picture["charts"]:
        if role != "img" or len(words) != 2 or len(words[0]) < 5 or len(words[1]) < 15:
            yield f"{where}: a chart with role {role} is described as {words}"


def side_problems(where, side):
    """A side table has at most 8 rows, and one more for the rest."""
    if not side["titles"]:
        yield f"{where}: the side has no title"
    for rows in side["tables"]:
        if len(rows) > MOST_ROWS and not (len(rows) == MOST_ROWS + 1 and re.match(r"\d+ more, together", rows[-1][0])):
            yield f"{where}: a side table has {len(rows)} rows, the last {rows[-1]}"


def word_problems(page, names):
    """No name of a column, no file, no command and no word of the program but on the last lines of folds.

    `names` are the names of products and apps, which may have any words.
    """
    texts = [("first screen", page["top"], False)]
    for section in page["sections"]:
        texts.append((section["id"], section["words"], False))
        texts += [(section["id"] + ", folded", fold["inner"], True) for fold in section["folds"]]
    for place, text, is_folded in texts:
        for name in names:
            text = text.replace(name, "")
        # Files and what they lack are what the fold of the health is about.
        is_about_files = is_folded and place.startswith("health")
        patterns = [STRANGE, ISO_DAY] + ([] if is_about_files else [FILE, COMMAND])
        found = {word for pattern in patterns for word in pattern.findall(text)}
        if is_about_files:
            found = {word for word in found if "_" not in word}
        if found:
            yield f"{place}: {', '.join(sorted(found))}"


def policy_problems(page):
    """The page forbids everything but its own style and script, and nothing has a style of its own."""
    for part in ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "style-src 'sha256-"]:
        if part not in page["policy"]:
            yield f"the policy lacks {part}: {page['policy']}"
    if "unsafe" in page["policy"]:
        yield page["policy"]
    yield from (f"has a style attribute: {text}" for text in page["styled"])

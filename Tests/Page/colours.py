"""The colours of the page: each is one of the table in PAGE.md, and stands out against what it lies on."""

LIGHT = {
    "in": "00746a", "out": "b3400d", "o2": "d06f36", "o3": "eab08a", "lv": "2b4a6f", "unk": "77838f",
    "h1": "e6edf4", "h2": "cbd9e7", "h3": "a9c1d8", "h4": "7fa1c2", "h5": "45709a", "h6": "2b4a6f",
    "warn": "8a5a00", "warnln": "b87708", "warnbg": "fff3d1", "bg": "ffffff", "sf": "f4f6f8",
    "line": "d5dbe1", "ink": "14202b", "ink2": "465462", "ax": "5a6774", "link": "1f5fa8",
}
DARK = {
    "in": "46c2b2", "out": "ff9a68", "o2": "d0703c", "o3": "8f4e2c", "lv": "a3c4e6", "unk": "76838f",
    "h1": "1b2733", "h2": "22364a", "h3": "2d4b69", "h4": "3f678f", "h5": "6f9dc9", "h6": "a3c4e6",
    "warn": "ffd479", "warnln": "c79a35", "warnbg": "33290f", "bg": "0f151b", "sf": "182029",
    "line": "33404d", "ink": "eef2f6", "ink2": "b9c4cf", "ax": "9dabb8", "link": "8fc0f5",
}
SCHEMES = {"light": LIGHT, "dark": DARK}

# Texts on the grid of retention: on the first steps, and from a step on.
GRID_TEXTS = {"light": ("14202b", 5, "ffffff"), "dark": ("ffffff", 5, "06121f")}

TEXTS = ["ink", "ink2", "ax", "link", "in", "out", "warn"]
MARKS = ["in", "out", "o2", "o3", "lv", "unk", "warnln", "h3", "h5", "ink", "ax"]
GROUNDS = ["bg", "sf", "warnbg", "line"]

# What a class of the page says with its colour.
MEANINGS = {
    ".good": ("color", "in"), ".bad": ("color", "out"), ".flat": ("color", "ink2"),
    ".status.ok b": ("color", "in"), ".status.w b": ("color", "warn"),
    ".status.ok": ("borderLeftColor", "in"), ".status.w": ("backgroundColor", "warnbg"),
    "rect.f-in": ("fill", "in"), "rect.f-out": ("fill", "out"), "rect.f-o2": ("fill", "o2"),
    "rect.f-o3": ("fill", "o3"), "rect.f-lv": ("fill", "lv"), "rect.f-unk": ("fill", "unk"),
    "rect.f-wa": ("fill", "warnln"), "path.band": ("fill", "lv"), "path.ln": ("stroke", "lv"),
    "path.sp": ("stroke", "unk"),
}

# Each colour that is drawn: what it colours, in which kind of place, with which opacity, and on which ground.
READ = """
const found = new Map();
const shapes = ['rect', 'circle', 'path', 'line', 'polyline', 'polygon', 'ellipse'];
const rgb = text => (text.match(/rgba?\\([^)]*\\)/g) || []).filter(c => !/, 0\\)$/.test(c));
const ground = e => {
  for (let at = e; at; at = at.parentElement) {
    const colour = rgb(getComputedStyle(at).backgroundColor)[0];
    if (colour) return colour;
  }
  return '';
};
const name = e => e.localName + Array.from(e.classList, c => '.' + c).join('');
const note = (e, kind, text, opacity) => {
  for (const colour of rgb(text)) {
    const on = kind === 'ground' ? '' : ground(e);
    found.set([name(e), kind, colour, opacity, on].join('|'),
      {name: name(e), kind, colour, opacity, on, words: e.textContent.trim().slice(0, 30)});
  }
};
for (const e of document.querySelectorAll('body, body *')) {
  const style = getComputedStyle(e);
  if (style.display === 'none' || ['script', 'style', 'title', 'desc'].includes(e.localName)) continue;
  const opacity = Number(style.opacity);
  const hasText = Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim());
  if (shapes.includes(e.localName)) {
    const hidden = e.closest('defs') ? 'pattern' : 'mark';
    if (e.localName !== 'line') note(e, hidden, style.fill, opacity * Number(style.fillOpacity));
    if (parseFloat(style.strokeWidth) > 0) note(e, 'edge', style.stroke, opacity * Number(style.strokeOpacity));
    continue;
  }
  if (['text', 'tspan'].includes(e.localName)) {
    note(e, 'text', style.fill, opacity);
    continue;
  }
  if (hasText) note(e, 'text', style.color, opacity);
  note(e, 'ground', style.backgroundColor, opacity);
  if (style.backgroundImage !== 'none') note(e, 'ground', style.backgroundImage, opacity);
  for (const side of ['Top', 'Right', 'Bottom', 'Left'])
    if (parseFloat(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== 'none')
      note(e, 'rule', style[`border${side}Color`], opacity);
  for (const pseudo of ['::before', '::after']) {
    const own = getComputedStyle(e, pseudo);
    if (own.content !== 'none' && own.content !== 'normal') note(e, 'dot', own.backgroundColor, opacity);
  }
}
return Array.from(found.values());"""

READ_MEANINGS = """
return arguments[0].flatMap(([query, property]) =>
  Array.from(document.querySelectorAll(query), e => [query, getComputedStyle(e)[property]])
    .filter((one, at, all) => all.findIndex(other => other[1] === one[1]) === at))"""

READ_TOKENS = """
const style = getComputedStyle(document.documentElement);
return Object.fromEntries(arguments[0].map(name => [name, style.getPropertyValue('--' + name).trim()]))"""


def hexadecimal(text):
    """Returns `rgb(0, 116, 106)`, `#00746a` or `#fff` as `00746a`; a colour that shines through keeps its words."""
    if text.startswith("#"):
        digits = text[1:].lower()
        return "".join(digit * 2 for digit in digits) if len(digits) == 3 else digits
    parts = text[text.index("(") + 1:-1].split(",")
    if len(parts) == 4 and float(parts[3]) != 1:
        return text
    return "".join(f"{int(part):02x}" for part in parts[:3])


def luminance(colour):
    """Returns the relative luminance of WCAG."""
    parts = [int(colour[at:at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """Returns the contrast of two colours, from 1 to 21."""
    dark, light = sorted([luminance(one), luminance(other)])
    return (light + 0.05) / (dark + 0.05)


def token_problems(browser, scheme):
    """Compares the colours that the page names with the table, and computes their contrast."""
    table = SCHEMES[scheme]
    own = {name: hexadecimal(text) for name, text in browser.execute_script(READ_TOKENS, list(table)).items() if text}
    problems = [
        f"--{name} is {own.get(name, 'missing')}, not {colour}" for name, colour in table.items()
        if own.get(name) != colour]
    pairs = [(text, ground, 4.5) for text in TEXTS[:-1] for ground in ("bg", "sf")]
    pairs += [(text, "warnbg", 4.5) for text in ("ink", "warn", "link")]
    # The third part of what takes away has an edge in the colour of the first.
    pairs += [(mark, ground, 3) for mark in ("in", "out", "o2", "lv", "unk", "warnln") for ground in ("bg", "sf")]
    low = [(one, other, contrast(own[one], own[other]), least) for one, other, least in pairs
           if one in own and other in own]
    problems += [f"{one} on {other}: {ratio:.2f} to 1" for one, other, ratio, least in low if ratio < least]
    first, step, second = GRID_TEXTS[scheme]
    for number in range(1, 7):
        ratio = contrast(own.get(f"h{number}", "ffffff"), second if number >= step else first)
        if ratio < 4.5:
            problems.append(f"text on h{number}: {ratio:.2f} to 1")
    return problems


def drawn_problems(browser, scheme):
    """Looks at each colour that is drawn."""
    table = SCHEMES[scheme]
    grid = {GRID_TEXTS[scheme][0], GRID_TEXTS[scheme][2]}
    allowed = {
        "text": {table[name] for name in TEXTS} | grid, "ground": set(table.values()),
        "mark": {table[name] for name in MARKS + GROUNDS}, "edge": {table[name] for name in MARKS + GROUNDS},
        "rule": {table[name] for name in ("line", "warnln", "in", "lv", "unk", "out", "h5")},
        "dot": {table[name] for name in ("lv", "in", "out", "warnln")}, "pattern": {table["line"], table["bg"]},
    }
    seen = browser.execute_script(READ)
    problems = []
    for one in seen:
        colour, where = hexadecimal(one["colour"]), f"{one['name']} ({one['kind']}, {one['words']!r})"
        if colour not in allowed[one["kind"]]:
            problems.append(f"{where} is {colour}")
        elif one["opacity"] != 1 and (one["opacity"] != 0.15 or colour != table["lv"]):
            problems.append(f"{where} has opacity {one['opacity']:g}")
        elif one["kind"] == "text" and one["on"]:
            ratio = contrast(colour, hexadecimal(one["on"]))
            if ratio < 4.5:
                problems.append(f"{where} on {hexadecimal(one['on'])}: {ratio:.2f} to 1")
    wanted = [[query, kind] for query, (kind, _) in MEANINGS.items()]
    for query, colour in browser.execute_script(READ_MEANINGS, wanted):
        if colour and "(" in colour and hexadecimal(colour) != table[MEANINGS[query][1]]:
            problems.append(f"{query} is {hexadecimal(colour)}, not {MEANINGS[query][1]}")
    return problems, len(seen)

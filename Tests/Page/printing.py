"""Prints a page, and finds its figures on paper by the positions of their words."""

import html
import re
import subprocess
import tempfile

# The printed texts of each figure in the order of drawing; upright ones are spelled from the bottom up.
READ = """
return Array.from(document.querySelectorAll('figure')).filter(figure => figure.getClientRects().length)
  .map(figure => ({
    title: figure.querySelector('figcaption b').textContent,
    texts: Array.from(figure.querySelectorAll('svg text:not(.vt), td, tbody th b'))
      .filter(e => e.getClientRects().length).map(text => text.textContent),
  }))"""

# Tiles in one row, folds and links to sections left out, and the colours of the page.
READ_LAYOUT = """
const tops = Array.from(document.querySelectorAll('.tile'), tile => Math.round(tile.getBoundingClientRect().top));
const shown = Array.from(document.querySelectorAll('details, nav, #apps')).filter(e => e.getClientRects().length);
return {
  tops, shown: shown.map(e => e.outerHTML.slice(0, 60)),
  size: getComputedStyle(document.body).fontSize, ground: getComputedStyle(document.body).backgroundColor,
}"""

PAPER = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}
# The width between the margins of 13 mm in pixels of 1/96 inch.
WIDTHS = {name: round((width - 26 / 25.4) * 96) for name, (width, _) in PAPER.items()}


def letters(text):
    """Returns the text without spaces and marks of direction, which a PDF may have or not."""
    return re.sub(r"[\s\u00a0\u2066-\u2069\u200b-\u200f\u202a-\u202e\u00ad]", "", text)


def pages(pdf):
    """Returns the width of each page of a PDF, and its words with their right ends, in the order of drawing."""
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        found = subprocess.run(
            ["pdftotext", "-raw", "-bbox", file.name, "-"], check=True, capture_output=True, text=True)
    printed = []
    for width, page in re.findall(r'<page width="([0-9.]+)"(.*?)</page>', found.stdout, re.S):
        words = re.findall(r'<word [^>]*xMax="([0-9.-]+)"[^>]*>(.*?)</word>', page)
        printed.append((float(width), [(float(right), html.unescape(word)) for right, word in words]))
    return printed


def beyond_the_edge(printed):
    """Returns the words that end outside of their page, or in the last 20 of its points, where printers fail."""
    return [
        f"page {number}: {word} ends at {right:.0f} of {width:.0f} points"
        for number, (width, words) in enumerate(printed, 1) for right, word in words if right > width - 20]


def cut_figures(figures, printed):
    """Returns the figures whose title and labels are on different pages, or that are not printed."""
    texts = ["".join(letters(word) for _, word in words) for _, words in printed]
    page, cut = 0, []
    for figure in figures:
        title = letters(figure["title"])
        found = next((number for number in range(page, len(texts)) if title in texts[number]), None)
        if found is None:
            cut.append(figure["title"] + " (not printed)")
            continue
        page = found
        rest = texts[page][texts[page].index(title):]
        missing = [label for label in map(letters, figure["texts"]) if label not in rest]
        if missing:
            cut.append(f"{figure['title']} (page {page + 1} lacks {', '.join(missing[:3])})")
    return cut

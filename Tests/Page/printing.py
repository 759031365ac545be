"""Finds figures in a printed page by the positions of its words."""

import html
import re
import subprocess
import tempfile

# The visible texts of each figure in the order of drawing, and its title.
READ = """
return Array.from(document.querySelectorAll('figure'), figure => ({
  title: figure.querySelector('h3').textContent,
  texts: Array.from(figure.querySelectorAll('svg text'), text =>
    Array.from(text.childNodes).filter(n => n.nodeName !== 'title').map(n => n.textContent).join('')),
}))"""

PAPER = {"A4": (8.27, 11.69), "Letter": (8.5, 11)}


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
        f"page {number}: {word}" for number, (width, words) in enumerate(printed, 1)
        for right, word in words if right > width - 20]


def cut_figures(figures, printed):
    """Returns the figures whose title and last label are on different pages, or that are not printed."""
    text = "\f".join("".join(letters(word) for _, word in words) for _, words in printed)
    place, cut = 0, []
    for figure in figures:
        start = text.find(letters(figure["title"]), place)
        if start < 0:
            cut.append(figure["title"] + " (not printed)")
            continue
        place = start + len(letters(figure["title"]))
        missing = None
        for label in filter(None, map(letters, figure["texts"])):
            end = text.find(label, place)
            if end < 0:
                missing = label
                break
            place = end + len(label)
        if missing:
            cut.append(f"{figure['title']} (without {missing})")
        elif "\f" in text[start:place]:
            cut.append(figure["title"])
    return cut

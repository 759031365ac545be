"""Starts Chromium without a window, and asks it what a page shows."""

import base64
import importlib.util
import json
import os
import pathlib
import shutil
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# PAGE.md measures heights in DejaVu Sans, the widest of the page's fonts.
FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>/usr/share/fonts/truetype/dejavu</dir>
  <cachedir>{folder}</cachedir>
  <match target="pattern">
    <test name="family" compare="not_contains"><string>monospace</string></test>
    <edit name="family" mode="assign" binding="strong"><string>DejaVu Sans</string></edit>
  </match>
</fontconfig>
"""


def start():
    """Returns a browser that keeps its console's messages and the network's events."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "fonts.conf").write_text(FONTS.format(folder=folder))
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    service = Service(
        shutil.which("chromedriver"), env={**os.environ, "FONTCONFIG_FILE": str(folder / "fonts.conf")})
    driver = webdriver.Chrome(options=options, service=service)
    # A loaded machine needs more than the 30 seconds that are usual.
    driver.set_script_timeout(300)
    return driver


def resize(browser, width, height=900):
    """Gives the page a size in pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def show(browser, scheme, medium=""):
    """Tells the page that its reader prefers light or dark, and perhaps that it is printed."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})


def scripting(browser, is_on):
    """Lets the next pages run scripts, or not; questions of the test are answered in any case."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not is_on})


def messages(browser):
    """Returns the console's messages since the last call."""
    return [entry["message"] for entry in browser.get_log("browser")]


def requests(browser):
    """Returns the addresses asked for since the last call, other than data in the page itself."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [
        event["params"]["request"]["url"] for event in events
        if event["method"] == "Network.requestWillBeSent"]
    return [url for url in urls if not url.startswith("data:")]


def open_folded(browser):
    """Opens all folded parts."""
    browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")


def axe(browser):
    """Returns what axe finds on the page."""
    package = pathlib.Path(importlib.util.find_spec("axe_playwright_python").origin).parent
    browser.execute_script((package / "axe.min.js").read_text(encoding="utf-8") + "; window.axe = axe")
    return browser.execute_async_script("axe.run().then(arguments[0])")


def fonts(browser):
    """Returns the names of the fonts in which the title and the first tile are drawn."""
    root = browser.execute_cdp_cmd("DOM.getDocument", {})["root"]["nodeId"]
    browser.execute_cdp_cmd("CSS.enable", {})
    names = set()
    for selector in ["h1", ".lead"]:
        node = browser.execute_cdp_cmd("DOM.querySelector", {"nodeId": root, "selector": selector})
        if node["nodeId"]:
            used = browser.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node["nodeId"]})
            names |= {font["familyName"] for font in used["fonts"]}
    return names


def pdf(browser, width, height):
    """Returns the page as a PDF on paper of a size in inches."""
    printed = browser.execute_cdp_cmd(
        "Page.printToPDF",
        {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": False, "printBackground": True})
    return base64.b64decode(printed["data"])

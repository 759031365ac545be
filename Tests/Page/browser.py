"""Starts Chromium without a window, and asks it what a page shows."""

import base64
import json
import shutil

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def start():
    """Returns a browser that keeps its console's messages and the network's events."""
    options = Options()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    # A loaded machine needs more than the 30 seconds that are usual.
    driver.set_script_timeout(120)
    return driver


def resize(browser, width, height=900):
    """Gives the page a size in pixels."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def colours(browser, scheme):
    """Tells the page that its reader prefers light or dark."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


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


def pdf(browser, width, height):
    """Returns the page as a PDF on paper of a size in inches."""
    printed = browser.execute_cdp_cmd(
        "Page.printToPDF",
        {"paperWidth": width, "paperHeight": height, "preferCSSPageSize": False,
         "printBackground": False})
    return base64.b64decode(printed["data"])

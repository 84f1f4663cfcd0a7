"""Chromium for the tests of pages. They are skipped where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = webdriver.Keys
Select = pytest.importorskip("selenium.webdriver.support.select").Select
BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
IN_BROWSER = [
    pytest.mark.slow,
    pytest.mark.skipif(not (BROWSER and DRIVER), reason="there is no Chromium"),
]


@contextmanager
def start_chromium() -> Iterator["webdriver.Chrome"]:
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER)) as driver:
        yield driver


def press(chrome: "webdriver.Chrome", *keys: str) -> None:
    for key in keys:
        webdriver.ActionChains(chrome).send_keys(key).perform()


def choose_scheme(chrome: "webdriver.Chrome", scheme: str) -> None:
    """Let pages be light or dark."""
    feature = {"name": "prefers-color-scheme", "value": scheme}
    chrome.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})


def brightness(chrome: "webdriver.Chrome", selector: str, name: str) -> float:
    """The relative luminance of a colour (WCAG 2)."""
    colour = chrome.find_element(By.CSS_SELECTOR, selector).value_of_css_property(name)
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: float, other: float) -> float:
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)

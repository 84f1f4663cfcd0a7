"""The built site: no dead link, nothing from another host, nothing that is wider than the page."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
import srsly

from tests.browser import IN_BROWSER, By, brightness, choose_scheme, start_chromium

ROOT = Path(__file__).parents[2]
REPOSITORY = "https://example.org/us"
WIDTHS = (1280, 390)
# What is wider than the page, and has nothing around it that scrolls.
CUT_OFF = """
const width = document.documentElement.clientWidth;
const scrolls = (e) => e && (["auto", "scroll"].includes(getComputedStyle(e).overflowX)
    || e.tagName === "svg" || scrolls(e.parentElement));
return [document.documentElement, ...document.querySelectorAll(".md-content *")].filter((e) =>
    (e === document.documentElement ? e.scrollWidth : e.getBoundingClientRect().right) > width + 1
    && !scrolls(e.parentElement)
).map((e) => e.outerHTML.slice(0, 100));
"""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `mkdocs build --strict` makes it; with --quiet it would see no warnings."""
    mkdocs = shutil.which("mkdocs", path=Path(sys.executable).parent) or shutil.which("mkdocs")
    if mkdocs is None:
        pytest.skip("mkdocs is not installed")
    folder = tmp_path_factory.mktemp("built").resolve() / "site"
    run = subprocess.run(
        [mkdocs, "build", "--strict", "--site-dir", str(folder)], cwd=ROOT, check=False,
        env={**os.environ, "REPOSITORY": f"{REPOSITORY}/"}, capture_output=True, text=True,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return folder


class Page(HTMLParser):
    """What a page of HTML links to, loads, and can be linked to."""

    def __init__(self, html: str):
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif value and name in ("href", "src"):
                self.links.append(value)
                if name == "src" or tag == "link":
                    self.loaded.append(value)
            elif value and name == "srcdoc":
                self.loaded += Page(value).loaded


def pages_of(site: Path) -> dict[Path, Page]:
    return {page: Page(page.read_text(encoding="utf8"))
            for page in site.rglob("*.html") if page.name != "404.html"}


def is_elsewhere(link: str) -> bool:
    parts = urlsplit(link)
    return bool(parts.netloc or (parts.scheme and parts.scheme != "data"))


def dead_links(site: Path) -> Iterator[str]:
    pages = pages_of(site)
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            anchors = pages[target].anchors if target in pages else {parts.fragment}
            if not target.exists() or (parts.fragment and unquote(parts.fragment) not in anchors):
                yield f"{page.relative_to(site)}: {link}"


def loaded_from_elsewhere(site: Path) -> Iterator[str]:
    for page, found in pages_of(site).items():
        yield from (f"{page.relative_to(site)}: {link}" for link in found.loaded
                    if is_elsewhere(link))
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf8")
        if "@import" in text or "url(http" in text or "url(//" in text:
            yield str(sheet.relative_to(site))


def test_no_link_is_dead(site: Path) -> None:
    assert [*dead_links(site)] == []


def test_nothing_is_loaded_from_another_host(site: Path) -> None:
    assert [*loaded_from_elsewhere(site)] == []


def test_faults_are_seen(tmp_path: Path) -> None:
    tmp_path = tmp_path.resolve()
    (tmp_path / "index.html").write_text(
        '<a href="#a">a</a><a id="b" href="c/">c</a><a href="https://x.org">x</a>'
        '<script src="https://x.org/x.js"></script><link rel="stylesheet" href="//x.org/x.css">'
        '<iframe srcdoc="&lt;img src=&quot;http://x.org/x.png&quot;&gt;"></iframe>'
    )
    (tmp_path / "a.css").write_text("a { background: url(https://x.org/x.png) }")
    assert [*dead_links(tmp_path)] == ["index.html: #a", "index.html: c/"]
    assert [*loaded_from_elsewhere(tmp_path)] == [
        "index.html: https://x.org/x.js", "index.html: //x.org/x.css",
        "index.html: http://x.org/x.png", "a.css",
    ]


def test_no_star_behind_a_figure_begins_an_emphasis(site: Path) -> None:
    emphasis = re.compile(r".{0,20}[0-9*]<(em|strong)>.{0,20}")
    found = {
        page.relative_to(site): match[0]
        for page in site.rglob("*.html")
        if (match := emphasis.search(page.read_text(encoding="utf8")))
    }
    assert found == {}


def test_a_page_has_what_a_reader_expects(site: Path) -> None:
    html = (site / "training" / "index.html").read_text(encoding="utf8")
    assert f'href="{REPOSITORY}/edit/main/docs/training.md"' in html
    assert 'class="md-footer__link md-footer__link--prev"' in html
    assert 'class="md-footer__link md-footer__link--next"' in html
    assert html.count('name="__palette"') == 2 and "content.code.copy" in html
    front = (site / "index.html").read_text(encoding="utf8")
    assert "What it is better at" in front and f"{REPOSITORY}/blob/main/CONTRIBUTING.md" in front
    assert "<svg" in (site / "see_into_a_parse" / "index.html").read_text(encoding="utf8")


def test_there_are_four_sections_and_each_page_is_in_one(site: Path) -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf8")
    text = config.partition("\nnav:\n")[2].partition("\nextra_css")[0]
    nav = srsly.yaml_loads(text)
    assert [name for section in nav for name in section] == [
        "Start", "Guides", "Reference", "Research"
    ]
    named = [page for section in nav for pages in section.values()
             for entry in pages for page in entry.values()]
    assert sorted(named) == sorted({*named})
    assert {*named} == {
        path.with_suffix(".md").name for pattern in ("*.md", "*.ipynb")
        for path in (ROOT / "docs").glob(pattern)
    }


@IN_BROWSER[1]
def test_the_derivation_of_the_notebook_is_drawn(site: Path) -> None:
    with start_chromium() as chrome:
        chrome.get((site / "see_into_a_parse" / "index.html").as_uri())
        chrome.switch_to.frame(chrome.find_element(By.TAG_NAME, "iframe"))
        drawings = [drawing.text for drawing in chrome.find_elements(By.TAG_NAME, "svg")]
        assert any("telescope" in drawing for drawing in drawings)


@pytest.mark.parametrize("width", WIDTHS)
@IN_BROWSER[1]
def test_no_page_is_cut_off(site: Path, width: int) -> None:
    with start_chromium() as chrome:
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500,
        })
        for scheme in ("light", "dark"):
            choose_scheme(chrome, scheme)
            chrome.get((site / "index.html").as_uri())
            chrome.execute_script("localStorage.clear()")     # the scheme that was seen last
            for page in sorted(site.rglob("index.html")):
                chrome.get(page.as_uri())
                assert chrome.execute_script(CUT_OFF) == [], page.relative_to(site)
                is_dark = brightness(chrome, "body", "background-color") < 0.2
                assert is_dark == (scheme == "dark")

"""No link of the documentation is dead, neither in the repository nor in the built site."""

import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from scripts.docs_links import as_seen_from_docs, without_outside_links

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md")])
CODE = re.compile(r"^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def headings_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as Markdown's extension `toc` makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf8"), flags=re.DOTALL | re.M)
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    ascii_only = [unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
                  for heading in plain]
    words = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in ascii_only]
    return {re.sub(r"[-\s]+", "-", heading) for heading in words}


def links_of(markdown: str) -> list[str]:
    return [link for link in LINK.findall(CODE.sub("", markdown)) if not urlsplit(link).scheme]


def is_dead(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / unquote(path)) if path else page
    return not target.exists() or bool(
        anchor and target.suffix == ".md" and anchor not in headings_of(target)
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_of_a_page_have_targets(page: Path) -> None:
    links = links_of(page.read_text(encoding="utf8"))
    assert [link for link in links if is_dead(page, link)] == []


def test_dead_links_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# One `two`\n[a](page.md#one-two) [b](#three) [c](none.md) `[d](none.md)`\n")
    links = links_of(page.read_text())
    assert [link for link in links if is_dead(page, link)] == ["#three", "none.md"]


def test_the_site_links_to_no_file_outside_it() -> None:
    text = "[project.yml](../project.yml), [here](training.md)"
    assert without_outside_links(text, None) == "project.yml, [here](training.md)"
    assert without_outside_links(text, "https://example.org/us/") == (
        "[project.yml](https://example.org/us/blob/main/project.yml), [here](training.md)"
    )


def test_the_readme_is_a_page_of_the_site() -> None:
    text = "[a](docs/a.md#b), [licence](LICENSE), [spaCy](https://spacy.io), ![c](docs/c.svg)"
    assert as_seen_from_docs(text) == (
        "[a](a.md#b), [licence](../LICENSE), [spaCy](https://spacy.io), ![c](c.svg)"
    )


class Links(HTMLParser):
    """The links of a page of HTML, and the anchors that it has."""

    def __init__(self, page: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def dead_links_of_site(site: Path) -> Iterator[str]:
    pages = {page: Links(page) for page in site.rglob("*.html") if page.name != "404.html"}
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


@pytest.mark.slow
def test_the_built_site_has_no_dead_links(tmp_path: Path) -> None:
    mkdocs = Path(sys.executable).parent / "mkdocs"
    if not mkdocs.exists() and shutil.which("mkdocs") is None:
        pytest.skip("mkdocs is not installed")
    site = tmp_path.resolve() / "site"
    command = str(mkdocs) if mkdocs.exists() else "mkdocs"
    subprocess.run([command, "build", "--strict", "--quiet", "--site-dir", str(site)],
                   cwd=ROOT, check=True)
    assert [*dead_links_of_site(site)] == []

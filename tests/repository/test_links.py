"""No link of the documentation is dead in the repository, nor where a page stands on the site."""

import re
import unicodedata
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
    assert without_outside_links(text, "") == "project.yml, [here](training.md)"
    assert without_outside_links(text, "https://example.org/us") == (
        "[project.yml](https://example.org/us/blob/main/project.yml), [here](training.md)"
    )


def test_the_readme_is_a_page_of_the_site() -> None:
    text = "[a](docs/a.md#b), [licence](LICENSE), [spaCy](https://spacy.io), ![c](docs/c.svg)"
    assert as_seen_from_docs(text) == (
        "[a](a.md#b), [licence](../LICENSE), [spaCy](https://spacy.io), ![c](c.svg)"
    )

"""A hook of mkdocs: the README as the site's first page, and links to files that are no pages.

In the repository `[project.yml](../project.yml)` works as it is. The site does not have that file:
there it is a link to the repository if mkdocs.yml has a `repo_url`, and otherwise the name alone.
"""

import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")
RELATIVE = re.compile(r"\]\((?!\w+:)")


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Replace the links of a page to files outside docs; the first page is the README."""
    if page.file.src_uri == "index.md":
        markdown = as_seen_from_docs(README.read_text(encoding="utf8"))
    return without_outside_links(markdown, config.repo_url)


def as_seen_from_docs(markdown: str) -> str:
    """The Markdown of a page that lies beside the folder docs, with links as from inside it."""
    return RELATIVE.sub("](../", markdown).replace("](../docs/", "](")


def without_outside_links(markdown: str, repo_url: str | None) -> str:
    """The same Markdown, in which no link leaves docs but to a repository, if there is one."""
    if not repo_url:
        return OUTSIDE.sub(r"\1", markdown)
    return OUTSIDE.sub(rf"[\1]({repo_url.rstrip('/')}/blob/main/\2)", markdown)

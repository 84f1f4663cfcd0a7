"""A hook of mkdocs: links of pages to files of the repository that are no pages.

In the repository `[project.yml](../project.yml)` works as it is. The site does not have that file:
there it is a link to the repository if mkdocs.yml has a `repo_url`, and otherwise the name alone.
"""

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def on_page_markdown(markdown: str, config: Any, **_: Any) -> str:
    """Replace the links of a page to files outside docs."""
    return without_outside_links(markdown, config.repo_url)


def without_outside_links(markdown: str, repo_url: str | None) -> str:
    """The same Markdown, in which no link leaves docs but to a repository, if there is one."""
    if not repo_url:
        return OUTSIDE.sub(r"\1", markdown)
    return OUTSIDE.sub(rf"[\1]({repo_url.rstrip('/')}/blob/main/\2)", markdown)

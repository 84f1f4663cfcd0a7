"""A hook of mkdocs: the README as the site's first page, and links to files that are no pages.

In the repository `[project.yml](../project.yml)` works as it is. The site does not have that file:
there it is a link to the public repository, and where none is known the name alone. The repository
is `extra.repository` of mkdocs.yml, or the one whose workflow of GitHub builds the site. It also
gives each page a link to edit it.
"""

import os
import re
from pathlib import Path
from typing import Any

README = Path(__file__).parents[1] / "README.md"
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")
RELATIVE = re.compile(r"\]\((?!\w+:)")


def on_config(config: Any) -> Any:
    """Find the repository, and where its pages can be edited.

    This is not mkdocs' `repo_url`, for which the theme asks GitHub how many stars there are.
    """
    github = "{GITHUB_SERVER_URL}/{GITHUB_REPOSITORY}".format_map(os.environ) if (
        "GITHUB_REPOSITORY" in os.environ) else ""
    config.extra["repository"] = (config.extra.get("repository") or github).rstrip("/")
    if config.extra["repository"]:
        config.edit_uri = f"{config.extra['repository']}/edit/main/docs/"
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, **_: Any) -> str:
    """Replace the links of a page to files outside docs; the first page is the README."""
    if page.file.src_uri == "index.md":
        markdown = as_seen_from_docs(README.read_text(encoding="utf8"))
    return without_outside_links(markdown, config.extra["repository"])


def as_seen_from_docs(markdown: str) -> str:
    """The Markdown of a page that lies beside the folder docs, with links as from inside it."""
    return RELATIVE.sub("](../", markdown).replace("](../docs/", "](")


def without_outside_links(markdown: str, repository: str) -> str:
    """The same Markdown, in which no link leaves docs but to a repository, if there is one."""
    if not repository:
        return OUTSIDE.sub(r"\1", markdown)
    return OUTSIDE.sub(rf"[\1]({repository}/blob/main/\2)", markdown)

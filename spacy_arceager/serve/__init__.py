"""A page and a JSON API that parse for a browser or a program. This needs the extra `serve`."""

from .app import create_app
from .limits import Limits
from .pipeline import ServedPipeline

__all__ = ["Limits", "ServedPipeline", "create_app"]

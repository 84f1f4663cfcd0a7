"""A page and a JSON API that parse for a browser or a program. This needs the extra `serve`."""

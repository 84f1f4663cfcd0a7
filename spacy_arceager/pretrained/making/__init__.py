"""How the files of an encoder are made from published weights."""

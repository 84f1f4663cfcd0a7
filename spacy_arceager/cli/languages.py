"""Which languages spaCy has, and what one of them still needs before its tokenizer works."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

Note = tuple[str, str]      # what a user should know, in one line, and what to do


def check_language(code: str) -> Iterator[Note]:
    """Yield what a user should know before training a pipeline of a language.

    It is that a package is missing which the tokenizer of the language needs.

    Args:
        code: as spaCy has it, such as "en".

    Raises:
        ValueError: If spaCy has no such language, with the code that was probably meant.
    """
    from spacy.util import get_lang_class

    try:
        language = get_lang_class(code)
    except ImportError:
        raise ValueError(f"Language '{code}' is unknown. {suggest_language(code)}") from None
    try:
        language()      # the tokenizer is made here, and imports what it needs
    except ImportError as error:
        yield f"Training needs the tokenizer of '{code}', which lacks a package.", str(error)


def suggest_language(code: str) -> str:
    """The language that was probably meant, as a sentence; else where all of them are listed."""
    names = language_names()
    by_word = {word: known for known, name in names.items() for word in (known, name.lower())}
    close = get_close_matches(code.lower(), by_word, n=1, cutoff=0.7)
    if close:
        known = by_word[close[0]]
        return f"Do you mean '{known}' ({names[known]})?"
    return "Use a code of https://spacy.io/usage/models#languages, or xx for any language."


def guess_language(treebanks: Iterable[Path]) -> str:
    """The language of treebanks by their names ("af_afribooms-ud-dev.conllu"); else "xx"."""
    from ..corpus.files import find_files

    files = [file for path in treebanks for file in find_files(path)]
    codes = {file.name.partition("_")[0] for file in files}
    return codes.pop() if len(codes) == 1 and codes <= {*language_names()} else "xx"


def language_names() -> dict[str, str]:
    """Names of spaCy's languages by their codes: {"en": "English", ...}.

    The names are those of the classes. They are read from the sources, since importing all
    languages takes seconds.
    """
    import spacy.lang

    found = {}
    for path in sorted(Path(spacy.lang.__path__[0]).glob("*/__init__.py")):
        classes = re.findall(r"^class (\w+)\(Language\)", path.read_text(encoding="utf8"), re.M)
        if classes:
            found[path.parent.name] = classes[0]
    return found

"""The languages of spaCy, and the packages that their tokenizers need."""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path

Note = tuple[str, str]      # a warning in one line, and what the user can do


def check_language(code: str) -> Iterator[Note]:
    """Yield a warning if the tokenizer of a language needs a package that is not installed.

    Raises:
        ValueError: If spaCy has no such language. The message suggests a similar one.
    """
    from spacy.util import get_lang_class

    from ..pipe.tokenizer import WORDS_BETWEEN_SPACES

    try:
        language = get_lang_class(code)
    except ImportError:
        raise ValueError(f"Language '{code}' is unknown. {suggest_language(code)}") from None
    if code in WORDS_BETWEEN_SPACES:
        return
    try:
        language()      # this makes the tokenizer, which imports the packages that it needs
    except ImportError as error:
        yield f"Training needs the tokenizer of '{code}', which lacks a package.", str(error)


def suggest_language(code: str) -> str:
    """A sentence with the most similar language or, if none is similar, where to find all."""
    names = language_names()
    by_word = {word: known for known, name in names.items() for word in (known, name.lower())}
    close = get_close_matches(code.lower(), by_word, n=1, cutoff=0.7)
    if close:
        known = by_word[close[0]]
        return f"Do you mean '{known}' ({names[known]})?"
    return "Use a code of https://spacy.io/usage/models#languages, or xx for any language."


def guess_language(treebanks: Iterable[Path]) -> str:
    """The language in the names of treebanks ("af_afribooms-ud-dev.conllu"), or else "xx"."""
    from ..corpus.files import find_files

    files = [file for path in treebanks for file in find_files(path)]
    codes = {file.name.partition("_")[0] for file in files}
    return codes.pop() if len(codes) == 1 and codes <= {*language_names()} else "xx"


def language_names() -> dict[str, str]:
    """The names of spaCy's languages, and of ours, by their codes: {"en": "English", ...}.

    The names are the names of the classes. They are read from the source files, because importing
    all languages takes seconds.
    """
    import spacy.lang

    from ..pipe.languages import Maltese, Welsh

    names = {language.lang: language.__name__ for language in (Maltese, Welsh)}
    for path in sorted(Path(spacy.lang.__path__[0]).glob("*/__init__.py")):
        classes = re.findall(r"^class (\w+)\(Language\)", path.read_text(encoding="utf8"), re.M)
        if classes:
            names[path.parent.name] = classes[0]
    return names

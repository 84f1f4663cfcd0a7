"""A tokenizer that learns the tokens of a treebank.

Its multi-word tokens, such as French `du`, become their words, `de` and `le`. The text of a Doc is
then that of its words, so that its character offsets are not those of the original text behind a
multi-word token. `span._.arceager_multi_word_token` tells the original tokens, and CoNLL-U has them
as ranges.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import srsly
from numpy.typing import NDArray
from spacy.attrs import NORM, SPACY
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc, Span
from spacy.training import Example

from ..annotation.multi_word import SplitToken, set_multi_word_token
from ..annotation.tokens import find_multi_word
from ..corpus.conllu.to_doc import stored_sentences
from .tokenizer_rules import Strings, learn_rules, read_strings

# The tokenizer below may cut a multi-word token such as `don't` into so many tokens.
MOST_TOKENS = 4

Table = Mapping[str, Sequence[str]]


class TreebankTokenizer:
    """A tokenizer that learns from a treebank. It has the attributes of the one that it uses.

    Args:
        tokenizer: cuts the text.
        table: the words of each multi-word token, all in lower case. `initialize` learns them.
    """

    def __init__(self, tokenizer: Any, table: Table | None = None) -> None:
        self.tokenizer = tokenizer
        self.table: Table = table or {}

    def __getattr__(self, name: str) -> Any:
        if name in ("tokenizer", "table") or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.tokenizer, name)

    def __setattr__(self, name: str, value: Any) -> None:
        is_own = name in ("tokenizer", "table") or hasattr(type(self), name)
        if is_own or not hasattr(self.tokenizer, name):
            super().__setattr__(name, value)
        else:
            setattr(self.tokenizer, name, value)

    def __reduce__(self) -> tuple:
        return TreebankTokenizer, (self.tokenizer, self.table)

    def __call__(self, text: str) -> Doc:
        """The words of a text."""
        doc = self.tokenizer(text)
        return split_tokens(doc, self.table) if self.table else doc

    def explain(self, text: str) -> list[tuple[str, str]]:
        """What made each word of a text, as spaCy's tokenizer explains it, and the word.

        The words of a multi-word token are made by "MULTI-WORD".
        """
        doc = self.tokenizer(text)
        below = iter(self.tokenizer.explain(text))     # leaves out white space
        parts = [[] if token.is_space else [next(below, ("TOKEN", token.text))] for token in doc]
        for start, end, _, words in find_splits(doc, self.table):
            parts[start:end] = [[("MULTI-WORD", word) for word in words]] + [[]] * (end - start - 1)
        return [*chain.from_iterable(parts)]

    def add_special_case(self, string: str, substrings: Iterable[Mapping]) -> None:
        """Cut a string as said, as spaCy's tokenizer does.

        A multi-word token of this form, in whatever case, is none any more.
        """
        self.tokenizer.add_special_case(string, substrings)
        self.table = {form: words for form, words in self.table.items() if form != string.lower()}

    def pipe(self, texts: Iterable[str], batch_size: int = 1000) -> Iterator[Doc]:
        """The words of each text."""
        return map(self, texts)

    @property
    def initialize(self) -> Callable[..., None]:
        """Learns from gold tokens. Its settings are those of the tokenizer below."""
        below = getattr(self.tokenizer, "initialize", None)

        def initialize(
            get_examples: Callable[[], Iterable[Example]], *, nlp: Language | None = None,
            **settings: Any,
        ) -> None:
            if below is not None:
                below(get_examples, nlp=nlp, **settings)
            self.learn([example.reference for example in get_examples()])

        if below is not None:
            # spaCy checks the block [initialize.tokenizer] of a config against the signature.
            initialize.__signature__ = signature(below)  # type: ignore[attr-defined]
        return initialize

    def learn(self, docs: Sequence[Doc]) -> None:
        """Learn from gold Docs. The table stays as it is if none was read from CoNLL-U."""
        if any(map(stored_sentences, docs)):
            self.table = learn_table(docs)
        if isinstance(self.tokenizer, Tokenizer):
            strings = read_strings(
                ((token.form, token.has_space_after) for token in gold_tokens(doc))
                for doc in docs
            )
            learn_rules(self.tokenizer, without(strings, self.table))

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """The table and the tokenizer below.

        What spaCy's tokenizer below saves stands beside the table, so that spaCy's loads it, too.
        """
        below = self.tokenizer.to_bytes(exclude=exclude)
        is_spacys = isinstance(self.tokenizer, Tokenizer)
        parts = srsly.msgpack_loads(below) if is_spacys else {"tokenizer": below}
        return bytes(srsly.msgpack_dumps({**parts, "table": self.table}))

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> "TreebankTokenizer":
        """Load what `to_bytes` returned, of this tokenizer or of spaCy's, which has no table."""
        stored = srsly.msgpack_loads(data)
        self.table = stored.get("table", {})
        self.tokenizer.from_bytes(stored.get("tokenizer", data), exclude=exclude)
        return self

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Write what `to_bytes` returns to a file."""
        Path(path).write_bytes(self.to_bytes(exclude=exclude))

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> "TreebankTokenizer":
        """Load what `to_disk` wrote."""
        return self.from_bytes(Path(path).read_bytes(), exclude=exclude)


def learn_table(docs: Iterable[Doc]) -> dict[str, list[str]]:
    """Learn which tokens stand for several words, from Docs that were read from CoNLL-U.

    A token is split if it is more often a multi-word token than a word, always into the words that
    it has most often.
    """
    splits: defaultdict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
    single: Counter[str] = Counter()
    for token in chain.from_iterable(map(gold_tokens, docs)):
        form = token.form.lower()
        if token.is_multi_word and len(token.words) > 1:
            splits[form][tuple(word.text.lower() for word in token.words)] += 1
        else:
            single[form] += 1
    return {
        token: list(words.most_common(1)[0][0]) for token, words in sorted(splits.items())
        if words.total() > single[token]
    }


class GoldToken(NamedTuple):
    """A token of a gold Doc as its text has it, and its words."""

    form: str
    words: Span
    is_multi_word: bool

    @property
    def has_space_after(self) -> bool:
        """Whether a space follows."""
        return bool(self.words[-1].whitespace_)


def gold_tokens(doc: Doc) -> Iterator[GoldToken]:
    """The tokens of a gold Doc, which are its words if it was not read from CoNLL-U."""
    multi_word = {
        token["start"]: token
        for sentence in stored_sentences(doc) for token in sentence["multi_word_tokens"]
    }
    start = 0
    while start < len(doc):
        token = multi_word.get(start)
        end = token["end"] if token else start + 1
        form = token["columns"][0] if token else doc[start].text
        yield GoldToken(form, doc[start:end], token is not None)
        start = end


def without(strings: Strings, table: Table) -> Strings:
    """The strings that have no multi-word token, however it is cut."""
    return Counter({
        tokens: number for tokens, number in strings.items()
        if not any(token.lower() in table for token in tokens)
    })


def find_splits(doc: Doc, table: Table) -> Iterator[tuple[int, int, str, list[str]]]:
    """Yield the start, the end, the form and the words of each multi-word token of a Doc."""
    for start, end in find_multi_word(doc, table, MOST_TOKENS):
        form = "".join(token.text for token in doc[start:end])
        yield start, end, form, match_case(form, table[form.lower()])


def split_tokens(doc: Doc, table: Table) -> Doc:
    """A Doc in which multi-word tokens are their words; see `annotation.multi_word`."""
    multi_word = [*find_splits(doc, table)]
    if not multi_word:
        return doc
    texts = [token.text for token in doc]
    has_space = doc.to_array(SPACY).astype(bool).tolist()
    words: list[str] = []
    spaces: list[bool] = []
    sources: list[int] = []
    made_of: list[SplitToken] = []
    done = 0
    for start, end, form, split in multi_word:
        words += texts[done:start]
        spaces += has_space[done:start]
        sources += range(done, start)
        if len(split) > 1:
            first = len(words)
            made_of.append(SplitToken(first, first + len(split), form))
        words += split
        sources += [-1] * len(split)
        spaces += [False] * (len(split) - 1) + [has_space[end - 1]]
        done = end
    if not made_of:
        return doc
    words += texts[done:]
    spaces += has_space[done:]
    sources += range(done, len(texts))
    starts: list[bool | int | None] = [None] * len(words)
    for token in made_of:      # no component may start a sentence inside of a token
        starts[token.start + 1:token.end] = [False] * (token.end - token.start - 1)
    made = Doc(
        doc.vocab, words=words, spaces=spaces, sent_starts=starts, user_data=doc.user_data
    )
    for token in made_of:
        set_multi_word_token(made[token.start:token.end], token.form)
    copy_norms(doc, made, numpy.asarray(sources))
    return made


def copy_norms(doc: Doc, made: Doc, sources: NDArray[numpy.integer]) -> None:
    """Give tokens of `made` the norms of `doc`, such as `will` of `’ll`.

    Args:
        sources: (n_tokens,) the token of `doc` that a token of `made` is; -1 for none.
    """
    norms, is_old = made.to_array([NORM]), sources >= 0
    norms[is_old] = doc.to_array([NORM])[sources[is_old]]
    made.from_array([NORM], norms.reshape(-1, 1))  # type: ignore[arg-type]


def match_case(token: str, words: Sequence[str]) -> list[str]:
    """The words of a token with its capitals: `Du` is `De` and `le`, `DU` is `DE` and `LE`."""
    if "".join(words) == token.lower():     # the words are parts of the token
        # A capital can be longer in lower case, such as the Turkish one of `i`.
        ends = [*accumulate(len(character.lower()) for character in token)]
        places = [0, *(bisect_left(ends, length) + 1 for length in accumulate(map(len, words)))]
        return [token[start:end] for start, end in pairwise(places)]
    if token.isupper() and len(token) > 1:
        return [word.upper() for word in words]
    if token[:1].isupper():
        return [words[0][:1].upper() + words[0][1:], *words[1:]]
    return list(words)

"""A tokenizer block for configs that fits any language."""

from collections.abc import Callable
from typing import Any

from spacy import registry
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer

from .treebank_tokenizer import TreebankTokenizer

MakeTokenizer = Callable[[Language], Any]

# Languages whose tokenizer in spaCy needs a dictionary and cuts words into morphemes, but whose
# treebanks have the words between spaces. They get spaCy's rules, as in spaCy's own pipelines.
WORDS_BETWEEN_SPACES = {"ko"}

# Abbreviations that are one token with their full stop, by language. They are too rare in treebanks
# to be learnt, and spaCy's rules lack them. A full stop of its own would look like the end of a
# sentence.
IN_PUBLICATIONS = (
    "cf. Cf. viz. ibid. al. approx. ca. resp. Sec. Secs. Sect. Fig. Figs. fig. figs. Eq. Eqs. eq. "
    "eqs. Tab. Tabs. Ref. Refs. App. Ch. Chap. Vol. Vols. vol. vols. Nos. pp. eds. Thm."
)
WITH_NAMES = (
    "Atty. Capt. Cmdr. Col. Esq. Lt. Maj. Pres. Sgt. Sr. Supt. Assoc. Dept. Univ."
)
OF_PLACES_AND_NUMBERS = (
    "Apt. Ave. Bldg. Blvd. Ft. Hwy. Rd. Tel. tel. Ext. ext. est. avg. incl. hrs. lbs."
)
ABBREVIATIONS = {"en": " ".join([IN_PUBLICATIONS, WITH_NAMES, OF_PLACES_AND_NUMBERS]).split()}


def create_language_tokenizer(learn: bool = False) -> MakeTokenizer:
    """Make the tokenizer that spaCy has for the language of a pipeline.

    A config without any tokenizer would have the same effect, but `spacy debug config` calls such a
    config incomplete. A config that names the tokenizer of one language would keep it when
    `--nlp.lang zh` changes the language.

    Args:
        learn: whether the tokenizer learns affixes, exceptions and multi-word tokens, such as
            French `du`, from the treebank when training begins, see `treebank_tokenizer`.
    """
    if learn:
        return make_treebank_tokenizer
    return make_language_tokenizer


def make_treebank_tokenizer(nlp: Language) -> TreebankTokenizer:
    """Make a tokenizer with rules and abbreviations of the language, which learns from a treebank.

    Raises:
        ImportError: If the language's tokenizer needs a package that is not installed.
    """
    if nlp.lang in WORDS_BETWEEN_SPACES:
        return TreebankTokenizer(make_tokenizer(nlp, {"@tokenizers": "spacy.Tokenizer.v1"}))
    tokenizer = make_language_tokenizer(nlp)
    if isinstance(tokenizer, Tokenizer):
        for abbreviation in ABBREVIATIONS.get(str(nlp.lang), ()):
            tokenizer.add_special_case(abbreviation, [{ORTH: abbreviation}])
    return TreebankTokenizer(tokenizer)


def make_language_tokenizer(nlp: Language) -> Any:
    """Make the tokenizer of the language's default config.

    Raises:
        ImportError: If the tokenizer needs a package that is not installed.
    """
    return make_tokenizer(nlp, type(nlp).default_config["nlp"]["tokenizer"])


def make_tokenizer(nlp: Language, block: dict[str, Any]) -> Any:
    """Make the tokenizer of a block of a config."""
    make: MakeTokenizer = registry.resolve({"tokenizer": block})["tokenizer"]
    return make(nlp)

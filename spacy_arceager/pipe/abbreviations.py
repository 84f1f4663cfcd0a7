"""Abbreviations that are one token with their full stop, by language.

They are too rare in treebanks to be learnt, and spaCy's rules lack them. A full stop of its own
would look like the end of a sentence.
"""

from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer

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


def add_abbreviations(tokenizer: Tokenizer, lang: str) -> None:
    """Let a tokenizer keep the abbreviations of a language whole."""
    for abbreviation in ABBREVIATIONS.get(lang, ()):
        tokenizer.add_special_case(abbreviation, [{ORTH: abbreviation}])

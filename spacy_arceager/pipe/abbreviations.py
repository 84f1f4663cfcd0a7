"""Abbreviations that are one token with their full stop, by language.

They are too rare in treebanks to be learnt, and spaCy's rules lack them. A full stop of its own
would look like the end of a sentence.
"""

from spacy.symbols import ORTH
from spacy.tokenizer import Tokenizer

ABBREVIATIONS = {
    "en": (
        # in publications
        "cf. Cf. viz. ibid. al. approx. ca. resp. Sec. Secs. Sect. Fig. Figs. fig. figs. Eq. Eqs. "
        "eq. eqs. Tab. Tabs. Ref. Refs. App. Ch. Chap. Vol. Vols. vol. vols. Nos. pp. eds. Thm. "
        # before and behind names
        "Atty. Capt. Cmdr. Col. Esq. Lt. Maj. Pres. Sgt. Sr. Supt. Assoc. Dept. Univ. "
        # places, numbers and units
        "Apt. Ave. Bldg. Blvd. Ft. Hwy. Rd. Tel. tel. Ext. ext. est. avg. incl. hrs. lbs."
    ).split(),
}


def add_abbreviations(tokenizer: Tokenizer, lang: str) -> None:
    """Let a tokenizer keep the abbreviations of a language whole."""
    for abbreviation in ABBREVIATIONS.get(lang, ()):
        tokenizer.add_special_case(abbreviation, [{ORTH: abbreviation}])

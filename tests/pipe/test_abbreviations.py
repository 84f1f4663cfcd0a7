"""Abbreviations are one token with their full stop."""

import spacy
from spacy.language import Language

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.pipe.tokenizer import ABBREVIATIONS, create_language_tokenizer
from tests.conftest import DATA


def tokens(nlp: Language, text: str) -> list[str]:
    return [token.text for token in nlp.tokenizer(text)]


def test_abbreviations_are_one_token_and_stay_it_when_a_treebank_is_learnt() -> None:
    nlp = spacy.blank("en")
    nlp.tokenizer = create_language_tokenizer(learn=True)(nlp)
    expected = ["See", "(", "cf.", "Sec.", "4", ")", "Fig.", "5", "."]
    assert tokens(nlp, "See (cf. Sec. 4) Fig. 5.") == expected
    nlp.tokenizer.learn([
        example.reference for example in ConlluCorpus(DATA / "en_small-train.conllu")(nlp)
    ])
    assert tokens(nlp, "See (cf. Sec. 4) Fig. 5.") == expected
    for lang in ABBREVIATIONS:
        assert tokens(nlp, " ".join(ABBREVIATIONS[lang])) == ABBREVIATIONS[lang]


def test_other_languages_and_tokenizers_that_do_not_learn_have_none() -> None:
    for lang, learn in (("en", False), ("xx", True)):
        nlp = spacy.blank(lang)
        nlp.tokenizer = create_language_tokenizer(learn=learn)(nlp)
        assert tokens(nlp, "Sec. 4") == ["Sec", ".", "4"]

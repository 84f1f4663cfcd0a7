"""What `spacy.explain` says of labels with a subtype, such as nsubj:pass.

spaCy's glossary has the relations of Universal Dependencies, but none of their subtypes
(https://universaldependencies.org/ext-dep-index.html). This table has the subtypes that the English
pipeline predicts, and the most common subtypes of other languages.
"""

from spacy.glossary import GLOSSARY

SUBTYPES = {
    "acl:relcl": "relative clause modifier",
    "advcl:relcl": "relative clause that modifies a clause",
    "advmod:emph": "emphasizing word",
    "advmod:lmod": "locative adverbial modifier",
    "advmod:neg": "negation",
    "aux:caus": "causative auxiliary",
    "aux:neg": "negative auxiliary",
    "aux:pass": "passive auxiliary",
    "aux:tense": "auxiliary of tense",
    "case:gen": "genitive marker",
    "cc:preconj": "preconjunct",
    "compound:lvc": "light verb construction",
    "compound:nn": "noun compound",
    "compound:prt": "verb particle",
    "compound:redup": "reduplicated compound",
    "compound:svc": "serial verb construction",
    "csubj:outer": "clausal subject of a clause with a clause as its predicate",
    "csubj:pass": "clausal passive subject",
    "det:numgov": "quantifier that governs the case of its noun",
    "det:nummod": "quantifier that agrees with its noun in case",
    "det:poss": "possessive determiner",
    "det:predet": "predeterminer",
    "discourse:sp": "sentence particle",
    "expl:impers": "impersonal expletive",
    "expl:pass": "reflexive pronoun of a reflexive passive",
    "expl:pv": "reflexive pronoun of an inherently reflexive verb",
    "expl:subj": "expletive subject",
    "flat:foreign": "foreign words",
    "flat:name": "name",
    "iobj:agent": "agent as indirect object",
    "mark:rel": "marker of a relative clause",
    "nmod:att": "attributive nominal modifier",
    "nmod:desc": "descriptive nominal modifier, such as a title before a name",
    "nmod:npmod": "noun phrase as nominal modifier",
    "nmod:poss": "possessive nominal modifier",
    "nmod:tmod": "temporal nominal modifier",
    "nmod:unmarked": "nominal modifier without a case marker",
    "nsubj:caus": "nominal subject of a causative",
    "nsubj:outer": "nominal subject of a clause with a clause as its predicate",
    "nsubj:pass": "nominal subject (passive)",
    "nummod:gov": "numeric modifier that governs the case of its noun",
    "obl:agent": "agent of a passive verb",
    "obl:arg": "oblique argument",
    "obl:lmod": "locative modifier",
    "obl:mod": "oblique modifier",
    "obl:npmod": "noun phrase as adverbial modifier",
    "obl:patient": "patient marked as oblique",
    "obl:tmod": "temporal modifier",
    "obl:unmarked": "oblique nominal without a case marker",
}


def explain_subtypes() -> None:
    """Add the subtypes to the glossary of `spacy.explain`; entries that it has already stay."""
    for label, description in SUBTYPES.items():
        GLOSSARY.setdefault(label, description)

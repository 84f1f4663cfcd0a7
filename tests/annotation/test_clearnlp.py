"""From UD trees to those of ClearNLP: constructions, the table of labels, trees stay trees."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import spacy_arceager
from spacy_arceager.annotation.clearnlp.labels import (
    CLEARNLP,
    CLEARNLP_ONLY,
    ROWS,
    Row,
    clearnlp_label,
)
from spacy_arceager.annotation.clearnlp.rules import RULES, convert
from spacy_arceager.annotation.clearnlp.tree import Tree, Word

ROOT = Path(__file__).parents[2]

# Each word: form, UPOS (XPOS and lemma behind colons where a rule needs them), head counted from 1
# with 0 for the root, and relation. Below it the same tree in ClearNLP's scheme: head and label.
TREES = {
    "object": (
        "she/PRON/2/nsubj wrote/VERB/0/root letters/NOUN/2/obj",
        "2/nsubj 0/ROOT 2/dobj",
    ),
    "two objects": (
        "he/PRON/2/nsubj gave/VERB/0/root her/PRON/2/iobj books/NOUN/2/obj",
        "2/nsubj 0/ROOT 2/dative 2/dobj",
    ),
    "an indirect object alone": (
        "tell/VERB/0/root me/PRON/1/iobj", "0/ROOT 1/dobj",
    ),
    "recipient with a preposition": (
        "give/VERB::give/0/root it/PRON/1/obj to/ADP/4/case her/PRON/1/obl",
        "0/ROOT 1/dobj 1/dative 3/pobj",
    ),
    "goal, not recipient": (
        "go/VERB::go/0/root to/ADP/3/case Rome/PROPN/1/obl", "0/ROOT 1/prep 2/pobj",
    ),
    "passive with agent": (
        "it/PRON/3/nsubj:pass was/AUX/3/aux:pass built/VERB/0/root "
        "by/ADP/5/case them/PRON/3/obl:agent",
        "3/nsubjpass 3/auxpass 0/ROOT 3/agent 4/pobj",
    ),
    "copula with a noun": (
        "she/PRON/4/nsubj is/AUX/4/cop a/DET/4/det pilot/NOUN/0/root ./PUNCT/4/punct",
        "2/nsubj 0/ROOT 4/det 2/attr 2/punct",
    ),
    "copula with an adverb of the noun": (
        "she/PRON/5/nsubj is/AUX/5/cop hardly/ADV/5/advmod a/DET/5/det pilot/NOUN/0/root",
        "2/nsubj 0/ROOT 5/advmod 5/det 2/attr",
    ),
    "copula with an adverb of the clause": (
        "luckily/ADV/4/advmod she/PRON/4/nsubj is/AUX/4/cop king/NOUN/0/root",
        "3/advmod 3/nsubj 0/ROOT 3/attr",
    ),
    "copula with an adjective": (
        "it/PRON/5/nsubj is/AUX/5/cop not/PART/5/advmod very/ADV/5/advmod good/ADJ/0/root "
        "for/ADP/7/case me/PRON/5/obl",
        "2/nsubj 0/ROOT 2/neg 5/advmod 2/acomp 5/prep 6/pobj",
    ),
    "copula with an adjective, when it was so": (
        "it/PRON/3/nsubj was/AUX/3/cop empty/ADJ/0/root on/ADP/5/case Monday/PROPN/3/obl",
        "2/nsubj 0/ROOT 2/acomp 2/prep 4/pobj",
    ),
    "copula with a preposition": (
        "he/PRON/4/nsubj is/AUX/4/cop at/ADP/4/case home/NOUN/0/root",
        "2/nsubj 0/ROOT 2/prep 3/pobj",
    ),
    "copula with an adverb": (
        "where/ADV/0/root is/AUX/1/cop she/PRON/1/nsubj", "2/advmod 0/ROOT 2/nsubj",
    ),
    "copula in a clause": (
        "I/PRON/2/nsubj know/VERB/0/root that/SCONJ/6/mark he/PRON/6/nsubj "
        "is/AUX/6/cop ill/ADJ/2/ccomp",
        "2/nsubj 0/ROOT 5/mark 5/nsubj 2/ccomp 5/acomp",
    ),
    "copula with a clause": (
        "problem/NOUN/5/nsubj:outer is/AUX/5/cop that/SCONJ/5/mark "
        "we/PRON/5/nsubj lost/VERB/0/root",
        "2/nsubj 0/ROOT 5/mark 5/nsubj 2/ccomp",
    ),
    "copula with an infinitive": (
        "plan/NOUN/4/nsubj:outer is/AUX/4/cop to/PART/4/mark win/VERB:VB/0/root",
        "2/nsubj 0/ROOT 4/aux 2/xcomp",
    ),
    "coordinated adjectives": (
        "it/PRON/3/nsubj is/AUX/3/cop small/ADJ/0/root but/CCONJ/5/cc nice/ADJ/3/conj",
        "2/nsubj 0/ROOT 2/acomp 3/cc 3/conj",
    ),
    "adjective and verb": (
        "it/PRON/3/nsubj is/AUX/3/cop old/ADJ/0/root and/CCONJ/5/cc works/VERB/3/conj",
        "2/nsubj 0/ROOT 2/acomp 2/cc 2/conj",
    ),
    "there is": (
        "there/PRON/2/expl is/VERB/0/root hope/NOUN/2/nsubj", "2/expl 0/ROOT 2/attr",
    ),
    "it is clear that": (
        "it/PRON/3/expl is/AUX/3/cop clear/ADJ/0/root that/SCONJ/6/mark "
        "he/PRON/6/nsubj left/VERB/3/csubj",
        "2/nsubj 0/ROOT 2/acomp 6/mark 6/nsubj 2/ccomp",
    ),
    "it is hard to": (
        "it/PRON/3/expl is/AUX/3/cop hard/ADJ/0/root to/PART/5/mark say/VERB:VB/3/csubj",
        "2/nsubj 0/ROOT 2/acomp 5/aux 3/xcomp",
    ),
    "too hot to": (
        "too/ADV/2/advmod hot/ADJ/0/root is/AUX/2/cop to/PART/5/mark eat/VERB:VB/2/advcl",
        "2/advmod 3/acomp 0/ROOT 5/aux 2/xcomp",
    ),
    "due to, as another clause": (
        "it/PRON/3/nsubj is/AUX/3/cop due/ADJ/0/root to/PART/5/mark win/VERB:VB/3/ccomp",
        "2/nsubj 0/ROOT 2/acomp 5/aux 3/ccomp",
    ),
    "three conjuncts": (
        "cats/NOUN/0/root ,/PUNCT/3/punct dogs/NOUN/1/conj and/CCONJ/5/cc cows/NOUN/1/conj",
        "0/ROOT 1/punct 1/conj 3/cc 3/conj",
    ),
    "both and": (
        "both/DET/2/det cats/NOUN/0/root and/CCONJ/4/cc dogs/NOUN/2/conj",
        "2/preconj 0/ROOT 2/cc 2/conj",
    ),
    "coordinated prepositions": (
        "in/ADP/2/case Rome/PROPN/0/root and/CCONJ/5/cc in/ADP/5/case Bonn/PROPN/2/conj",
        "0/ROOT 1/pobj 1/cc 1/conj 4/pobj",
    ),
    "coordinated nouns behind a preposition": (
        "in/ADP/2/case Rome/PROPN/0/root and/CCONJ/4/cc Bonn/PROPN/2/conj",
        "0/ROOT 1/pobj 2/cc 2/conj",
    ),
    "two prepositions": (
        "ran/VERB/0/root out/ADP/4/case of/ADP/4/case town/NOUN/1/obl",
        "0/ROOT 1/prep 2/prep 3/pobj",
    ),
    "what stands before a preposition": (
        "weeks/NOUN/3/nmod:unmarked after/ADP/3/case war/NOUN/4/obl left/VERB/0/root",
        "2/npadvmod 4/prep 2/pobj 0/ROOT",
    ),
    "because of": (
        "because/ADP/3/case of/ADP/1/fixed snow/NOUN/4/obl fell/VERB/0/root",
        "4/prep 1/pcomp 1/pobj 0/ROOT",
    ),
    "according to": (
        "according/VERB/3/case to/ADP/1/fixed her/PRON/4/obl left/VERB/0/root",
        "4/prep 1/prep 2/pobj 0/ROOT",
    ),
    "instead of a noun": (
        "instead/ADV/3/case of/ADP/1/fixed tea/NOUN/4/obl drank/VERB/0/root",
        "2/advmod 4/prep 2/pobj 0/ROOT",
    ),
    "instead of a gerund": (
        "instead/ADV/3/advmod of/ADP/1/fixed working/VERB:VBG/4/advcl slept/VERB/0/root",
        "2/advmod 4/prep 2/pcomp 0/ROOT",
    ),
    "such as": (
        "fruit/NOUN/0/root such/ADJ/4/case as/ADP/2/fixed figs/NOUN/1/nmod",
        "0/ROOT 3/amod 1/prep 3/pobj",
    ),
    "gerund behind a preposition": (
        "left/VERB/0/root without/SCONJ/3/mark asking/VERB:VBG/1/advcl", "0/ROOT 1/prep 2/pcomp",
    ),
    "gerund behind a conjunction": (
        "fell/VERB/0/root while/SCONJ/3/mark running/VERB:VBG/1/advcl", "0/ROOT 3/mark 1/advcl",
    ),
    "question behind a preposition": (
        "depends/VERB/0/root on/SCONJ/5/mark whether/SCONJ/5/mark "
        "he/PRON/5/nsubj comes/VERB/1/advcl",
        "0/ROOT 1/prep 5/mark 5/nsubj 2/pcomp",
    ),
    "preposition at the end": (
        "what/PRON/2/obj look/VERB/0/root at/ADP/2/case", "3/pobj 0/ROOT 2/prep",
    ),
    "in order to": (
        "in/SCONJ/4/mark order/NOUN/1/fixed to/PART/4/mark win/VERB:VB/5/advcl ran/VERB/0/root",
        "5/prep 1/pobj 4/aux 2/acl 0/ROOT",
    ),
    "at least": (
        "at/ADV/3/advmod least/ADJ/1/fixed try/VERB/0/root", "2/advmod 3/advmod 0/ROOT",
    ),
    "more than": (
        "more/ADJ/3/advmod than/ADP/1/fixed ten/NUM/4/nummod came/VERB/0/root",
        "3/amod 3/quantmod 4/nummod 0/ROOT",
    ),
    "name": (
        "Mr./PROPN/2/nmod:desc Alan/PROPN/4/nsubj Porter/PROPN/2/flat left/VERB/0/root",
        "3/compound 3/compound 4/nsubj 0/ROOT",
    ),
    "name with a number": (
        "Apollo/PROPN/3/nsubj 11/NUM/1/flat left/VERB/0/root", "3/nsubj 1/nummod 0/ROOT",
    ),
    "dollars": (
        "costs/VERB/0/root $/SYM/1/obj 5/NUM/2/nummod", "0/ROOT 3/nmod 1/dobj",
    ),
    "millions of dollars": (
        "costs/VERB/0/root about/ADV/3/advmod $/SYM/1/obj 5/NUM/5/compound million/NUM/3/nummod",
        "0/ROOT 5/quantmod 5/quantmod 5/compound 1/dobj",
    ),
    "date": (
        "on/ADP/3/case June/PROPN/3/nmod:unmarked 5/NUM/5/obl "
        "2017/NUM/3/nmod:unmarked left/VERB/0/root",
        "5/prep 1/pobj 2/nummod 2/nummod 0/ROOT",
    ),
    "the object is the subject of the infinitive": (
        "saw/VERB::see/0/root boys/NOUN/1/obj climb/VERB:VB/1/xcomp", "0/ROOT 3/nsubj 1/ccomp",
    ),
    "the object stays one": (
        "asked/VERB::ask/0/root her/PRON/1/iobj to/PART/4/mark go/VERB:VB/1/xcomp",
        "0/ROOT 1/dobj 4/aux 1/xcomp",
    ),
    "free relative clause as subject": (
        "what/PRON/4/nsubj he/PRON/3/nsubj said/VERB/1/acl:relcl hurt/VERB/0/root",
        "3/dobj 3/nsubj 4/csubj 0/ROOT",
    ),
    "free relative clause behind a preposition": (
        "laughed/VERB/0/root at/ADP/3/case what/PRON/1/obl he/PRON/5/nsubj said/VERB/3/acl:relcl",
        "0/ROOT 1/prep 5/dobj 5/nsubj 2/pcomp",
    ),
    "speech verb behind its clause": (
        "he/PRON/2/nsubj left/VERB/0/root ,/PUNCT/5/punct I/PRON/5/nsubj "
        "think/VERB::think/2/parataxis ./PUNCT/2/punct",
        "2/nsubj 5/ccomp 5/punct 5/nsubj 0/ROOT 5/punct",
    ),
    "speech verb inside its clause": (
        "he/PRON/2/nsubj left/VERB/0/root I/PRON/4/nsubj think/VERB::think/2/parataxis "
        ",/PUNCT/2/punct today/NOUN/2/obl:tmod",
        "2/nsubj 0/ROOT 4/nsubj 2/parataxis 2/punct 2/npadvmod",
    ),
    "commas around an apposition": (
        "king/NOUN/6/nsubj ,/PUNCT/4/punct a/DET/4/det fool/NOUN/1/appos "
        ",/PUNCT/1/punct fell/VERB/0/root",
        "6/nsubj 1/punct 4/det 1/appos 1/punct 0/ROOT",
    ),
    "comma behind a clause": (
        "if/SCONJ/2/mark asked/VERB/4/advcl ,/PUNCT/2/punct go/VERB/0/root",
        "2/mark 4/advcl 4/punct 0/ROOT",
    ),
    "possessor and relative clause": (
        "Tom/PROPN/3/nmod:poss 's/PART/1/case car/NOUN/0/root "
        "that/PRON/5/nsubj broke/VERB/3/acl:relcl",
        "3/poss 1/case 0/ROOT 5/nsubj 3/relcl",
    ),
    "copula before its clause": (
        "is/AUX/6/cop problem/NOUN/6/nsubj:outer then/ADV/6/advmod that/SCONJ/6/mark "
        "we/PRON/6/nsubj lost/VERB/0/root",
        "0/ROOT 1/nsubj 6/advmod 6/mark 6/nsubj 1/ccomp",
    ),
    "copula with a clause and an adverb before it": (
        "luckily/ADV/6/advmod problem/NOUN/6/nsubj:outer is/AUX/6/cop that/SCONJ/6/mark "
        "we/PRON/6/nsubj lost/VERB/0/root",
        "3/advmod 3/nsubj 0/ROOT 6/mark 6/nsubj 3/ccomp",
    ),
    "infinitive of an adjective that is no predicate": (
        "book/NOUN/0/root hard/ADJ/1/amod to/PART/4/mark read/VERB:VB/2/advcl",
        "0/ROOT 1/amod 4/aux 2/advcl",
    ),
    "both, before a later conjunct": (
        "cats/NOUN/0/root both/CCONJ/3/cc:preconj dogs/NOUN/1/conj and/CCONJ/5/cc "
        "cows/NOUN/3/conj",
        "0/ROOT 3/preconj 1/conj 3/cc 3/conj",
    ),
    "both, behind its noun": (
        "cats/NOUN/0/root both/DET/1/det and/CCONJ/4/cc dogs/NOUN/1/conj",
        "0/ROOT 1/det 1/cc 1/conj",
    ),
    "both, of one noun": (
        "both/DET/2/det cats/NOUN/0/root",
        "2/det 0/ROOT",
    ),
    "range of dollars": (
        "costs/VERB/0/root $/SYM/1/obj 5/NUM/2/nummod 10/NUM/2/nummod",
        "0/ROOT 3/nmod 1/dobj 3/nummod",
    ),
    "number before its unit": (
        "costs/VERB/0/root 5/NUM/3/nummod $/SYM/1/obj",
        "0/ROOT 3/nummod 1/dobj",
    ),
    "number of words": (
        "three/NUM/2/nummod words/NOUN/0/root",
        "2/nummod 0/ROOT",
    ),
    "by, of no agent": (
        "built/VERB/0/root by/ADP/3/case noon/NOUN/1/obl",
        "0/ROOT 1/prep 2/pobj",
    ),
    "agent with another preposition": (
        "built/VERB/0/root from/ADP/3/case them/PRON/1/obl:agent",
        "0/ROOT 1/prep 2/pobj",
    ),
    "in order that": (
        "in/SCONJ/5/mark order/NOUN/1/fixed that/SCONJ/1/fixed he/PRON/5/nsubj "
        "win/VERB/6/advcl ran/VERB/0/root",
        "6/prep 1/pobj 1/advmod 5/nsubj 2/acl 0/ROOT",
    ),
    "on order, no clause of a noun": (
        "on/SCONJ/4/mark order/NOUN/1/fixed to/PART/4/mark win/VERB:VB/5/advcl "
        "ran/VERB/0/root",
        "4/mark 1/advmod 4/aux 5/advcl 0/ROOT",
    ),
    "in order, as an adverb": (
        "kept/VERB/0/root in/ADP/1/advmod order/NOUN/2/fixed",
        "0/ROOT 1/advmod 2/advmod",
    ),
    "in turn, no order": (
        "in/SCONJ/4/mark turn/NOUN/1/fixed to/PART/4/mark win/VERB:VB/5/advcl "
        "ran/VERB/0/root",
        "4/mark 1/advmod 4/aux 5/advcl 0/ROOT",
    ),
    "preposition at the end, with two objects": (
        "what/PRON/3/obj she/PRON/3/nsubj gave/VERB/0/root it/PRON/3/obj to/ADP/3/case",
        "3/dobj 3/nsubj 0/ROOT 3/dobj 3/prep",
    ),
    "preposition at the end, without an object": (
        "slept/VERB/0/root in/ADP/1/case",
        "0/ROOT 1/prep",
    ),
    "preposition at the end, with an object behind the verb": (
        "gave/VERB/0/root in/ADP/1/case it/PRON/1/obj",
        "0/ROOT 1/prep 1/dobj",
    ),
    "preposition behind its noun": (
        "three/NUM/2/nummod years/NOUN/0/root ago/ADP/2/case",
        "3/nummod 3/pobj 0/ROOT",
    ),
    "due to": (
        "due/ADP/3/case to/ADP/1/fixed snow/NOUN/4/obl fell/VERB/0/root",
        "4/prep 1/pcomp 1/pobj 0/ROOT",
    ),
    "gerund with a subject": (
        "with/SCONJ/3/mark him/PRON/3/nsubj sleeping/VERB:VBG/4/advcl left/VERB/0/root",
        "3/mark 3/nsubj 4/advcl 0/ROOT",
    ),
    "question with how behind a preposition": (
        "depends/VERB/0/root on/SCONJ/5/mark how/SCONJ/5/mark he/PRON/5/nsubj "
        "comes/VERB/1/advcl",
        "0/ROOT 1/prep 5/mark 5/nsubj 2/pcomp",
    ),
    "clause behind two conjunctions": (
        "left/VERB/0/root except/SCONJ/5/mark that/SCONJ/5/mark he/PRON/5/nsubj "
        "slept/VERB/1/advcl",
        "0/ROOT 5/mark 5/mark 5/nsubj 1/advcl",
    ),
    "gerund behind a conjunction of two words": (
        "as/SCONJ/3/mark if/SCONJ/1/fixed sleeping/VERB:VBG/4/advcl lay/VERB/0/root",
        "3/mark 1/advmod 4/advcl 0/ROOT",
    ),
    "gerund as subject": (
        "against/SCONJ/2/mark going/VERB:VBG/3/csubj hurt/VERB/0/root",
        "3/csubj 1/pcomp 0/ROOT",
    ),
    "adverb before the preposition of a gerund": (
        "soon/ADV/3/advmod after/SCONJ/3/mark leaving/VERB:VBG/4/advcl slept/VERB/0/root",
        "2/advmod 4/prep 2/pcomp 0/ROOT",
    ),
    "instead of a bare verb": (
        "instead/ADV/3/mark of/ADP/1/fixed work/VERB:VB/4/advcl slept/VERB/0/root",
        "3/mark 1/advmod 4/advcl 0/ROOT",
    ),
    "instead without of": (
        "instead/ADV/2/advmod working/VERB:VBG/3/advcl slept/VERB/0/root",
        "2/advmod 3/advcl 0/ROOT",
    ),
    "of course": (
        "of/ADP/3/advmod course/NOUN/1/fixed left/VERB/0/root",
        "2/advmod 3/advmod 0/ROOT",
    ),
    "as well": (
        "left/VERB/0/root as/ADV/1/advmod well/ADV/2/fixed",
        "0/ROOT 1/advmod 2/advmod",
    ),
    "at, with two more words": (
        "left/VERB/0/root at/ADP/1/advmod all/DET/2/fixed times/NOUN/2/fixed",
        "0/ROOT 1/advmod 2/advmod 2/advmod",
    ),
    "than, with one more word": (
        "more/ADJ/4/advmod than/ADP/1/fixed just/ADV/1/fixed ten/NUM/0/root",
        "4/quantmod 1/advmod 1/advmod 0/ROOT",
    ),
    "three prepositions": (
        "went/VERB/0/root to/ADP/3/case Rome/PROPN/1/obl and/CCONJ/6/cc to/ADP/6/case "
        "Bonn/PROPN/3/conj ,/PUNCT/9/punct or/CCONJ/9/cc Kiel/PROPN/3/conj",
        "0/ROOT 1/prep 2/pobj 2/cc 2/conj 5/pobj 6/punct 6/cc 6/conj",
    ),
    "goal of a verb of giving that is no oblique": (
        "gave/VERB::give/0/root to/ADP/3/case her/PRON/1/nmod",
        "0/ROOT 1/prep 2/pobj",
    ),
    "another preposition with a verb of giving": (
        "gave/VERB::give/0/root for/ADP/3/case her/PRON/1/obl",
        "0/ROOT 1/prep 2/pobj",
    ),
    "clause behind a preposition": (
        "talk/NOUN/0/root about/ADP/4/case he/PRON/4/nsubj left/VERB/1/acl",
        "0/ROOT 1/prep 4/nsubj 2/pcomp",
    ),
    "infinitive with a subject behind a copula": (
        "plan/NOUN/6/nsubj:outer is/AUX/6/cop for/SCONJ/6/mark him/PRON/6/nsubj "
        "to/PART/6/mark win/VERB:VB/0/root",
        "2/nsubj 0/ROOT 6/mark 6/nsubj 6/aux 2/xcomp",
    ),
    "name of three": (
        "Alan/PROPN/4/nsubj Bob/PROPN/1/flat Porter/PROPN/1/flat left/VERB/0/root",
        "3/compound 3/compound 4/nsubj 0/ROOT",
    ),
    "depending on whether": (
        "depending/SCONJ/5/mark on/ADP/1/fixed whether/SCONJ/5/mark he/PRON/5/nsubj "
        "comes/VERB/6/advcl left/VERB/0/root",
        "5/mark 1/advmod 5/mark 5/nsubj 6/advcl 0/ROOT",
    ),
    "of course, as a remark": (
        "of/ADP/3/discourse course/NOUN/1/fixed left/VERB/0/root",
        "3/intj 1/advmod 0/ROOT",
    ),
    "speech verb behind a clause with a comma of its own": (
        "he/PRON/2/nsubj left/VERB/0/root ,/PUNCT/2/punct today/NOUN/2/obl:tmod I/PRON/6/nsubj "
        "think/VERB::think/2/parataxis ./PUNCT/2/punct",
        "2/nsubj 6/ccomp 2/punct 2/npadvmod 6/nsubj 0/ROOT 6/punct",
    ),
    "another verb behind a clause": (
        "he/PRON/2/nsubj left/VERB/0/root I/PRON/4/nsubj laughed/VERB::laugh/2/parataxis",
        "2/nsubj 0/ROOT 4/nsubj 2/parataxis",
    ),
    "speech verb behind another remark": (
        "he/PRON/2/nsubj left/VERB/0/root you/PRON/4/nsubj see/VERB::see/2/parataxis "
        "I/PRON/6/nsubj think/VERB::think/2/parataxis",
        "2/nsubj 6/ccomp 4/nsubj 2/parataxis 6/nsubj 0/ROOT",
    ),
    "conjunct before its head": (
        "and/CCONJ/2/cc dogs/NOUN/3/conj cats/NOUN/0/root cows/NOUN/3/conj",
        "2/cc 3/conj 0/ROOT 3/conj",
    ),
    "relation that ClearNLP lacks": (
        "go/VERB/0/root went/VERB/1/reparandum", "0/ROOT 1/dep",
    ),
}


def tree_of(text: str) -> Tree:
    rows = [word.split("/") for word in text.split()]
    words = []
    for form, pos, _, _ in rows:
        upos, tag, lemma = [*pos.split(":"), "", ""][:3]
        words.append(Word(form.lower(), upos, tag, lemma))
    heads = [i if head == "0" else int(head) - 1 for i, (_, _, head, _) in enumerate(rows)]
    return Tree(words, heads, [label for *_, label in rows])


def written(tree: Tree) -> str:
    return " ".join(
        f"{0 if head == i else head + 1}/{label}"
        for i, (head, label) in enumerate(zip(tree.heads, tree.labels))
    )


@pytest.mark.parametrize(("ud", "clearnlp"), TREES.values(), ids=TREES.keys())
def test_constructions(ud: str, clearnlp: str) -> None:
    tree = tree_of(ud)
    convert(tree)
    assert written(tree) == clearnlp


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_each_rule_is_needed(rule, monkeypatch: pytest.MonkeyPatch) -> None:
    others = tuple(other for other in RULES if other != rule)
    monkeypatch.setattr("spacy_arceager.annotation.clearnlp.rules.RULES", others)
    trees = [(tree_of(ud), clearnlp) for ud, clearnlp in TREES.values()]
    for tree, _ in trees:
        convert(tree)
    assert any(written(tree) != clearnlp for tree, clearnlp in trees)


def example_of(row: Row) -> Tree:
    """A word and a head for which a row of the table holds."""
    def some(values: frozenset[str]) -> str:
        return min(values, default="")

    words = [
        Word("head", some(row.head_pos)), Word(some(row.words), some(row.pos), some(row.tags))
    ]
    return Tree(words, [0, 0], ["root", row.ud])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.ud} {row.clearnlp}")
def test_rows_of_the_table(row: Row) -> None:
    assert row.clearnlp in CLEARNLP
    assert "*" in row.example
    assert clearnlp_label(example_of(row), 1) == row.clearnlp


def test_the_documentation_has_each_row() -> None:
    text = (ROOT / "docs" / "coming_from.md").read_text(encoding="utf8")
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    table = {(row[1], row[2]) for row in cells if len(row) > 3}
    missing = {(f"`{row.ud}`", f"`{row.clearnlp}`") for row in ROWS} - table
    assert not missing


def test_the_labels_that_tell_clearnlp_are_no_relations_of_ud() -> None:
    parser = spacy_arceager.load("en").get_pipe("arceager_parser")
    assert not CLEARNLP_ONLY & {label.partition(":")[0] for label in parser.labels}


# Words, parts of speech and relations that the rules look at, in every combination.
FORMS = (
    "to", "by", "of", "in", "order", "because", "instead", "such", "what", "whether", "it",
    "there", "both", "not", "than", "at", "is", "word", ",",
)
POS = ("NOUN", "PROPN", "PRON", "VERB", "AUX", "ADJ", "ADV", "ADP", "NUM", "SYM", "PART", "PUNCT")
TAGS = ("VB", "VBG", "$", "")
LEMMAS = ("say", "give", "ask", "see", "")
RELATIONS = (
    "acl", "acl:relcl", "advcl", "advmod", "aux", "case", "cc", "ccomp", "compound", "conj", "cop",
    "csubj", "det", "expl", "fixed", "flat", "iobj", "mark", "nmod", "nmod:unmarked", "nsubj",
    "nsubj:outer", "nummod", "obj", "obl", "obl:agent", "parataxis", "punct", "xcomp",
)
WORDS = st.builds(
    Word, st.sampled_from(FORMS), st.sampled_from(POS), st.sampled_from(TAGS),
    st.sampled_from(LEMMAS),
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any tree, crossing arcs too: in a random order each word has an earlier one as its head."""
    words = draw(st.lists(WORDS, min_size=1, max_size=12))
    order = draw(st.permutations(range(len(words))))
    heads = [0] * len(words)
    for place, word in enumerate(order):
        heads[word] = order[draw(st.integers(0, place - 1))] if place else word
    relation = st.sampled_from(RELATIONS)
    labels = [draw(relation) if head != i else "root" for i, head in enumerate(heads)]
    return Tree(words, heads, labels)


@settings(max_examples=500, deadline=None)
@given(tree=trees())
def test_every_tree_stays_one_tree(tree: Tree) -> None:
    size = len(tree.words)
    convert(tree)
    assert [label == "ROOT" for label in tree.labels].count(True) == 1
    assert set(tree.labels) <= CLEARNLP
    for word in range(size):
        for _ in range(size):
            word = tree.heads[word]
        assert tree.labels[word] == "ROOT"     # the head of the head ... of each is the root
    children = {(child, word) for word in range(size) for child in tree.children(word)}
    assert children == {(word, head) for word, head in enumerate(tree.heads) if word != head}


def test_nothing_moves_below_itself() -> None:
    tree = Tree([Word("a")] * 3, [0, 0, 1], ["root", "obj", "obj"])
    tree.move(0, 2)
    tree.move(1, 2)
    assert tree.heads == [0, 0, 1]
    tree.move(2, 0)
    assert tree.heads == [0, 0, 0]

"""The component `arceager_supertagger`: its tags, its loss, and that it changes no parse."""

from pathlib import Path

import numpy
import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from spacy_arceager.gold.supertags import supertags
from spacy_arceager.pipe.supertagger import Supertagger
from tests.conftest import PARSER, TINY_MODEL, TINY_TOK2VEC, read_corpus, train

SUPERTAGGER = "arceager_supertagger"
MODEL = {"@architectures": "spacy.Tagger.v2", "tok2vec": TINY_TOK2VEC}

WORDS = ["Three", "old", "friends", "sing", "."]
POS = ["NUM", "ADJ", "NOUN", "VERB", "PUNCT"]
HEADS = [2, 2, 3, 3, 3]
DEPS = ["nummod", "amod", "nsubj", "ROOT", "punct"]
TAGS = ["nummod>NOUN", "amod>NOUN", "nsubj>VERB", "ROOT", "punct<VERB"]


def gold(nlp: Language, **annotation: list) -> Doc:
    return Doc(nlp.vocab, WORDS, **{"pos": POS, "heads": HEADS, "deps": DEPS, **annotation})


def pipeline() -> Language:
    nlp = spacy.blank("xx")
    nlp.add_pipe(SUPERTAGGER, config={"model": MODEL})
    return nlp


def supertagger(nlp: Language) -> Supertagger:
    found = nlp.get_pipe(SUPERTAGGER)
    assert isinstance(found, Supertagger)
    return found


@pytest.fixture(scope="module")
def trained() -> Language:
    nlp = pipeline()
    nlp.add_pipe(PARSER, config={"model": TINY_MODEL})
    train(nlp, read_corpus(nlp, "en_small-train.conllu"), epochs=30)
    return nlp


def test_tags_of_a_tree() -> None:
    nlp = spacy.blank("xx")
    assert supertags(Example(Doc(nlp.vocab, WORDS), gold(nlp))) == TAGS


def test_heads_without_upos() -> None:
    nlp = spacy.blank("xx")
    tags = supertags(Example(Doc(nlp.vocab, WORDS), gold(nlp, pos=[""] * 5)))
    assert tags == ["nummod>", "amod>", "nsubj>", "ROOT", "punct<"]


def test_what_is_missing_has_none() -> None:
    nlp = spacy.blank("xx")
    plain = Doc(nlp.vocab, WORDS)
    assert supertags(Example(Doc(nlp.vocab, WORDS), plain)) == [None] * 5
    no_label = gold(nlp, deps=["", *DEPS[1:]])
    assert supertags(Example(Doc(nlp.vocab, WORDS), no_label)) == [None, *TAGS[1:]]


def test_other_tokens() -> None:
    nlp = spacy.blank("xx")
    predicted = Doc(nlp.vocab, ["Three", "old", "fri", "ends", "sing", "."],
                    spaces=[True, True, False, True, False, False])
    reference = gold(nlp, spaces=[True, True, True, False, False])
    tags = supertags(Example(predicted, reference))
    # Both parts of a word have its tag; what hangs on two parts has none.
    assert tags == [None, None, "nsubj>VERB", *TAGS[2:]]


def test_loss_is_zero_where_nothing_is_known() -> None:
    nlp = pipeline()
    nlp.initialize(lambda: [Example(Doc(nlp.vocab, WORDS), gold(nlp))])
    component = supertagger(nlp)
    assert component.labels == tuple(sorted(TAGS))
    known = Example(Doc(nlp.vocab, WORDS), gold(nlp))
    unknown = Example(Doc(nlp.vocab, WORDS), gold(nlp, deps=["", "vocative", *DEPS[2:]]))
    scores = component.model.predict([known.x, unknown.x])
    loss, gradients = component.get_loss([known, unknown], scores)
    assert loss > 0
    # The gradient of cross-entropy behind a softmax: probabilities less the truth.
    truth = numpy.asarray([[label == tag for label in component.labels] for tag in TAGS])
    numpy.testing.assert_allclose(gradients[0], scores[0] - truth, rtol=1e-5, atol=1e-6)
    assert not gradients[1][:2].any()
    numpy.testing.assert_allclose(gradients[1][2:], (scores[1] - truth)[2:], rtol=1e-5, atol=1e-6)


def test_learns_and_annotates_nothing(trained: Language) -> None:
    examples = read_corpus(trained, "en_small-train.conllu")
    component = supertagger(trained)
    right = total = 0
    for example in examples:
        [scores] = component.model.predict([example.x])
        found = [component.labels[i] for i in scores.argmax(axis=1)]
        right += sum(a == b for a, b in zip(found, supertags(example), strict=True))
        total += len(found)
    assert right > 0.9 * total
    doc = examples[0].x.copy()
    before = doc.to_bytes()
    assert component(doc).to_bytes() == before
    assert next(iter(component.pipe([doc]))).to_bytes() == before


def test_parses_without_it_are_the_same(trained: Language, tmp_path: Path) -> None:
    trained.to_disk(tmp_path)
    texts = [example.x.text for example in read_corpus(trained, "en_small-dev.conllu")]
    whole, without = spacy.load(tmp_path), spacy.load(tmp_path, exclude=[SUPERTAGGER])
    assert supertagger(whole).labels == supertagger(trained).labels
    for one, other in zip(whole.pipe(texts), without.pipe(texts), strict=True):
        assert [(t.head.i, t.dep_) for t in one] == [(t.head.i, t.dep_) for t in other]


def test_without_trees_it_says_what_to_do() -> None:
    nlp = pipeline()
    plain = Doc(nlp.vocab, WORDS)
    with pytest.raises(ValueError, match="--no-supertags"):
        nlp.initialize(lambda: [Example(Doc(nlp.vocab, WORDS), plain)])


def test_the_first_texts_may_be_empty() -> None:
    nlp = pipeline()
    empty = [Example(Doc(nlp.vocab, []), Doc(nlp.vocab, [])) for _ in range(12)]
    nlp.initialize(lambda: [*empty, Example(Doc(nlp.vocab, WORDS), gold(nlp))])
    assert supertagger(nlp).labels


def test_labels_of_init_labels() -> None:
    nlp = pipeline()
    examples = [Example(Doc(nlp.vocab, WORDS), gold(nlp))]
    supertagger(nlp).initialize(lambda: examples, nlp=nlp, labels=["ROOT", "nsubj>VERB"])
    assert supertagger(nlp).label_data == ("ROOT", "nsubj>VERB")
    assert nlp.update(examples)[SUPERTAGGER] > 0


def test_other_labels_at_a_second_initialize() -> None:
    nlp = pipeline()
    examples = [Example(Doc(nlp.vocab, WORDS), gold(nlp))]
    nlp.initialize(lambda: examples)
    nlp.update(examples)
    others = [Example(Doc(nlp.vocab, WORDS), gold(nlp, deps=["a", "b", "c", "ROOT", "d"]))]
    sgd = nlp.initialize(lambda: [*examples, *others])
    assert supertagger(nlp).labels == ("ROOT", *sorted({*TAGS, "a>NOUN", "b>NOUN", "c>VERB",
                                                        "d<VERB"} - {"ROOT"}))
    losses = [nlp.update(others, sgd=sgd)[SUPERTAGGER] for _ in range(30)]
    assert losses[-1] < 0.9 * losses[0]


def test_labels_that_are_none_are_refused() -> None:
    nlp = pipeline()
    examples = [Example(Doc(nlp.vocab, WORDS), gold(nlp))]
    for labels, message in ((["a", "a"], "twice"), (["\ud800"], "UTF-8 cannot write")):
        with pytest.raises(ValueError, match=message):
            supertagger(nlp).initialize(lambda: examples, nlp=nlp, labels=labels)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")     # thinc adds nan up
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_ends_the_training(number: float) -> None:
    nlp = pipeline()
    examples = [Example(Doc(nlp.vocab, WORDS), gold(nlp))]
    nlp.initialize(lambda: examples)
    softmax = supertagger(nlp).model.get_ref("softmax")
    softmax.set_param("b", numpy.full_like(softmax.get_param("b"), number))
    with pytest.raises(ValueError, match="NaN|nan"):
        nlp.update(examples, sgd=nlp.resume_training())

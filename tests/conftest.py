"""Helpers shared by the tests: tiny treebanks, tiny parsers, random weights and trees."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
import spacy
from hypothesis import settings
from hypothesis import strategies as st
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from spacy.util import fix_random_seed, minibatch, registry
from thinc.api import Model, Optimizer

from spacy_arceager.kernels import matrix_product
from spacy_arceager.kernels.row_product import BYTES, HALVES, PRODUCTS, find_kernel
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.network.scorer import Scorer
from spacy_arceager.network.scoring import build_scoring, get_weights
from spacy_arceager.network.weights import PARAMS
from spacy_arceager.pipe.component import ArcEagerParser
from spacy_arceager.systems.features import FRONT

# The same examples each time: two scores that differ by less than a float32 tells are a tie for
# the decoder and none for its slow twin. The fuzz bench draws anew. Tests assert no time.
settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")

DATA = Path(__file__).parent / "data"
PARSER = "arceager_parser"
SEEDS = st.integers(0, 2**32 - 1)

TINY_TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 32,
    "depth": 1,
    "embed_size": 200,
    "window_size": 1,
    "maxout_pieces": 2,
    "subword_features": True,
}
TINY_MODEL = {"hidden_width": 32, "tok2vec": TINY_TOK2VEC}
# Tests that rely on what a certain model does name its features. So it stays the same when a system
# gets other features of its own.
MANY_WORDS = [
    "O1", "U1", "O2", "O3", "O4", "O2.left1", "O2.left2", "O2.right1", "O2.right2", "O1.left1",
    "O1.left2", "O3.left1", "O3.right1",
]
WIDE_MODEL = {**TINY_MODEL, "words": MANY_WORDS}

WORDS = ["The", "letters", "that", "she", "wrote", "arrived", "late", "."]

# Head, label and whether a sentence starts there, of each token.
Annotation = list[tuple[int, str, bool | None]]


def blank_pipeline(lang: str = "xx", **config: Any) -> Language:
    """A pipeline with one small parser, which is not initialised.

    "xx", any language, is made the quickest: English has a thousand exceptions for its tokenizer.
    """
    nlp = spacy.blank(lang)
    nlp.add_pipe(PARSER, config={"model": TINY_MODEL, **config})
    return nlp


def get_parser(nlp: Language) -> ArcEagerParser:
    parser = nlp.get_pipe(PARSER)
    assert isinstance(parser, ArcEagerParser)
    return parser


def read_corpus(nlp: Language, name: str, **kwargs: int) -> list[Example]:
    reader = registry.readers.get("arceager.ConlluCorpus.v1")
    return list(reader(DATA / name, **kwargs)(nlp))


def train(
    nlp: Language, examples: Sequence[Example], epochs: int, sgd: Optimizer | None = None
) -> list[float]:
    """Train on shuffled batches of 16; the loss of each epoch."""
    if sgd is None:
        fix_random_seed(0)
        sgd = nlp.initialize(lambda: examples)
        sgd.learn_rate = 0.01
    shuffled = list(examples)
    history = []
    for epoch in range(epochs):
        random.Random(epoch).shuffle(shuffled)
        losses: dict[str, float] = {}
        for batch in minibatch(shuffled, 16):
            nlp.update(batch, sgd=sgd, losses=losses)
        history.append(losses[PARSER])
    return history


def annotation(doc: Doc) -> Annotation:
    return [(token.head.i, token.dep_, token.is_sent_start) for token in doc]


def numbered_texts(n: int) -> list[str]:
    """Texts of 2 to 9 words, no two the same."""
    return [" ".join(WORDS[: 1 + i % len(WORDS)]) + f" {i}" for i in range(n)]


def parse_words(nlp: Language, examples: Iterable[Example]) -> list[Annotation]:
    """The parses of the predicted Docs of Examples, which stay as they are."""
    docs = [example.predicted.copy() for example in examples]
    return [annotation(doc) for doc in nlp.pipe(docs)]


class Trained:
    """A trained pipeline. `nlp` is shared: tests that change it take a `copy`."""

    def __init__(self, lang: str, corpus: str, epochs: int, limit: int = 0):
        self.lang = lang
        self.corpus = corpus
        self.limit = limit
        self.nlp = blank_pipeline(lang, model=WIDE_MODEL)
        self.examples = read_corpus(self.nlp, corpus, limit=limit)
        self.losses = train(self.nlp, self.examples, epochs)
        self._bytes = self.nlp.to_bytes()

    def copy(self) -> Language:
        return blank_pipeline(self.lang, model=WIDE_MODEL).from_bytes(self._bytes)

    def read(self, nlp: Language) -> list[Example]:
        """The training Examples once more, with the vocabulary of `nlp`."""
        return read_corpus(nlp, self.corpus, limit=self.limit)


@pytest.fixture(scope="session")
def english() -> Trained:
    """Has learnt 64 projective trees."""
    return Trained("xx", "en_small-train.conllu", epochs=12, limit=64)


@pytest.fixture(scope="session")
def saved(english: Trained, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of `english`; it loads in a third of the time that the shipped pipeline takes."""
    path = tmp_path_factory.mktemp("model")
    english.nlp.to_disk(path)
    return str(path)


@pytest.fixture(scope="session")
def german() -> Trained:
    """Has learnt 50 trees, 35 of them non-projective."""
    return Trained("de", "de_crossing.conllu", epochs=24)


def random_scoring(
    system: TransitionSystem,
    seed: int,
    width: int = 8,
    hidden: int = 6,
    pieces: int = 3,
    words: Sequence[str] = MANY_WORDS,
    attributes: Sequence[str] = FRONT.attributes,
) -> Model:
    """The layers that score configurations, every weight drawn from N(0, 1)."""
    model = build_scoring(hidden, pieces, words, attributes)
    model.set_dim("nI", width)
    model.attrs["n_labels"] = system.n_labels
    model.attrs["n_classes"] = system.n_classes
    model.initialize()
    randomise(model, seed)
    return model


@pytest.fixture
def exact_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradients are products of floats, whatever the processor has."""
    monkeypatch.setattr(matrix_product, "HALVES_IN_GRADIENTS", False)


# The roundings of a product's numbers, each with the ways in which this processor multiplies them.
WAYS = [
    (rounding, product) for rounding in (HALVES, BYTES) for product in PRODUCTS
    if find_kernel(rounding, product) == product
]


def float_scorer(model: Model) -> Scorer:
    """The weights of "scoring" as floats; parser and training have them as half floats."""
    return Scorer(get_weights(model))


def randomise(model: Model, seed: int) -> None:
    generator = numpy.random.default_rng(seed)
    for name in PARAMS:
        shape = model.get_param(name).shape
        model.set_param(name, generator.normal(size=shape).astype("f"))


def random_vectors(n_words: int, width: int, seed: int) -> numpy.ndarray:
    return numpy.random.default_rng(seed).normal(size=(n_words, width)).astype("f")


def assert_one_tree(heads: Sequence[int]) -> None:
    """One root, which is its own head, and every word reaches it."""
    assert sum(head == word for word, head in enumerate(heads)) == 1
    children: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head != word:
            children[head].append(word)
    reached = [word for word, head in enumerate(heads) if head == word]
    for word in reached:
        reached.extend(children[word])
    assert len(reached) == len(heads)


@st.composite
def projective_trees(draw: st.DrawFn, max_words: int, min_words: int = 1) -> list[int]:
    """Heads of random projective trees; the root is its own head."""
    n = draw(st.integers(min_words, max_words))
    generator = draw(st.randoms(use_true_random=False))
    root = generator.randrange(n)
    heads = [root] * n
    # Spans of words that are still to become subtrees of a head.
    spans = [(0, root, root), (root + 1, n, root)]
    while spans:
        start, end, head = spans.pop()
        if start < end:
            stop = generator.randint(start + 1, end)
            word = generator.randrange(start, stop)
            heads[word] = head
            spans += [(start, word, word), (word + 1, stop, word), (stop, end, head)]
    return heads


@pytest.fixture
def tok2vec() -> Model:
    return registry.resolve({"tok2vec": TINY_TOK2VEC})["tok2vec"]


def las(nlp: Language, examples: list[Example]) -> float:
    """The LAS by spaCy's own score."""
    return nlp.evaluate(examples)["dep_las"]


def unparsed(trained: Trained, nlp: Language) -> list[Doc]:
    """The first Docs of the treebank, not parsed yet."""
    return [example.predicted for example in trained.read(nlp)[:12]]

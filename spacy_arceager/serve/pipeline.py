"""The pipeline of a server, and what it makes of a text."""

from collections.abc import Iterator, Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Token

from ..annotation.confidence import HEAD, LABEL
from ..annotation.fixed_arcs import NAME as FIXED_ARCS
from ..annotation.forbidden import ARCS as FORBIDDEN_ARCS
from ..annotation.layout import sentences_of
from ..corpus.conllu import SurfaceText
from ..errors import ConstraintError
from ..formats.k_best import KBest, RankedTree
from ..formats.trees.conllu import to_conllu
from ..pipe.component import find_parser
from .drawing import draw_tree
from .errors import refused
from .limits import Limits, check_text, check_words
from .schema import Drawing, ParseAnswer, ParseRequest, Sentence, Tree, Word


class ServedPipeline:
    """A pipeline that answers requests, one at a time.

    Args:
        nlp: the pipeline; each request says whether its parser finds confidences.
        name: what clients call it.

    Raises:
        ValueError: If the pipeline has no arceager_parser, or its parser builds graphs.
    """

    def __init__(self, nlp: Language, name: str, limits: Limits) -> None:
        self.nlp = nlp
        self.name = name
        self.limits = limits
        self.parser, _ = find_parser(nlp)
        if self.parser.parameters.graph:
            raise ValueError(f"'{self.parser.name}' builds graphs, but the server shows trees")

    def describe(self) -> dict[str, Any]:
        """What a client has to know: the pipeline, the labels and the limits."""
        return {
            "model": self.name,
            "language": self.nlp.lang,
            "license": self.nlp.meta["license"],
            "system": self.parser.parameters.name,
            "labels": sorted(self.parser.labels),
            "limits": {
                "bytes": self.limits.bytes, "words": self.limits.page_words,
                "words_of_process": self.limits.words, "requests_a_minute": self.limits.rate,
            },
        }

    def parse(self, request: ParseRequest) -> ParseAnswer:
        """The answer to a request.

        Raises:
            ServeError: If the text is too long, or no tree meets the constraints.
        """
        with self.nlp.memory_zone():
            doc = self._parse(request)
            with refused():
                conllu = to_conllu(doc, {})
            return ParseAnswer(
                model=self.name, sentences=list(self._sentences(doc, request)), conllu=conllu
            )

    def derive(self, request: ParseRequest) -> str:
        """A page that shows step by step how the text is parsed. Errors are those of `parse`."""
        with self.nlp.memory_zone():
            doc = self._parse(request)
            with refused():
                return self.parser.derivation_page([doc]).to_html()

    def _parse(self, request: ParseRequest) -> Doc:
        self.parser.confidence = True
        check_text(request.text, self.limits.page_words)
        doc = self.nlp.make_doc(request.text)
        check_words(len(doc), self.limits.page_words)
        for name, constraints in (
            (FIXED_ARCS, request.fixed), (FORBIDDEN_ARCS, request.forbidden)
        ):
            doc._.set(name, [one.to_arc() for one in constraints])
        with refused(ConstraintError):
            return self.nlp(doc)

    def _sentences(self, doc: Doc, request: ParseRequest) -> Iterator[Sentence]:
        spans = [span for span in sentences_of(doc) if not span.text.isspace()]
        best: Sequence[Sequence[RankedTree]] = [()] * len(spans)
        if request.k_best and spans:
            best = list(KBest(self.parser, request.k_best).find(doc))
        text = SurfaceText(doc)
        for span, trees in zip(spans, best, strict=True):
            tokens = [token for token in span if not token.is_space]
            words = [*map(describe_word, tokens)]
            yield Sentence(
                text=text.of([token.i for token in tokens]),
                confidence=span._.get(HEAD),
                words=words,
                drawing=self._draw(
                    tokens, [word.head for word in words], [word.label for word in words], request
                ),
                trees=[
                    Tree(
                        scores=one.scores, heads=one.tree.heads, labels=one.tree.labels,
                        drawing=self._draw(tokens, one.tree.heads, one.tree.labels, request),
                    )
                    for one in trees
                ],
            )

    def _draw(
        self, tokens: Sequence[Token], heads: Sequence[int], labels: Sequence[str],
        request: ParseRequest,
    ) -> Drawing | None:
        if request.draw is None:
            return None
        return draw_tree(
            [token.i for token in tokens], [token.text for token in tokens], heads, labels,
            down=request.draw == "down",
        )


def describe_word(token: Token) -> Word:
    """A word of a parse."""
    return Word(
        index=token.i, text=token.text, lemma=token.lemma_, upos=token.pos_, xpos=token.tag_,
        feats=str(token.morph), head=token.head.i, label=token.dep_,
        head_confidence=token._.get(HEAD), label_confidence=token._.get(LABEL),
    )

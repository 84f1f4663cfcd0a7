"""The command `evaluate`: parse a CoNLL-U file and score the trees."""

from pathlib import Path
from typing import Annotated

import typer

from .messages import fail
from .pipeline import HINT

SCORES = {
    "dep_uas_ud": "UAS, punctuation counted (official UD evaluation)",
    "dep_las_ud": "LAS, punctuation counted, subtypes cut (official UD evaluation)",
    "dep_las_full": "LAS, punctuation counted, full labels",
    "dep_uas": "UAS, without punctuation (spaCy)",
    "dep_las": "LAS, without punctuation (spaCy)",
    "dep_exact": "sentences with every head and label right",
    "dep_nonproj_recall": "recall of crossing arcs",
    "dep_elas": "ELAS, enhanced graphs",
    "dep_eulas": "EULAS, enhanced graphs, subtypes cut",
    "sents_f": "sentence boundaries, F1",
    "tag_acc": "XPOS accuracy",
    "pos_acc": "UPOS accuracy",
}


def evaluate(
    model: Annotated[
        str, typer.Argument(metavar="NAME_OR_PATH", help="Pipeline to evaluate. " + HINT)
    ],
    path: Annotated[
        Path, typer.Argument(metavar="CONLLU", help="CoNLL-U file, folder or pattern.")
    ],
    output_path: Annotated[
        Path | None, typer.Option("--output", "-o", help="JSON file for all scores.")
    ] = None,
    sentences_per_doc: Annotated[
        int, typer.Option(min=1, help="Sentences that make up a document.")
    ] = 1,
) -> None:
    """Parse a treebank with its own tokens and print the scores, in percent.

    Exit codes: 0 done, 1 an input failed, 2 wrong usage.
    """
    import srsly
    from wasabi import msg

    from ..corpus.conllu import ConlluError, create_conllu_corpus
    from .pipeline import load_pipeline

    nlp = load_pipeline(model)
    corpus = create_conllu_corpus(path, sentences_per_doc=sentences_per_doc)
    try:
        scores = nlp.evaluate(corpus(nlp))
    except (ConlluError, OSError) as error:
        fail("Cannot read the treebank.", str(error))
    rows = [(label, f"{100 * scores[key]:.2f}") for key, label in SCORES.items()
            if scores.get(key) is not None]
    msg.table(rows, max_col=max(map(len, SCORES.values())))
    if "dep_multiple_roots" in scores:
        print(f"Sentences with several roots: {scores['dep_multiple_roots']}")
    if output_path is not None:
        srsly.write_json(output_path, scores)

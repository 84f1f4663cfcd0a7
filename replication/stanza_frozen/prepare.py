"""A treebank whose forms are numbers, with the frozen encoder's vector of each of its words.

python replication/stanza_frozen/prepare.py FOLDER OUTPUT

FOLDER has train.conllu, dev.conllu and the encoder's files train.conllu.e5. OUTPUT gets the two
files with forms w0, w1 and so on, without lemmas, and vectors.txt.
"""

import sys
from pathlib import Path

import numpy
import spacy

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.pretrained.frozen_encoder import build_frozen_encoder

folder, output = map(Path, sys.argv[1:])
output.mkdir(exist_ok=True)
layer = build_frozen_encoder(path=str(folder / "train.conllu.e5"))
layer.initialize()
nlp = spacy.blank("xx")
rows = []
for part in ("train", "dev"):
    docs = [example.predicted for example in ConlluCorpus(folder / f"{part}.conllu")(nlp)]
    vectors = [v for a in range(0, len(docs), 256) for v in layer.predict(docs[a : a + 256])]
    words = iter(numpy.concatenate(vectors))
    lines = []
    for line in (folder / f"{part}.conllu").read_text(encoding="utf8").split("\n"):
        columns = line.split("\t")
        if columns[0].isdigit():
            columns[1:3] = [f"w{len(rows)}", "_"]
            rows.append(next(words))
        lines.append("\t".join(columns))
    assert next(words, None) is None
    (output / f"{part}.conllu").write_text("\n".join(lines), encoding="utf8")
with (output / "vectors.txt").open("w") as out:
    out.write(f"{len(rows)} {len(rows[0])}\n")
    for i, row in enumerate(rows):
        out.write(f"w{i} " + " ".join(f"{value:.4f}" for value in row) + "\n")

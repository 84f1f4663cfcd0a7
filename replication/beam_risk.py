"""Train on from greedy weights, with a beam or not, and print LAS as it goes (one treebank, one seed).

python -m replication.beam_risk MODEL TREEBANK greedy|risk|max_violation STEPS RATE WIDTH SEED

TREEBANK is a folder with train.conllu and dev.conllu. Each line has LAS without punctuation, greedy
and with a beam of WIDTH.
"""

import random
import sys
import time
from dataclasses import replace

import spacy
from spacy.training.batchers import minibatch_by_words
from spacy.util import fix_random_seed, registry

from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.search.settings import BeamSettings


def main(
    model: str, treebank: str, kind: str, steps: int, rate: float, width: int, seed: int
) -> None:
    fix_random_seed(seed)
    nlp = spacy.load(model)
    parser = nlp.get_pipe("arceager_parser")
    examples, dev = (
        list(ConlluCorpus(f"{treebank}/{part}.conllu", sentences_per_doc=1)(nlp))
        for part in ("train", "dev")
    )
    optimizer = registry.resolve(
        {"optimizer": nlp.config["training"]["optimizer"]}, validate=False)["optimizer"]
    optimizer.learn_rate = rate
    nlp.resume_training(sgd=optimizer)
    search = BeamSettings(width)
    learning = None if kind == "greedy" else replace(search, update=kind, normalised=True)
    start = time.process_time()

    def report(step: int) -> None:
        scores = []
        for parser.beam in (None, search):
            scores.append(f"{100 * nlp.evaluate(dev)['dep_las']:.2f}")
        print(kind, step, *scores, f"{time.process_time() - start:.0f} s", flush=True)

    report(0)
    step = 0
    while step < steps:
        random.shuffle(examples)
        for batch in minibatch_by_words(iter(examples), size=400, tolerance=0.2):
            parser.beam = learning
            nlp.update(batch, drop=0.2, sgd=optimizer)
            step += 1
            if step % 100 == 0:
                with nlp.use_params(optimizer.averages or {}):
                    report(step)
            if step == steps:
                break


if __name__ == "__main__":
    model, treebank, kind, steps, rate, width, seed = sys.argv[1:]
    main(model, treebank, kind, int(steps), float(rate), int(width), int(seed))

"""us per state of oracles on real sentences, over random derivations with some errors."""
import sys, random, time
import numpy
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.oracles.gold import GoldTrees
from spacy_arceager.search.rollout import roll_out
from spacy_arceager.systems import arc_hybrid
from tests.conftest import float_scorer, random_scoring, random_vectors

def sentences(path):
    rows = []
    for line in open(path, encoding="utf8"):
        line = line.rstrip("\n")
        if not line:
            if rows: yield rows
            rows = []
        elif line[0].isdigit():
            c = line.split("\t")
            if c[0].isdigit(): rows.append(int(c[6]))
    if rows: yield rows

def trees(path, limit):
    out = []
    for heads in sentences(path):
        tree = [h - 1 if h else i for i, h in enumerate(heads)]
        if sum(h == i for i, h in enumerate(tree)) == 1: out.append(tree)
        if len(out) >= limit: break
    return out

def main():
    path, limit = sys.argv[1], int(sys.argv[2])
    golds = trees(path, limit)
    system = TransitionSystem(arc_hybrid(swap=True))
    n = sum(map(len, golds))
    starts = numpy.cumsum([0] + [len(t) for t in golds])
    gold = GoldTrees([len(t) for t in golds], [h for t in golds for h in t], [0] * n)
    scorer = float_scorer(random_scoring(system, 1))
    vectors = random_vectors(n, 8, 1)
    print(len(golds), "sentences", n, "words")
    for rate in (0.1, 1.0):
        for name in sys.argv[3].split(","):
            kind, _, opt = name.partition("/")
            options = dict([opt.split("=")]) if opt else {}
            options = {k: {"True": True, "False": False}.get(v, v) for k, v in options.items()}
            best = 1e9
            for k in range(3):
                start = time.process_time()
                r = roll_out(system, scorer, vectors, gold, Oracle(kind, **options), rate, 0.0, 1)
                best = min(best, time.process_time() - start)
            print(f"exploration {rate} {name:35} states {r.n_states:7} {1e6 * best / r.n_states:7.2f} us a state, costly liked {100*r.n_wrong/r.n_states:.0f} %", flush=True)
main()

from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import arc_hybrid
from tests.brute_force import Search, all_trees, is_projective
from tests.oracles.comparison import compare
system = TransitionSystem(arc_hybrid())
for n in (2, 3, 4, 5):
    for p in (True, False):
        trees = [t for t in all_trees(n) if is_projective(t) == p]
        if trees:
            for name in ("exact", "eisner"):
                print(n, "projective" if p else "non-projective", name, compare(Search(system, trees), Oracle(name)), flush=True)

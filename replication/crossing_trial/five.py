import sys; sys.path.insert(0, "replication/crossing_trial")
from brute import *
system = TransitionSystem(arc_hybrid(swap=True))
for n in (2, 3, 4, 5):
    search = PairSearch(system, all_trees(n))
    s0 = system.initial(n)
    few = [int(split(k)[1]) for k in search.values[s0.state()]]
    line = {}
    for name, o in {"static lazy": Oracle("static", swap_order="lazy"), "static eager": Oracle("static", swap_order="eager"), "arcs first": Oracle("static", swap_order="arcs_first")}.items():
        line[name] = [sum(t.move == "SWAP" for t, _ in o.derivation(system, tree)) for tree in search.trees]
    print(n, len(search.configurations), "fewest", sum(few), {k: (sum(v), sum(a > b for a, b in zip(v, few))) for k, v in line.items()}, flush=True)

import sys; sys.path.insert(0, "replication/crossing_trial")
from brute import *
system = TransitionSystem(arc_hybrid(swap=True))
search = PairSearch(system, all_trees(4)); o = Oracle("pair")
k = 0
lost = collections = {}
from collections import Counter
kinds = Counter()
for c in search.configurations:
    truth = search.truth(c)
    if len(truth) < 2: continue
    for i, tree in enumerate(search.trees):
        costs = o.costs(c, tree); best = max(v[i] for v in truth.values())
        right = {t.move for t in truth if truth[t][i] == best}; off = {t.move for t in costs if costs[t] == 0}
        if right != off:
            loss = 4 - split(best)[0]
            kinds[tuple(sorted(right)), tuple(sorted(off)), int(loss)] += 1
            if not (off & right):
                print(tree, c.operative, c.unprocessed, c.heads, "true", {t.move: tuple(map(int, split(truth[t][i]))) for t in truth}, "offered", off)
for k, v in kinds.most_common(): print(k, v)

"""Fewest SWAPs by 0-1 breadth-first search over transitions that lose nothing, on real sentences and small trees."""
import sys
from collections import deque
bank, limit = sys.argv[1], int(sys.argv[2])
sys.argv = ["x", "x", "1", ""]
exec(open("replication/crossing_trial/timing.py").read().replace("\nmain()", ""))
from tests.brute_force import all_trees
system = TransitionSystem(arc_hybrid(swap=True))
exact = Oracle("exact", projective_ties=False)
CAP = 4000
def fewest(tree):
    first = system.initial(len(tree)); queue = deque([(0, first)]); seen = set(); n = 0
    while queue:
        k, c = queue.popleft()
        s = (tuple(c.operative), tuple(c.unprocessed))
        if s in seen: continue
        seen.add(s)
        if c.is_terminal: return k
        n += 1
        if n > CAP: return None
        costs = exact.costs(c, tree)
        free = [t for t in costs if costs[t] == 0]
        arcs = [t for t in free if t.move not in ("SHIFT", "SWAP")]
        for t in (arcs[:1] or free):
            d = c.copy(); d.apply(t)
            (queue.append if t.move == "SWAP" else queue.appendleft)((k + (t.move == "SWAP"), d))
def swaps(o, tree): return sum(t.move == "SWAP" for t, _ in o.derivation(system, tree))
golds = [t for n in (3, 4, 5) for t in all_trees(n)] if bank == "small" else [t for t in trees(f"treebanks/{bank}/train.conllu", limit)]
pair, lazy = Oracle("pair"), Oracle("static", swap_order="lazy")
done = unknown = more = 0; totals = [0, 0, 0]
for tree in golds:
    l = swaps(lazy, tree)
    if not l: continue
    f = fewest(tree)
    if f is None: unknown += 1; continue
    p = swaps(pair, tree)
    done += 1; more += p > f
    assert p >= f
    totals[0] += f; totals[1] += p; totals[2] += l
print(bank, "with SWAP", done, "not searched", unknown, "fewest, pair, lazy", totals, "pair has more in", more)

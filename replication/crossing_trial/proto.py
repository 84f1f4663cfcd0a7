import sys; sys.path.insert(0, "replication/crossing_trial")
from brute import *
from tests.oracles.cost_functions.test_swap import projective_order

def components(tree):
    n = len(tree); comp = list(range(n)); stack = []
    left = [sum(1 for d, h in enumerate(tree) if h == w != d) for w in range(n)]
    for w in range(n):
        stack.append(w)
        while len(stack) > 1:
            a, b = stack[-2], stack[-1]
            if tree[a] == b and left[a] == 0: comp[a] = b; stack[-2:] = [b]; left[b] -= 1
            elif tree[b] == a and left[b] == 0: comp[b] = a; stack.pop(); left[a] -= 1
            else: break
    return [w if comp[w] == w else -1 for w in range(n)]

class Rollout:
    """Costs: arcs lost by `exact`, then SWAPs of the way that a policy takes."""
    def __init__(self, root, lazy=True, exact=None, redo=False):
        self.exact = exact or Oracle("exact", projective_ties=False)
        self.lazy, self.redo = lazy, redo
        self.memo = {}
    def order(self, c, tree):
        key = tree
        if self.redo:
            # the gold forest over words without a head, lost heads make a root
            heads = c.heads
            left = [w for w in range(len(tree)) if heads[w] is None]
            key = tuple((tree[w] if tree[w] in left else w) if w in left else -1 for w in range(len(tree)))
        if key not in self.memo:
            n = len(tree)
            kids = {w: [d for d in range(n) if key[d] == w != d] for w in range(n)}
            out = []
            def walk(w):
                for d in kids[w]:
                    if d < w: walk(d)
                out.append(w)
                for d in kids[w]:
                    if d > w: walk(d)
            for w in range(n):
                if key[w] == w: walk(w)
            order = {w: i for i, w in enumerate(out)}; order[n] = n
            self.memo[key] = order, components(tree)
        return self.memo[key]
    def swaps(self, c, tree):
        c = c.copy(); n = 0
        while not c.is_terminal:
            costs = self.exact.costs(c, tree)
            free = {t.move: t for t, cost in costs.items() if cost == 0}
            t = self.pick(c, tree, free)
            n += t.move == "SWAP"
            c.apply(t)
        return n
    def pick(self, c, tree, free):
        for m in ("LEFT-ARC", "RIGHT-ARC", "LEFT", "RIGHT"):
            if m in free: return free[m]
        if "SWAP" in free and "SHIFT" in free:
            s0, b = c.operative[-2:]
            order, comp = self.order(c, tree)
            asked = order.get(s0, 0) > order.get(b, 0)
            growing = self.lazy and b < len(tree) and comp[b] != b and tree[b] > b
            return free["SWAP"] if asked and not growing else free["SHIFT"]
        return next(iter(free.values()))
    def costs(self, c, tree):
        costs = self.exact.costs(c, tree)
        free = [t for t in costs if costs[t] == 0]
        if len(free) > 1:
            n = {}
            for t in free:
                d = c.copy(); d.apply(t)
                n[t] = (t.move == "SWAP") + self.swaps(d, tree)
            low = min(n.values())
            for t in free: costs[t] = int(n[t] > low)
        return costs

if __name__ == "__main__":
    root = sys.argv[1]
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    n = 4
    search = PairSearch(system, all_trees(n))
    for name, o in {"rollout eager": Rollout(root, lazy=False), "rollout lazy": Rollout(root), "redo": Rollout(root, redo=True), "redo eager": Rollout(root, lazy=False, redo=True)}.items():
        a = judge(search, o, search.configurations[::int(sys.argv[2])], range(len(search.trees)))
        print(f"{name:22} all: states {a[0]} costly arcs {100*a[1]/a[0]:.2f}% costly pair {100*a[2]/a[0]:.2f}% only costly {100*a[3]/a[0]:.2f}% same set {100*a[4]/a[0]:.2f}%", flush=True)
        total = numpy.zeros(5, dtype=int)
        class Over:
            def costs(self, c, tree):
                return o.costs(c, tree)
        s0 = system.initial(n)
        print("  SWAPs from the start", sum(o.swaps(s0, t) for t in search.trees), "fewest", sum(int(split(k)[1]) for k in search.values[s0.state()]))

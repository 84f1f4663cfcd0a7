"""Truth about (arcs lost, SWAPs still needed), by exhaustion."""
import sys, random, time
import numpy
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import arc_hybrid
from tests.brute_force import Search, all_trees, is_projective

M = 1000

class PairSearch(Search):
    """Values are M * (right heads at the end) - (SWAPs from here on), the best possible."""
    def successors(self, c):
        yield from super().successors(c)
    def _explore(self, initial):
        seen = {}
        def visit(c):
            s = c.state()
            if s in self.values: return self.values[s]
            self.configurations.append(c)
            after = [(t, self.visit(d) if False else visit(d)) for t, d in self.successors(c)]
            if not after:
                self.values[s] = M * self.final_value(c)
            else:
                self.values[s] = numpy.max([v - (t.move == "SWAP") for t, v in after], axis=0)
            return self.values[s]
        visit(initial)
        return 0
    def truth(self, c):
        """transition -> (n_trees,) key; larger is better."""
        return {t: self.values[d.state()] - (t.move == "SWAP") for t, d in self.successors(c)}

def split(key):
    arcs = -(-key // M)
    return arcs, arcs * M - key

ORACLES = {
    "exact": lambda: Oracle("exact", projective_ties=False),
    "exact+ties": lambda: Oracle("exact"),
    "dynamic": lambda: Oracle("dynamic", projective_ties=False),
    "dynamic+ties": lambda: Oracle("dynamic"),
    "static_dynamic eager": lambda: Oracle("static_dynamic", swap_order="eager"),
    "static_dynamic lazy": lambda: Oracle("static_dynamic", swap_order="lazy"),
}

def judge(search, oracle, configurations, golds):
    """counts: states, offers costly in arcs, offers costly pair, misses all best, set equal"""
    counts = numpy.zeros(5, dtype=int)
    for c in configurations:
        truth = search.truth(c)
        if len(truth) < 2: continue
        names = list(truth)
        keys = numpy.array([truth[t] for t in names])
        best = keys.max(axis=0)
        arcs = -(-keys // M)
        for i in golds:
            costs = oracle.costs(c, search.trees[i])
            low = min(costs.values())
            offered = numpy.array([costs[t] == low for t in names])
            right = keys[:, i] == best[i]
            arcright = arcs[:, i] == arcs[:, i].max()
            counts += (1, (offered & ~arcright).any(), (offered & ~right).any(), not (offered & right).any(), (offered == right).all())
    return counts

def explored(oracle, system, tree, pref=False):
    by_state, waiting = {}, [system.initial(len(tree))]
    while waiting:
        c = waiting.pop()
        if c.is_terminal or c.state() in by_state: continue
        by_state[c.state()] = c
        for t, cost in oracle.costs(c, tree).items():
            if cost <= len(tree):
                d = c.copy(); d.apply(t); waiting.append(d)
    return list(by_state.values())

if __name__ == "__main__":
    root = sys.argv[1]
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    for n in (3, 4):
        search = PairSearch(system, all_trees(n))
        start = search.values[system.initial(n).state()]
        print("n", n, "configurations", len(search.configurations), "fewest swaps of all trees", sum(split(k)[1] for k in start), flush=True)
        if n == 3: continue
        for name, make in ORACLES.items():
            o = make()
            a = judge(search, o, search.configurations, range(len(search.trees)))
            print(f"{name:22} all: states {a[0]} costly arcs {100*a[1]/a[0]:.2f}% costly pair {100*a[2]/a[0]:.2f}% only costly {100*a[3]/a[0]:.2f}% same set {100*a[4]/a[0]:.2f}%", flush=True)
            total = numpy.zeros(5, dtype=int)
            for i, tree in enumerate(search.trees):
                total += judge(search, o, explored(o, system, tree), [i])
            a = total
            print(f"{'':22} explored: states {a[0]} costly arcs {100*a[1]/a[0]:.2f}% costly pair {100*a[2]/a[0]:.2f}% only costly {100*a[3]/a[0]:.2f}% same set {100*a[4]/a[0]:.2f}%", flush=True)

import sys; sys.path.insert(0, "replication/crossing_trial")
from brute import *
import os
roots = sys.argv[1].split(","); names = sys.argv[2].split(",")
for root in roots:
    system = TransitionSystem(arc_hybrid(swap=True, root=root))
    for n in (3, 4, 5):
        search = PairSearch(system, all_trees(n))
        ids = range(len(search.trees)) if n < 5 else random.Random(1).sample(range(len(search.trees)), 12)
        for name in names:
            o = Oracle(name)
            a = judge(search, o, search.configurations, ids)
            print(root, n, f"{name:10} all: states {a[0]} costly arcs {100*a[1]/a[0]:.2f}% costly pair {100*a[2]/a[0]:.2f}% only costly {100*a[3]/a[0]:.2f}% same set {100*a[4]/a[0]:.3f}%", flush=True)

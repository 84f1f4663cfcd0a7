import sys; banks = ["grc_perseus", "cu_proiel", "eu_bdt"]
sys.argv = ["x", "x", "1", ""]
exec(open("replication/crossing_trial/timing.py").read().replace("\nmain()", ""))
from spacy_arceager.systems.catalogue import find_system
def two_planar(tree):
    arcs = [(min(d, h), max(d, h)) for d, h in enumerate(tree) if d != h]
    cross = {a: [b for b in arcs if a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]] for a in arcs}
    colour = {}
    for a in arcs:
        if a in colour: continue
        colour[a] = 0; todo = [a]
        while todo:
            x = todo.pop()
            for y in cross[x]:
                if y not in colour: colour[y] = 1 - colour[x]; todo.append(y)
                elif colour[y] == colour[x]: return False
    return True
for bank in banks:
    for part in ("train", "dev"):
        golds = trees(f"treebanks/{bank}/{part}.conllu", 10**6)
        n = len(golds)
        none = sum(all(not (a[0] < b[0] < a[1] < b[1]) for a in arcs for b in arcs) for arcs in ([(min(d, h), max(d, h)) for d, h in enumerate(t) if d != h] for t in golds))
        print(bank, part, n, "1-planar %.2f" % (100 * none / n), "2-planar %.2f" % (100 * sum(map(two_planar, golds)) / n), flush=True)

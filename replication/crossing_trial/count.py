import sys; sys.argv = ["x", "x", "1", ""]
exec(open("replication/crossing_trial/timing.py").read().replace("\nmain()", ""))
for bank in ("grc_perseus", "cu_proiel", "eu_bdt"):
    golds = trees(f"treebanks/{bank}/train.conllu", 1500)
    system = TransitionSystem(arc_hybrid(swap=True))
    line = {}
    per = {}
    for name, o in {"eager": Oracle("static", swap_order="eager"), "static lazy": Oracle("static", swap_order="lazy"), "sdyn lazy": Oracle("static_dynamic"), "pair": Oracle("pair"), "dynamic+ties": Oracle("dynamic"), "exact+ties": Oracle("exact")}.items():
        per[name] = [sum(t.move == "SWAP" for t, _ in o.derivation(system, tree)) for tree in golds]
    words = sum(map(len, golds))
    lazy, pair = per["static lazy"], per["pair"]
    print(bank, words, {k: sum(v) for k, v in per.items()}, "pair fewer in", sum(p < l for p, l in zip(pair, lazy)), "more in", sum(p > l for p, l in zip(pair, lazy)), "of", sum(l > 0 for l in lazy), flush=True)

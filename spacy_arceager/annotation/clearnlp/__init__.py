"""English trees of Universal Dependencies are turned into trees of spaCy's English pipelines.

spaCy's English pipelines have the labels of ClearNLP (Choi and Palmer 2012, "Guidelines for the
Clear Style Constituent to Dependency Conversion", technical report 01-12, University of Colorado
at Boulder). `labels.py` has the table of labels. `rules.py` lists the rules, one function for each
construction whose heads differ. `tree.py` has the three operations that change heads.
"""

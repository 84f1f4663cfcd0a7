"""Tiny treebanks with and without faults."""




TWO_ROOTS = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n2\tb\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
ONE_WORD = "1\ta\t_\t_\t_\t_\t0\troot\t_\t_\n\n"
NO_HEAD = "1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n"

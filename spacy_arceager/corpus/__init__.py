"""Files in and out: CoNLL-U with its checks, graphs, the reader of configs."""

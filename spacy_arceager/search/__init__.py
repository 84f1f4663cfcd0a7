"""Which transition is taken: in greedy parsing, by a beam, in training, and in replays."""

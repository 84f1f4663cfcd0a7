"""Which transition is taken: greedy, beam, and roll-outs in training."""

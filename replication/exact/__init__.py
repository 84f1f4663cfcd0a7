"""A trial: exact decoding and global training for arc-eager with the tree constraint."""

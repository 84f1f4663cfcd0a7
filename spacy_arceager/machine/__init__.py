"""One configuration (stack, buffer, arcs) and the transitions on it; trees as arrays."""

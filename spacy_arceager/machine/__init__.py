"""Configurations (stack, buffer, arcs) and the transitions that change them."""

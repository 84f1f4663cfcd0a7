"""What stands in a Doc: words, boundaries, constraints, lifted arcs, graphs and confidences."""

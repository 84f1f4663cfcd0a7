"""Features of a configuration, the layers that score it, and their gradients."""

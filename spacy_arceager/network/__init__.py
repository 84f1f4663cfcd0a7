"""The transition scorer: features of a configuration, the layers that score it, their gradients."""

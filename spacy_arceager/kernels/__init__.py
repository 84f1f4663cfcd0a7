"""Products, strips of weights, values kept for a model, parameters and Adam: for all layers."""

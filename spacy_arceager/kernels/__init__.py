"""What all layers compute with: arithmetic in C, weights in its order, parameters, Adam, the BLAS."""

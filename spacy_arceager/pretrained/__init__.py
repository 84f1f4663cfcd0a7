"""A pretrained transformer encoder whose weights stay as they are, run by ONNX Runtime.

Nothing here is imported by `import spacy_arceager`: the extra `encoder` installs what it needs.
"""

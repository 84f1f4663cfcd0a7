"""The component: its API, its targets (trees, graphs), saving, the factory."""

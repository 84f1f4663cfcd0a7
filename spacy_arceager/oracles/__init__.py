"""What a transition costs in a configuration, given a gold tree; one oracle a file."""

"""Tests that also run beside an installed wheel, away from the sources."""

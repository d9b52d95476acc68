"""Measurements. Each module says what it measures, and is run with `python -m bench.NAME`."""

"""What must never happen, tried very often: `python -m bench safety`."""

"""How long things take, by turns, beside the bare database and peers: `python -m bench speed`, `scale`."""

"""How much of what answers a question is found: `python -m bench quality FOLDER`."""

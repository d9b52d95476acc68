"""How results read: the pages that `python -m bench report` makes of them. Measuring knows nothing of it."""

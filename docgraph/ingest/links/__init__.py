"""One module for each kind of link, the names they go to, and what of a text counts as prose."""

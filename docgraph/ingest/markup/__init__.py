"""What each kind of markup looks like: one module per kind, each from text to headings or to Markdown."""

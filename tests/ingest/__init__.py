"""Bringing documents in, as a whole: from files and from calls to rows, whatever happens on the way."""

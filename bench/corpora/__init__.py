"""Documents for measurements: made from numbers, the same every time; and the fast way to load them."""

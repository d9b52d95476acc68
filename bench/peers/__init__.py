"""Other engines, on the same data, each set as its documentation says."""

"""`python -m docgraph`."""

from docgraph.cli import main

if __name__ == "__main__":
    main()

"""From source code to a graph of it: modules, classes, functions, SQL files, and how they are connected.

All files are read before the first node is given: what a name means is known only by the whole tree.
"""

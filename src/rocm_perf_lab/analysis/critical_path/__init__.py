"""What an execution's end-to-end time depends on: a graph of its work and calls, its longest path, what-ifs.

``graph.build_graph`` makes the graph of a timeline, ``solve`` finds path and slack, ``whatif`` replays the
graph with changes, ``summary`` makes the document. docs/how-it-works/critical-path.md explains edges,
formulas and limits.
"""

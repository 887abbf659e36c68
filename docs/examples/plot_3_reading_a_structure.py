"""
Reading a structure
===================

A Bayesian network classifier can be read: which attributes it lets depend on which. ``parents_`` is a dict,
``to_dot`` writes for Graphviz, ``to_networkx`` makes a graph for further work.
"""

import matplotlib.pyplot as plt
import networkx as nx
from sklearn.datasets import load_wine

from seminaive import KDB, TAN

X, y = load_wine(return_X_y=True, as_frame=True)
tree = TAN().fit(X, y)
for name, parents in tree.parents_.items():
    print(f"{name:30} {', '.join(parents) or '(root)'}")

# %%
# The class is a parent of every attribute as well; left out, the tree remains. It links attributes of the
# wines that inform about each other within a class.

graph = tree.to_networkx()
graph.remove_node("class")
layers = nx.single_source_shortest_path_length(graph, "alcohol")
nx.set_node_attributes(graph, layers, "layer")
places = nx.multipartite_layout(graph, subset_key="layer", align="horizontal")
figure, axis = plt.subplots(figsize=(8, 6), layout="constrained")
nx.draw_networkx_edges(graph, places, ax=axis, node_size=900, edge_color="0.5")
nx.draw_networkx_labels(graph, places, ax=axis, font_size=9, bbox={"facecolor": "0.92", "edgecolor": "none"})
axis.invert_yaxis()
axis.margins(0.1)
axis.axis("off")
plt.show()

# %%
# The root directs the arcs without changing the tree, so another one can make it easier to read.

print(TAN(root="flavanoids").fit(X, y).parents_["total_phenols"])

# %%
# A k-dependence network lists the parents of an attribute strongest first. The one without parents is the
# first in the order of mutual information with the class.

network = KDB(k=2).fit(X, y)
for name in ("flavanoids", "proline", "hue"):
    print(f"{name:12} {network.parents_[name]}")

# %%
# For Graphviz: ``dot -Tsvg``. On the command line, ``seminaive info MODEL --dot`` writes the same.

print(TAN().fit(X[["alcohol", "hue", "proline"]], y).to_dot())

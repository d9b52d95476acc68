"""The three stages as values: what a search found, what it leads to, and the texts. No driver is needed."""

from docgraph.stages.pipeline import PipelineResult
from docgraph.stages.settings import PipelineSettings
from docgraph.stages.texts import NodeText, NodeTexts, TextAccounting
from docgraph.stages.tree import DependencyTree, TreeEdge, TreeNode

__all__ = [
    "DependencyTree",
    "NodeText",
    "NodeTexts",
    "PipelineResult",
    "PipelineSettings",
    "TextAccounting",
    "TreeEdge",
    "TreeNode",
]

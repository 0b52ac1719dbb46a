"""The trees in the form that the extension evaluates (browser_ext/src/extract/choice/trees.ts)."""

import base64
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
LEAF = 255  # in place of the number of a feature
LEAF_MOST = 127
DIGITS = 5  # of a threshold


@dataclass(frozen=True)
class Packed:
    """Trees as bytes in base64; a leaf's byte is multiplied with `leaf_step`."""

    features: list[str]
    thresholds: list[list[float]]
    nodes: str
    leaf_step: float
    bias: float

    def fields(self) -> dict[str, Any]:
        return {
            "features": self.features,
            "thresholds": self.thresholds,
            "nodes": self.nodes,
            "leafStep": self.leaf_step,
            "bias": self.bias,
        }

    def likely(self, rows: NDArray[np.float32]) -> Numbers:
        """Return the likelihood of each row of these features."""
        data = base64.b64decode(self.nodes)
        sums, start = np.zeros(len(rows)), 0
        while start < len(data):
            start = self._add(rows, np.arange(len(rows)), data, start, sums)
        return np.asarray(1 / (1 + np.exp(-(self.bias + sums * self.leaf_step))))

    def _add(self, rows: NDArray[np.float32], at: NDArray[np.int64], data: bytes, start: int, sums: Numbers) -> int:
        """Add the leaves of the tree at a place to these rows, and return where it ends."""
        feature, value = data[start], data[start + 1]
        if feature == LEAF:
            sums[at] += int(np.int8(np.uint8(value)))
            return start + 2
        is_left = rows[at, feature].astype(float) <= self.thresholds[feature][value]
        end = self._add(rows, at[is_left], data, start + 2, sums)
        return self._add(rows, at[~is_left], data, end, sums)


def pack(dump: dict[str, Any], names: list[str]) -> Packed:
    """Pack what LightGBM dumps of a model over features with these names."""
    trees = [tree["tree_structure"] for tree in dump["tree_info"]]
    used = sorted({node["split_feature"] for tree in trees for node in _branches(tree)})
    assert len(used) < LEAF
    thresholds = [
        sorted(
            {_shortened(node["threshold"]) for tree in trees for node in _branches(tree) if node["split_feature"] == at}
        )
        for at in used
    ]
    # the mean of each tree moves into the bias, so that leaves are small
    means = [_mean(tree) for tree in trees]
    most = max(abs(leaf - mean) for tree, mean in zip(trees, means, strict=True) for leaf in _leaves(tree))
    step = float(f"{most / LEAF_MOST:.6g}")
    place = {feature: index for index, feature in enumerate(used)}
    data = bytearray()

    def write(node: dict[str, Any], mean: float) -> None:
        if "leaf_value" in node:
            data.extend((LEAF, max(-LEAF_MOST, min(LEAF_MOST, round((node["leaf_value"] - mean) / step))) & 0xFF))
            return
        feature = place[node["split_feature"]]
        data.extend((feature, thresholds[feature].index(_shortened(node["threshold"]))))
        write(node["left_child"], mean)
        write(node["right_child"], mean)

    for tree, mean in zip(trees, means, strict=True):
        write(tree, mean)
    names_used = [names[feature] for feature in used]
    return Packed(names_used, thresholds, base64.b64encode(bytes(data)).decode(), step, float(f"{sum(means):.6g}"))


def _branches(node: dict[str, Any]) -> list[dict[str, Any]]:
    if "leaf_value" in node:
        return []
    return [node, *_branches(node["left_child"]), *_branches(node["right_child"])]


def _leaves(node: dict[str, Any]) -> list[float]:
    if "leaf_value" in node:
        return [node["leaf_value"]]
    return [*_leaves(node["left_child"]), *_leaves(node["right_child"])]


def _mean(tree: dict[str, Any]) -> float:
    leaves = _leaves(tree)
    return (max(leaves) + min(leaves)) / 2


def _shortened(threshold: float) -> float:
    return float(f"{threshold:.{DIGITS}g}")

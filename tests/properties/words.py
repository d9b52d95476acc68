"""The rules of searching by words once more, in plain Python: BM25, and the fusion of ranks.

Written from the rules: nothing is indexed or counted ahead. What a caller may not see is not there.
"""

from __future__ import annotations

import math
import re
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Key = tuple[str, int]
"""Document and chunk; -1 is the document's own title and summary."""


@dataclass(frozen=True)
class Constants:
    average: float = 100.0
    k1: float = 1.2
    b: float = 0.75


def tokens(text: str) -> list[str]:
    """As the configuration simple reads words of plain letters."""
    return re.findall(r"[a-z]+", text.lower())


def single(value: float) -> float:
    """In single precision, as weights are stored."""
    found: float = struct.unpack("f", struct.pack("f", value))[0]
    return found


def scores(entries: Mapping[Key, str], question: Sequence[str], constants: Constants) -> dict[Key, float]:
    """Of every entry that has one of the words."""
    counted = {key: Counter(tokens(text)) for key, text in entries.items()}
    found = {}
    rarity = {}
    for word in question:
        frequency = sum(word in words for words in counted.values())
        if frequency:
            rarity[word] = math.log(1 + (len(counted) - frequency + 0.5) / (frequency + 0.5))
    worth = Counter(question)
    # Summed as the database sums them: in another order the last digit may be another one.
    order = sorted(rarity, key=lambda word: (-worth[word] * rarity[word], word.encode()))
    for key, words in counted.items():
        if not words.keys() & rarity.keys():
            continue
        norm = constants.k1 * (1 - constants.b + constants.b * words.total() / constants.average)
        total = 0.0
        for word in order:
            weight = single(words[word] / (words[word] + norm)) if words[word] else 0.0
            total += worth[word] * rarity[word] * weight
        found[key] = round(1_000_000 * total) / 1_000_000
    return found


def ranked(found: Mapping[Key, float], most: int) -> list[tuple[Key, float]]:
    """Best first; then by the bytes of the id, and by place."""
    return sorted(found.items(), key=lambda hit: (-hit[1], hit[0][0].encode(), hit[0][1]))[:most]


def fused(
    by_meaning: Sequence[Key], by_words: Sequence[Key], by_title: Sequence[Key], rrf_k: int
) -> list[Key]:
    """Reciprocal rank fusion in exact fractions, rounded to twelve digits."""
    lists = [{key: place for place, key in enumerate(each, 1)} for each in (by_meaning, by_words, by_title)]

    def order(key: Key) -> tuple[object, ...]:
        total = sum((Fraction(1, rrf_k + places[key]) for places in lists if key in places), Fraction(0))
        absent = [places.get(key, math.inf) for places in lists]
        return (-math.floor(total * 10**12 + Fraction(1, 2)), *absent, key[0].encode(), key[1])

    return sorted({key for places in lists for key in places}, key=order)

"""The order of `bridge` once more, in plain Python. Written from docs/retrieving.md, not from the SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.properties.executor import Chunk
from tests.properties.planner import Plan


def led_by(plan: Plan) -> dict[str, set[str]]:
    """By which documents each of a plan was brought in, or is referred to as a seed."""
    return {
        each["document_id"]: {reason["from"] for reason in each.get("via", [])}
        for each in plan["seed_documents"] + plan["expanded_documents"]
    }


def bridge(
    candidates: Sequence[Chunk],
    seeds: Sequence[str],
    leads: Mapping[str, set[str]],
    words: Mapping[Chunk, set[str]] | None = None,
) -> list[tuple[Chunk, str]]:
    """All candidates in order, each with by what. `seeds`: in order of the plan, with a chunk or without.

    `words`: those of the question that stand in a chunk; None if it has none, or is not compared by words.
    """
    nearest = sorted(candidates, key=lambda each: each.by_distance)
    first: dict[str, Chunk] = {}
    for chunk in nearest:
        if chunk.document.name in seeds:
            first.setdefault(chunk.document.name, chunk)
    order = [seed for seed in seeds if seed in first]

    # No chunk of a seed passes the nearest chunk of a seed before it.
    held = {seed: max(first[before].away for before in order[: n + 1]) for n, seed in enumerate(order)}
    in_turn = sorted(
        (each for each in nearest if each.document.name in first),
        key=lambda each: (
            max(each.away, held[each.document.name]),
            order.index(each.document.name),
            each.by_distance,
        ),
    )
    places = {chunk: (place, "similarity") for place, chunk in enumerate(in_turn, start=1)}
    of_seeds = {chunk: place for chunk, (place, _) in places.items()}

    # What a seed leads to stands behind it; the foremost of its places counts, then that of the earlier seed.
    for number, seed in enumerate(seeds, start=1):
        start = of_seeds[first[seed]] if seed in first else number
        led = [each for each in nearest if seed in leads.get(each.document.name, ())]
        lacked = words[first[seed]] if words is not None and seed in first else set()
        brought = {each: len(words[each] - lacked) if words is not None else 0 for each in led}
        for steps, chunk in enumerate(sorted(led, key=lambda each: -brought[each]), start=1):
            back = steps + (words is not None and not brought[chunk])
            if chunk not in places or start + back < places[chunk][0]:
                places[chunk] = (start + back, f"bridge, {back} behind {seed}")
    return [
        (chunk, places[chunk][1])
        for chunk in sorted(places, key=lambda each: (places[each][0], each.by_distance))
    ]

"""The order of `bridge` once more, in plain Python. Written from docs/retrieving.md, not from the SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.properties.executor import Chunk


def bridge(
    candidates: Sequence[Chunk], seeds: Sequence[str], led_by: Mapping[str, set[str]]
) -> list[tuple[Chunk, str]]:
    """All candidates in order, each with by what. `seeds`: in order of the plan, with a chunk or without."""
    nearest = sorted(candidates, key=lambda each: each.by_distance)
    of_seeds = [each for each in nearest if each.document.name in seeds]
    first: dict[str, Chunk] = {}
    for chunk in of_seeds:
        first.setdefault(chunk.document.name, chunk)

    # A seed's place is the better of its rank in the plan and its rank by nearest chunk.
    by_plan = sorted(first, key=seeds.index)
    by_distance = sorted(first, key=lambda seed: (first[seed].away, seeds.index(seed)))
    order = sorted(
        first, key=lambda seed: (min(by_plan.index(seed), by_distance.index(seed)), by_plan.index(seed))
    )
    # No chunk of a seed passes the nearest chunk of a seed before it.
    held = {seed: max(first[before].away for before in order[: n + 1]) for n, seed in enumerate(order)}
    in_turn = sorted(
        of_seeds,
        key=lambda each: (
            max(each.away, held[each.document.name]),
            order.index(each.document.name),
            each.by_distance,
        ),
    )
    places: dict[Chunk, tuple[int, int, str]] = {
        chunk: (place, 0, "similarity") for place, chunk in enumerate(in_turn, start=1)
    }

    # A linked chunk stands behind its seed; the one that brings it furthest forward counts, then the earlier.
    for number, seed in enumerate(seeds, start=1):
        start = places[first[seed]][0] if seed in first else number
        led = [each for each in nearest if seed in led_by.get(each.document.name, ())]
        for steps, chunk in enumerate(led, start=1):
            place = (start + steps, 1, f"bridge, {steps} behind {seed}")
            if chunk not in places or place[0] < places[chunk][0]:
                places[chunk] = place
    return [
        (chunk, places[chunk][2])
        for chunk in sorted(places, key=lambda each: (*places[each][:2], each.by_distance))
    ]

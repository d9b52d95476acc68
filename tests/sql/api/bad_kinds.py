"""Kinds of parameters, and what one of each kind must refuse."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

SECRET = "marked-to-be-found-again"
"""Part of every long text, so that an error that repeats its argument is noticed."""


@dataclass(frozen=True)
class Bad:
    """A value that a parameter refuses, and with which words."""

    name: str
    value: Any
    message: str
    sqlstate: str = "22023"


def bad_id(parameter: str) -> list[Bad]:
    message = f"{parameter} must be a text of 1 to 512 bytes"
    return [
        Bad("null", None, message),
        Bad("empty", "", message),
        Bad("513 bytes", SECRET.ljust(513, "x"), message),
        Bad("257 characters of two bytes", "é" * 257, message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def bad_list(parameter: str) -> list[Bad]:
    plain = f"{parameter} must be a plain list without null"
    long = f"{parameter} may have 1000 entries of 512 bytes at most"
    return [
        Bad("null in it", [SECRET, None], plain),
        Bad("only null in it", [None], plain),
        Bad("two dimensions", [[SECRET], ["b"]], plain),
        Bad("1001 entries", [f"{SECRET}{n}" for n in range(1001)], long),
        Bad("1001 times the same", [SECRET] * 1001, long),
        Bad("entry of 513 bytes", ["a", SECRET.ljust(513, "x")], long),
        Bad("entry of 257 characters of two bytes", ["é" * 257], long),
    ]


def bad_ids(parameter: str) -> list[Bad]:
    plain = f"{parameter} must be a plain list of ids of 1 to 512 bytes, without null"
    return [
        Bad("null", None, plain),
        Bad("null in it", [SECRET, None], plain),
        Bad("two dimensions", [[SECRET], ["b"]], plain),
        Bad("an empty id", [SECRET, ""], plain),
        Bad("id of 513 bytes", ["a", SECRET.ljust(513, "x")], plain),
        Bad("201 ids", [f"{SECRET}{n}" for n in range(201)], f"{parameter} may have 200 ids at most"),
    ]


def bad_line(parameter: str) -> list[Bad]:
    message = f"{parameter} must be a text of at most 4000 bytes"
    return [
        Bad("4001 bytes", SECRET.ljust(4001, "x"), message),
        Bad("2001 characters of two bytes", "é" * 2001, message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def unknown_run(message: str) -> list[Bad]:
    return [
        Bad("empty", "", message),
        Bad("never begun", SECRET, message),
        Bad("of another spelling", "Nightly", message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def bad_limit(parameter: str, most: int) -> list[Bad]:
    message = f"{parameter} must be from 0 to {most}"
    return [
        Bad("null", None, message),
        Bad("negative", -1, message),
        Bad("the lowest integer", -2_147_483_648, message),
        Bad("one too many", most + 1, message),
        Bad("the highest integer", 2_147_483_647, message),
        Bad("no integer any more", 2_147_483_648, "integer out of range", "22003"),
    ]


def bad_choice(parameter: str, choices: str, capital: str) -> list[Bad]:
    message = f"{parameter} must be {choices}"
    return [
        Bad("null", None, message),
        Bad("empty", "", message),
        Bad("capital", capital, message),
        Bad("unknown", SECRET, message),
        Bad("line end", f"{capital.lower()}\n", message),
        Bad("a megabyte", SECRET * 50_000, message),
    ]


def bad_share(parameter: str) -> list[Bad]:
    message = f"{parameter} must be from 0 to 1"
    return [
        Bad("null", None, message),
        Bad("NaN", float("nan"), message),
        Bad("infinity", float("inf"), message),
        Bad("minus infinity", float("-inf"), message),
        Bad("just too large", Decimal("1.000001"), message),
        Bad("just too small", Decimal("-0.000001"), message),
        Bad("a percentage", 40, message),
        Bad("a very long number", 10**400, message),
    ]


def bad_budget(parameter: str) -> list[Bad]:
    message = f"{parameter} must be from 1 to 10000000"
    return [
        Bad("0", 0, message),
        Bad("negative", -1, message),
        Bad("the lowest integer", -2_147_483_648, message),
        Bad("one too many", 10_000_001, message),
        Bad("the highest integer", 2_147_483_647, message),
        Bad("no integer any more", 2_147_483_648, "integer out of range", "22003"),
    ]

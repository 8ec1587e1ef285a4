"""How a shoe's cards came: one after the other, but for what was put aside. Deals to no hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from schemas.cards import Card
from schemas.errors import InputError


class Course(NamedTuple):
    """How a shoe's cards came to be dealt otherwise than one after the other.

    Cards ``out`` were put aside. ``late`` has, by the position of a card, that of one drawn in
    error before it and dealt right after it, as the first of a dummy hand may be.
    """

    out: frozenset[int] = frozenset()
    late: Mapping[int, int] = MappingProxyType({})


#: One after the other.
STRAIGHT: Final = Course()


class KnownCards(NamedTuple):
    """The cards of a shoe by position, None where one is not known, and how they came.

    ``size`` is None where it is not known how many there are.
    """

    at: Callable[[int], Card | None]
    size: int | None
    course: Course = STRAIGHT


class Unseen(InputError):
    """A card is asked for that nobody has seen yet."""


class Way:
    """Goes through a shoe's positions as they came; ``passed`` is told of each that left it."""

    def __init__(self, course: Course, start: int, passed: Callable[[int], None]) -> None:
        self._course = course
        self._skipped = course.out.union(course.late.values())
        self._passed = passed
        before = {late: card for card, late in course.late.items()}
        #: A card drawn in error that is dealt next.
        self._late = start if start in before else None
        self.position = before.get(start, start - 1) + 1

    def next(self) -> int:
        """Give the position of the next card."""
        if self._late is not None:
            position, self._late = self._late, None
            return position
        position = self.position
        self.leave()
        self._late = self._course.late.get(position)
        return position

    def leave(self) -> None:
        """Let the next position go."""
        self.position += 1
        self._passed(self.position - 1)

    def skip(self) -> None:
        """Pass over what was put aside, as soon as the card before it is gone."""
        while self.position in self._skipped:
            self.leave()

    @property
    def has_late(self) -> bool:
        """Whether a card drawn in error is dealt next."""
        return self._late is not None

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_PAGE_SIZE = 100


class Pager:
    """The rows of a list, page by page, each once: one that moves to a later page because others were added is not repeated.

    Follows the link to the next page or page numbers where the response has one, otherwise the id of the last row.
    """

    def __init__(self, query: Mapping[str, object]) -> None:
        given = {name: value for name, value in query.items() if value is not None}
        self.query: dict[str, object] = {"limit": _PAGE_SIZE, **given}
        self.is_done = False
        self._page = 0
        self._seen: set[object] = set()

    def take(self, page: Any) -> list[Any]:
        """The rows of a page that are new. Afterwards, `query` asks for the next one, unless all is `is_done`."""
        rows: list[Any] = page["data"]
        fresh = []
        for row in rows:
            key = _key(row)
            if key is None or key not in self._seen:
                fresh.append(row)
                self._seen.add(key)
        if "next" in page:
            self.is_done = page["next"] is None
            self.query.pop("before", None)
            self.query["after"] = page["next"]
            return fresh
        has_more = page.get("hasMore")
        if not rows or not (has_more if has_more is not None else fresh and len(rows) >= self._limit()):
            self.is_done = True
        elif has_more is not None and "page" not in page:
            self.query["after"] = _key(rows[-1])
        else:
            self._page += 1
            self.query["page"] = self._page
        return fresh

    def _limit(self) -> int:
        limit = self.query["limit"]
        return limit if isinstance(limit, int) else _PAGE_SIZE


def _key(row: Any) -> object:
    """Rows without an id are all different."""
    return (row.get("_id") or row.get("id")) if isinstance(row, dict) else None

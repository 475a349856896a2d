"""Card sets by their digests, whoever made them: those of rooms and of the workshop, and the core one."""

import threading
from collections import OrderedDict

import msgspec

from coyote.games.duel import records
from coyote.games.duel.sets import CardSet, core_set
from coyote.games.game import Json, RecordError
from coyote.table.limits import Denied
from coyote.table.parts import within_bounds
from coyote.table.store import Store

MOST = 32  # that are kept in memory: the last ones asked for


class CardSets:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._found: OrderedDict[str, CardSet] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, digest: str) -> CardSet:
        """Whoever has the digest has the link; Denied where there is none. May wait."""
        if digest == core_set().digest:
            return core_set()
        found = self._found.get(digest) or self._load(digest)
        with self._lock:
            self._found[digest] = found
            self._found.move_to_end(digest)
            if len(self._found) > MOST:
                self._found.popitem(last=False)
        return found

    def written(self, digest: str) -> Json:
        """The same as rooms keep it."""
        return records.write_set(self.get(digest))

    def _load(self, digest: str) -> CardSet:
        body = self.store.card_set(digest)
        if body is None:
            raise Denied(404, "workshop.no_set")
        written = msgspec.json.decode(body)
        if refusal := within_bounds(written):
            raise Denied(410, refusal)
        try:
            return records.read_cards(written)
        except RecordError as error:
            raise Denied(410, error.refusal) from None

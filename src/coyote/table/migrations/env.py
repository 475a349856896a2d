"""What Alembic runs: `store.migrate` gives the connection."""

from alembic import context

from coyote.table.store import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()

"""The steps of the schema, oldest first, as Alembic runs them."""

#!/bin/sh
# Run once by the Postgres image, on an empty data folder: Temporal gets a role and two databases of its own, Loopwright's has pgvector.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set password="$TEMPORAL_DB_PASSWORD" <<'SQL'
CREATE ROLE temporal LOGIN PASSWORD :'password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
CREATE EXTENSION IF NOT EXISTS vector;
SQL

#!/bin/sh
# Temporal's schema, for a new database and for an upgrade. Both steps leave a schema that is up to date as it is.
set -eu
schema=/etc/temporal/schema/postgresql/v12
for database in temporal temporal_visibility; do
  folder=$schema/temporal/versioned
  [ "$database" = temporal ] || folder=$schema/visibility/versioned
  temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "$database" setup-schema -v 0.0
  temporal-sql-tool --plugin postgres12 --ep postgres -p 5432 -u temporal --db "$database" update-schema -d "$folder"
done

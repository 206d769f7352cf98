-- In a transaction that keeps its snapshot, a statement that waited for another transaction comes after it, too.
ALTER TABLE "engine"."record_events" ALTER COLUMN "xid" SET DEFAULT greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, nullif(current_setting('engine.event_place', true), '')::xid8);--> statement-breakpoint
-- A number greater than that of every transaction that has written by now: the one of a subtransaction that is given up.
CREATE FUNCTION engine.newest_xid() RETURNS xid8 LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own bigint := pg_current_xact_id()::text;
  newest bigint;
BEGIN
  BEGIN
    -- It has a number of its own once it has written something.
    INSERT INTO engine.record_events (relation, entity, xid, key, at, kind) VALUES (0, '', own::text::xid8, '', clock_timestamp(), '');
    SELECT xmin::text INTO STRICT newest FROM engine.record_events
    WHERE relation = 0::regclass AND xid = own::text::xid8 AND id = currval('engine.record_event_ids');
    RAISE EXCEPTION USING errcode = 'ZZEVP';
  EXCEPTION WHEN SQLSTATE 'ZZEVP' THEN NULL;
  END;
  RETURN (own + ((newest - own) & 4294967295))::text::xid8;
END $$;--> statement-breakpoint
-- Writes what a statement did to each record. The arguments are those of `write_versions`: the entity, the key's column,
-- empty where the id is not its text, and the id as an expression over the row `r`.
CREATE OR REPLACE FUNCTION engine.write_events() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
DECLARE
  change bigint := engine.change_id();
  install bigint := nullif(current_setting('engine.install', true), '');
  many boolean := install IS NOT NULL;
  written bigint;
  into_events text := 'INSERT INTO engine.record_events (relation, entity, key, at, kind, before, after, bulk, change_id, install_id) ';
BEGIN
  IF tg_when = 'BEFORE' AND tg_op <> 'TRUNCATE' THEN
    RETURN NULL; -- An entry of the audit log in the same statement gets the number, too.
  END IF;
  IF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
    PERFORM set_config('engine.event_place', engine.newest_xid()::text, true);
  END IF;
  IF tg_op = 'TRUNCATE' THEN
    many := true;
    EXECUTE into_events || format('SELECT $1, $2, %s, clock_timestamp(), ''delete'', to_jsonb(r.*), NULL, true, $3, $4 FROM %s AS r',
      tg_argv[2], tg_relid::regclass) USING tg_relid, tg_argv[0], change, install;
  ELSIF tg_op = 'INSERT' THEN
    many := many OR (SELECT count(*) > 100 FROM (SELECT FROM added LIMIT 101) AS few);
    IF tg_argv[1] <> '' THEN
      INSERT INTO engine.record_events (relation, entity, key, at, kind, after, bulk, change_id, install_id)
      SELECT tg_relid, tg_argv[0], j.data ->> tg_argv[1], clock_timestamp(), 'insert', j.data, many, change, install
      FROM added AS r, LATERAL (SELECT to_jsonb(r.*) AS data) AS j;
    ELSE
      EXECUTE into_events || format('SELECT $1, $2, %s, clock_timestamp(), ''insert'', NULL, to_jsonb(r.*), $5, $3, $4 FROM added AS r', tg_argv[2])
        USING tg_relid, tg_argv[0], change, install, many;
    END IF;
  ELSIF tg_op = 'DELETE' THEN
    many := many OR (SELECT count(*) > 100 FROM (SELECT FROM removed LIMIT 101) AS few);
    IF tg_argv[1] <> '' THEN
      INSERT INTO engine.record_events (relation, entity, key, at, kind, before, bulk, change_id, install_id)
      SELECT tg_relid, tg_argv[0], j.data ->> tg_argv[1], clock_timestamp(), 'delete', j.data, many, change, install
      FROM removed AS r, LATERAL (SELECT to_jsonb(r.*) AS data) AS j;
    ELSE
      EXECUTE into_events || format('SELECT $1, $2, %s, clock_timestamp(), ''delete'', to_jsonb(r.*), NULL, $5, $3, $4 FROM removed AS r', tg_argv[2])
        USING tg_relid, tg_argv[0], change, install, many;
    END IF;
  ELSE
    -- A record whose key was changed is deleted and inserted; one that stayed as it was is left out.
    many := many OR (SELECT count(*) > 100 FROM (SELECT FROM removed LIMIT 101) AS few);
    IF tg_argv[1] <> '' THEN
      INSERT INTO engine.record_events (relation, entity, key, at, kind, before, after, bulk, change_id, install_id)
      SELECT tg_relid, tg_argv[0], coalesce(n.key, o.key), clock_timestamp(),
        CASE WHEN o.data IS NULL THEN 'insert' WHEN n.data IS NULL THEN 'delete' ELSE 'update' END, o.data, n.data, many, change, install
      FROM (SELECT j.data ->> tg_argv[1] AS key, j.data FROM removed AS r, LATERAL (SELECT to_jsonb(r.*) AS data) AS j) AS o
      FULL JOIN (SELECT j.data ->> tg_argv[1] AS key, j.data FROM added AS r, LATERAL (SELECT to_jsonb(r.*) AS data) AS j) AS n ON n.key = o.key
      WHERE o.data IS DISTINCT FROM n.data
      ORDER BY n.data IS NOT NULL;
    ELSE
      EXECUTE into_events || format('SELECT $1, $2, coalesce(n.key, o.key), clock_timestamp(),
        CASE WHEN o.data IS NULL THEN ''insert'' WHEN n.data IS NULL THEN ''delete'' ELSE ''update'' END, o.data, n.data, $5, $3, $4
        FROM (SELECT %1$s AS key, to_jsonb(r.*) AS data FROM removed AS r) AS o
        FULL JOIN (SELECT %1$s AS key, to_jsonb(r.*) AS data FROM added AS r) AS n ON n.key = o.key
        WHERE o.data IS DISTINCT FROM n.data ORDER BY n.data IS NOT NULL', tg_argv[2])
        USING tg_relid, tg_argv[0], change, install, many;
    END IF;
  END IF;
  GET DIAGNOSTICS written = ROW_COUNT;
  IF many AND written > 0 THEN
    PERFORM engine.count_events(tg_relid, tg_argv[0], CASE tg_op WHEN 'TRUNCATE' THEN 'delete' ELSE lower(tg_op) END, written, change, install);
  END IF;
  RETURN NULL;
END $$;

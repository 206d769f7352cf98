CREATE SEQUENCE "engine"."record_event_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "engine"."event_log" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"log" text DEFAULT gen_random_uuid()::text NOT NULL,
	"expired" "xid8" DEFAULT '0' NOT NULL,
	CONSTRAINT "event_log_only" CHECK ("only")
);
--> statement-breakpoint
CREATE TABLE "engine"."record_events" (
	"relation" "regclass" NOT NULL,
	"entity" text NOT NULL,
	"id" bigint DEFAULT nextval('engine.record_event_ids') NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"bulk" boolean DEFAULT false NOT NULL,
	"counts" jsonb,
	"change_id" bigint,
	"install_id" bigint
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE INDEX "record_events_position" ON "engine"."record_events" USING btree ("relation","xid","id");--> statement-breakpoint
-- For what is written while no server has made the partition of its day.
CREATE TABLE "engine"."record_events_rest" PARTITION OF "engine"."record_events" DEFAULT;--> statement-breakpoint
-- Makes the partitions of today and the two days after it.
CREATE FUNCTION engine.prepare_event_days() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  day date := (now() AT TIME ZONE 'UTC')::date;
  name text;
BEGIN
  FOR ahead IN 0..2 LOOP
    name := 'record_events_' || to_char(day + ahead, 'YYYYMMDD');
    CONTINUE WHEN to_regclass('engine.' || name) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE engine.%I PARTITION OF engine.record_events FOR VALUES FROM (%L) TO (%L)', name,
        (day + ahead)::timestamp AT TIME ZONE 'UTC', (day + ahead + 1)::timestamp AT TIME ZONE 'UTC');
    EXCEPTION
      WHEN check_violation THEN NULL; -- The rest has some of that day, and keeps them.
      WHEN duplicate_table THEN NULL; -- Another server was faster.
    END;
  END LOOP;
END $$;--> statement-breakpoint
SELECT engine.prepare_event_days();--> statement-breakpoint
-- Writes what a statement did to each record. The arguments are those of `write_versions`: the entity, the key's column,
-- empty where the id is not its text, and the id as an expression over the row `r`.
CREATE FUNCTION engine.write_events() RETURNS trigger LANGUAGE plpgsql
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
  ELSIF tg_op = 'TRUNCATE' THEN
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
END $$;--> statement-breakpoint
-- Adds to the one event that stands for the many of a transaction and an entity.
CREATE FUNCTION engine.count_events(of_relation regclass, of_entity text, what text, number bigint, change bigint, install bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE engine.record_events AS e SET counts = e.counts || jsonb_build_object(what, coalesce((e.counts ->> what)::bigint, 0) + number)
  WHERE e.relation = of_relation AND e.xid = pg_current_xact_id() AND e.kind = 'many';
  IF NOT FOUND THEN
    INSERT INTO engine.record_events (relation, entity, key, at, kind, counts, change_id, install_id)
    VALUES (of_relation, of_entity, '', clock_timestamp(), 'many', jsonb_build_object(what, number), change, install);
  END IF;
END $$;--> statement-breakpoint
-- Keeps the changes of a table's records from now on. Waits for writers of the table.
CREATE FUNCTION engine.keep_events(kept regclass, entity text, key_column text, id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_events_begin BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION engine.write_events(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_events_insert AFTER INSERT ON %s
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine.write_events(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_events_update AFTER UPDATE ON %s
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine.write_events(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_events_delete AFTER DELETE ON %s
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION engine.write_events(%L, %L, %L)', kept, entity, key_column, id);
END $$;--> statement-breakpoint
-- Keeps them no longer; what was kept stays until it expires.
CREATE FUNCTION engine.stop_events(kept regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS engine_events_begin ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_events_insert ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_events_update ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_events_delete ON %s', kept);
END $$;--> statement-breakpoint
-- Triggers that write events change nothing of their table, so that its total stays known.
DO $$ BEGIN
  EXECUTE replace(pg_get_functiondef('engine.change_total'::regproc), 'AND tgname NOT LIKE ''engine\_history\_%''',
    'AND tgname NOT LIKE ''engine\_history\_%'' AND tgname NOT LIKE ''engine\_events\_%''');
END $$;

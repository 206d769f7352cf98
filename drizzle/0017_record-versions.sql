CREATE SEQUENCE "engine"."change_ids" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "engine"."record_versions" (
	"relation" "regclass" NOT NULL,
	"entity" text NOT NULL,
	"key" text NOT NULL,
	"key_hash" bigint GENERATED ALWAYS AS (hashtextextended(key, 0)) STORED NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine"."record_versions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp (3) with time zone NOT NULL,
	"kind" text NOT NULL,
	"data" jsonb,
	"after" jsonb,
	"change_id" bigint,
	"install_id" bigint,
	CONSTRAINT "record_versions_relation_key_hash_id_pk" PRIMARY KEY("relation","key_hash","id")
);
--> statement-breakpoint
-- The number of the transaction that is running, by which its versions and audit entries find each other. A rollback
-- to a savepoint takes it back with the versions that have it.
CREATE FUNCTION engine.change_id() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  known text := current_setting('engine.change', true);
BEGIN
  IF known <> '' THEN
    RETURN known;
  END IF;
  known := nextval('engine.change_ids');
  PERFORM set_config('engine.change', known, true);
  RETURN known;
END $$;--> statement-breakpoint
-- The same, null where no record with a history was changed so far.
CREATE FUNCTION engine.present_change() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN nullif(current_setting('engine.change', true), '');
END $$;--> statement-breakpoint
-- Without the default first, so that no stored row is written again.
ALTER TABLE "engine"."audit_log" ADD COLUMN "change_id" bigint;--> statement-breakpoint
ALTER TABLE "engine"."audit_log" ALTER COLUMN "change_id" SET DEFAULT engine.present_change();--> statement-breakpoint
CREATE INDEX "record_versions_at" ON "engine"."record_versions" USING brin ("at");--> statement-breakpoint
CREATE INDEX "audit_log_change" ON "engine"."audit_log" USING btree ("change_id") WHERE change_id is not null;--> statement-breakpoint
-- Writes what a statement did to each record. The arguments: the entity, the key's column, empty where the id is not
-- its text, and the id as an expression over the row `r`.
CREATE FUNCTION engine.write_versions() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
DECLARE
  change bigint := engine.change_id();
  install bigint := nullif(current_setting('engine.install', true), '');
  written text := 'INSERT INTO engine.record_versions (relation, entity, key, at, kind, data, change_id, install_id) ';
BEGIN
  IF tg_when = 'BEFORE' AND tg_op <> 'TRUNCATE' THEN
    RETURN NULL; -- An entry of the audit log in the same statement gets the number, too.
  ELSIF tg_op = 'TRUNCATE' THEN
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), ''delete'', to_jsonb(r), $3, $4 FROM %s AS r',
      tg_argv[2], tg_relid::regclass) USING tg_relid, tg_argv[0], change, install;
  ELSIF tg_op = 'INSERT' AND tg_argv[1] <> '' THEN
    INSERT INTO engine.record_versions (relation, entity, key, at, kind, change_id, install_id)
    SELECT tg_relid, tg_argv[0], to_jsonb(r) ->> tg_argv[1], clock_timestamp(), 'insert', change, install FROM added AS r;
  ELSIF tg_op = 'INSERT' THEN
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), ''insert'', NULL, $3, $4 FROM added AS r', tg_argv[2])
      USING tg_relid, tg_argv[0], change, install;
  ELSIF tg_argv[1] <> '' THEN
    INSERT INTO engine.record_versions (relation, entity, key, at, kind, data, change_id, install_id)
    SELECT tg_relid, tg_argv[0], j.data ->> tg_argv[1], clock_timestamp(), lower(tg_op), j.data, change, install
    FROM removed AS r, LATERAL (SELECT to_jsonb(r) AS data) AS j;
  ELSE
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), lower($5), to_jsonb(r), $3, $4 FROM removed AS r', tg_argv[2])
      USING tg_relid, tg_argv[0], change, install, tg_op;
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- Keeps the history of a table's records from now on. Waits for writers of the table.
CREATE FUNCTION engine.keep_history(kept regclass, entity text, key_column text, id text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_history_begin BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION engine.write_versions(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_history_insert AFTER INSERT ON %s
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine.write_versions(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_history_update AFTER UPDATE ON %s
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION engine.write_versions(%L, %L, %L)', kept, entity, key_column, id);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_history_delete AFTER DELETE ON %s
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION engine.write_versions(%L, %L, %L)', kept, entity, key_column, id);
END $$;--> statement-breakpoint
-- Keeps it no longer; the versions stay until they expire.
CREATE FUNCTION engine.stop_history(kept regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS engine_history_begin ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_history_insert ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_history_update ON %s', kept);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_history_delete ON %s', kept);
END $$;--> statement-breakpoint
-- Triggers that write versions change nothing of their table, so that its total stays known.
CREATE OR REPLACE FUNCTION engine.change_total() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  setting text := 'engine.counting_' || tg_relid;
  -- Depth, and the numbers of inserted, deleted and updated records.
  begun bigint[] := string_to_array(nullif(current_setting(setting, true), ''), ' ')::bigint[];
  added bigint := 0;
  removed bigint := 0;
  updated bigint := 0;
  change bigint := 0;
BEGIN
  IF tg_op = 'TRUNCATE' THEN
    -- The table is locked, so a new snapshot has every change of it. An old one may lack some.
    IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
      change := NULL;
    ELSE
      change := -(SELECT total FROM engine.current_totals WHERE relation = tg_relid);
    END IF;
  ELSIF tg_when = 'BEFORE' THEN
    PERFORM set_config(setting, CASE WHEN begun IS NULL
      THEN concat_ws(' ', 1, pg_stat_get_xact_tuples_inserted(tg_relid),
        pg_stat_get_xact_tuples_deleted(tg_relid), pg_stat_get_xact_tuples_updated(tg_relid))
      ELSE concat_ws(' ', begun[1] + 1, begun[2], begun[3], begun[4]) END, true);
    RETURN NULL;
  ELSIF begun[1] > 1 THEN
    PERFORM set_config(setting, concat_ws(' ', begun[1] - 1, begun[2], begun[3], begun[4]), true);
    RETURN NULL;
  ELSE
    PERFORM set_config(setting, '', true);
    added := pg_stat_get_xact_tuples_inserted(tg_relid) - begun[2];
    removed := pg_stat_get_xact_tuples_deleted(tg_relid) - begun[3];
    updated := pg_stat_get_xact_tuples_updated(tg_relid) - begun[4];
    change := added - removed;
    -- The counters are off, or the table was emptied meanwhile. They also have what the triggers of others
    -- changed and took back.
    IF begun IS NULL OR NOT current_setting('track_counts')::bool OR least(added, removed, updated) < 0
      OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tg_relid AND NOT tgisinternal AND tgname NOT LIKE 'engine\_total\_%'
        AND tgname NOT LIKE 'engine\_history\_%')
    THEN
      change := NULL;
    ELSIF added = 0 AND removed = 0 AND updated = 0 THEN
      RETURN NULL;
    END IF;
  END IF;
  -- The transaction gets its number before the row does, so that a row with a lower id than another is
  -- never of a transaction that begins after it.
  PERFORM pg_current_xact_id();
  INSERT INTO engine.entity_total_changes (relation, n) VALUES (tg_relid, change);
  RETURN NULL;
END $$;

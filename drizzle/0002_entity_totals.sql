CREATE TABLE "engine"."entity_total_changes" (
	"relation" "regclass" NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine"."entity_total_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"n" bigint,
	CONSTRAINT "entity_total_changes_relation_id_pk" PRIMARY KEY("relation","id")
);
--> statement-breakpoint
CREATE TABLE "engine"."entity_totals" (
	"relation" "regclass" PRIMARY KEY NOT NULL,
	"base" bigint,
	"compacted" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"triggers" text NOT NULL,
	"through" bigint NOT NULL,
	"next_through" bigint NOT NULL,
	"next_xid" "xid8" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."entity_total_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);--> statement-breakpoint
ALTER TABLE "engine"."entity_totals" SET (fillfactor = 50);--> statement-breakpoint
-- Notes what a statement did to its table. The transaction gets its number before the row does, so
-- that a row with a lower id than another is never of a transaction that begins after it.
CREATE FUNCTION engine.change_total() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  writer xid8 := pg_current_xact_id();
  change bigint := 0;
BEGIN
  IF tg_op = 'INSERT' THEN
    SELECT count(*) INTO change FROM added;
  ELSIF tg_op = 'DELETE' THEN
    SELECT -count(*) INTO change FROM removed;
  -- The table is locked, so a new snapshot has every change of it. An old one may lack some.
  ELSIF tg_op = 'TRUNCATE' AND current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
    change := NULL;
  ELSIF tg_op = 'TRUNCATE' THEN
    change := -(SELECT total FROM engine.current_totals WHERE relation = tg_relid);
  END IF;
  IF change = 0 AND tg_op IN ('INSERT', 'DELETE') THEN
    RETURN NULL;
  END IF;
  INSERT INTO engine.entity_total_changes (relation, n) VALUES (tg_relid, change);
  RETURN NULL;
END $$;--> statement-breakpoint
-- The number of records of each table, null where it is not known, as the statement's snapshot has
-- it. `version` changes with every commit that changes the table, and is never used again.
CREATE VIEW engine.current_totals AS
  SELECT t.relation,
    CASE WHEN c.pending = c.known THEN t.base + c.n END AS total,
    extract(epoch FROM t.since) || '.' || (t.compacted + c.pending) || '.' || extract(epoch FROM pg_postmaster_start_time()) AS version,
    c.pending
  FROM engine.entity_totals t CROSS JOIN LATERAL (
    SELECT count(*) AS pending, count(n) AS known, coalesce(sum(n), 0)::bigint AS n
    FROM engine.entity_total_changes WHERE relation = t.relation AND id > t.through
  ) c;--> statement-breakpoint
-- The triggers that keep the total of a table, and whether they are enabled. Every change of a
-- trigger, such as disabling it for a while, is a new version of its row.
CREATE FUNCTION engine.total_triggers(counted regclass) RETURNS text LANGUAGE sql STABLE
  SET search_path = pg_catalog, pg_temp AS $$
  SELECT string_agg(concat_ws(' ', tgname, oid, xmin, tgenabled), ', ' ORDER BY tgname)
  FROM pg_trigger WHERE tgrelid = counted AND tgname LIKE 'engine\_total\_%'
$$;--> statement-breakpoint
-- Keeps the total of a table from now on, which is `records`, or is counted later where that is
-- null. Waits for writers of the table.
CREATE FUNCTION engine.keep_total(counted regclass, records bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_total_insert AFTER INSERT ON %s
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION engine.change_total()', counted);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_total_delete AFTER DELETE ON %s
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION engine.change_total()', counted);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_total_change AFTER UPDATE OR TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION engine.change_total()', counted);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER engine_total_insert,
    ENABLE ALWAYS TRIGGER engine_total_delete, ENABLE ALWAYS TRIGGER engine_total_change', counted);
  DELETE FROM engine.entity_total_changes WHERE relation = counted;
  DELETE FROM engine.entity_totals WHERE relation = counted;
  INSERT INTO engine.entity_totals (relation, base, compacted, since, triggers, through, next_through, next_xid)
  VALUES (counted, records, 0, clock_timestamp(), engine.total_triggers(counted), 0, 0, '0');
END $$;

-- The number of records that a statement adds or removes is what PostgreSQL counts for its statistics
-- between the statement's beginning and its end. Tables of the old or new rows, which were counted
-- before, cost as much as half of a deletion.
-- Statements on one table may be nested (a CTE, a trigger): the outermost is the one that counts. Where it
-- began is a setting of the transaction, which a rollback takes back.
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
      OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = tg_relid AND NOT tgisinternal AND tgname NOT LIKE 'engine\_total\_%')
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
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION engine.keep_total(counted regclass, records bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('DROP TRIGGER IF EXISTS engine_total_insert ON %s', counted);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_total_delete ON %s', counted);
  EXECUTE format('DROP TRIGGER IF EXISTS engine_total_change ON %s', counted);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_total_begin BEFORE INSERT OR UPDATE OR DELETE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION engine.change_total()', counted);
  EXECUTE format('CREATE OR REPLACE TRIGGER engine_total_end AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON %s
    FOR EACH STATEMENT EXECUTE FUNCTION engine.change_total()', counted);
  EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER engine_total_begin,
    ENABLE ALWAYS TRIGGER engine_total_end', counted);
  DELETE FROM engine.entity_total_changes WHERE relation = counted;
  DELETE FROM engine.entity_totals WHERE relation = counted;
  INSERT INTO engine.entity_totals (relation, base, compacted, since, triggers, through, next_through, next_xid)
  VALUES (counted, records, 0, clock_timestamp(), engine.total_triggers(counted), 0, 0, '0');
END $$;--> statement-breakpoint
-- Tables that have the former triggers get the new ones with the next maintenance, and are counted until then.
DELETE FROM engine.entity_totals;

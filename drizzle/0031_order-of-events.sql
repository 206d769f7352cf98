-- A statement that waited for another transaction comes after it, although its own transaction may have begun earlier.
ALTER TABLE "engine"."record_events" ALTER COLUMN "xid" SET DEFAULT greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);--> statement-breakpoint
-- The event that stands for the many of a transaction keeps its number, by which it is found.
CREATE OR REPLACE FUNCTION engine.count_events(of_relation regclass, of_entity text, what text, number bigint, change bigint, install bigint) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE engine.record_events AS e SET counts = e.counts || jsonb_build_object(what, coalesce((e.counts ->> what)::bigint, 0) + number)
  WHERE e.relation = of_relation AND e.xid = pg_current_xact_id() AND e.kind = 'many';
  IF NOT FOUND THEN
    INSERT INTO engine.record_events (relation, entity, xid, key, at, kind, counts, change_id, install_id)
    VALUES (of_relation, of_entity, pg_current_xact_id(), '', clock_timestamp(), 'many', jsonb_build_object(what, number), change, install);
  END IF;
END $$;

-- A row of `current_totals`; all columns are null where the total of the table is not kept. A function,
-- since planning the view would cost each search that is not prepared more than reading it.
CREATE FUNCTION engine.total_of(counted regclass, OUT total text, OUT version text, OUT pending int)
  LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  SELECT k.total, k.version, k.pending INTO total, version, pending
  FROM engine.current_totals k WHERE k.relation = counted;
END $$;

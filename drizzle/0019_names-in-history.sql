-- The same, for tables whose columns are called as its variables or its row are (`change`, `install`, `r`).
CREATE OR REPLACE FUNCTION engine.write_versions() RETURNS trigger LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET datestyle = 'ISO' AS $$
#variable_conflict use_variable
DECLARE
  change bigint := engine.change_id();
  install bigint := nullif(current_setting('engine.install', true), '');
  written text := 'INSERT INTO engine.record_versions (relation, entity, key, at, kind, data, change_id, install_id) ';
BEGIN
  IF tg_when = 'BEFORE' AND tg_op <> 'TRUNCATE' THEN
    RETURN NULL; -- An entry of the audit log in the same statement gets the number, too.
  ELSIF tg_op = 'TRUNCATE' THEN
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), ''delete'', to_jsonb(r.*), $3, $4 FROM %s AS r',
      tg_argv[2], tg_relid::regclass) USING tg_relid, tg_argv[0], change, install;
  ELSIF tg_op = 'INSERT' AND tg_argv[1] <> '' THEN
    INSERT INTO engine.record_versions (relation, entity, key, at, kind, change_id, install_id)
    SELECT tg_relid, tg_argv[0], to_jsonb(r.*) ->> tg_argv[1], clock_timestamp(), 'insert', change, install FROM added AS r;
  ELSIF tg_op = 'INSERT' THEN
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), ''insert'', NULL, $3, $4 FROM added AS r', tg_argv[2])
      USING tg_relid, tg_argv[0], change, install;
  ELSIF tg_argv[1] <> '' THEN
    INSERT INTO engine.record_versions (relation, entity, key, at, kind, data, change_id, install_id)
    SELECT tg_relid, tg_argv[0], j.data ->> tg_argv[1], clock_timestamp(), lower(tg_op), j.data, change, install
    FROM removed AS r, LATERAL (SELECT to_jsonb(r.*) AS data) AS j;
  ELSE
    EXECUTE written || format('SELECT $1, $2, %s, clock_timestamp(), lower($5), to_jsonb(r.*), $3, $4 FROM removed AS r', tg_argv[2])
      USING tg_relid, tg_argv[0], change, install, tg_op;
  END IF;
  RETURN NULL;
END $$;

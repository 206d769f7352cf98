-- The same as before, but what two languages make of one word is asked once where it is the same: an index reads all that begins so.
-- Of phrases it is asked twice as before, since `ts_rank` takes a phrase alone for something else than one of two, and cursors have ranks.
CREATE OR REPLACE FUNCTION engine.words_query(languages text[], value text, is_beginning boolean) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text := btrim(regexp_replace(engine.words(value), ' +', ' ', 'g'));
  asked text := '''' || replace(words, ' ', ''' <-> ''') || '''' || CASE WHEN is_beginning THEN ':*' ELSE '' END;
  found tsquery := ''::tsquery;
  parts tsquery[] := '{}';
  part tsquery;
  language text;
BEGIN
  IF words = '' THEN RETURN found; END IF;
  FOREACH language IN ARRAY CASE WHEN is_beginning THEN languages || 'simple'::text ELSE languages END LOOP
    part := to_tsquery(('pg_catalog.' || language)::regconfig, asked);
    IF numnode(part) = 0 AND NOT is_beginning THEN RETURN part; END IF;
    CONTINUE WHEN numnode(part) = 1 AND part = ANY(parts);
    parts := parts || part;
    found := found || part;
  END LOOP;
  RETURN found;
END $$;

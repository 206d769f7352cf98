-- The words of a text as they are compared: without case, accents and punctuation, letters that are no accents written
-- out. Letters of scripts without spaces are words of their own. Indexes are made of it: a changed text needs new ones.
CREATE FUNCTION engine.words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length(value) = length(value) THEN
    RETURN lower(translate(value, E'\t\n\x0b\f\r!"#$%&''()*+,-./:;<=>?@[\\]^_`{|}~', repeat(' ', 37)) COLLATE "C");
  END IF;
  RETURN regexp_replace(
    regexp_replace(
      replace(replace(replace(replace(
        translate(
          normalize(regexp_replace(normalize(lower(value COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f]+', '', 'g'), NFKC),
          'ςıłøđħŧð!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', 'σilodhtd' || repeat(' ', 32)),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      '[[:punct:][:space:][:cntrl:]]+', ' ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])',
    ' \1 ', 'g');
END $$;--> statement-breakpoint
-- What finds a word, or several that follow each other, in documents of these languages; the last one may be the beginning
-- of a word. Empty where one of the languages leaves it out, since records have nothing to find then.
CREATE FUNCTION engine.words_query(languages text[], value text, is_beginning boolean) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words text := btrim(regexp_replace(engine.words(value), ' +', ' ', 'g'));
  asked text := '''' || replace(words, ' ', ''' <-> ''') || '''' || CASE WHEN is_beginning THEN ':*' ELSE '' END;
  found tsquery := ''::tsquery;
  part tsquery;
  language text;
BEGIN
  IF words = '' THEN RETURN found; END IF;
  FOREACH language IN ARRAY CASE WHEN is_beginning THEN languages || 'simple'::text ELSE languages END LOOP
    part := to_tsquery(('pg_catalog.' || language)::regconfig, asked);
    IF numnode(part) = 0 AND NOT is_beginning THEN RETURN part; END IF;
    found := found || part;
  END LOOP;
  RETURN found;
END $$;
--> statement-breakpoint
-- Where a text has words of these terms, the last of which may be the beginning of a word: places from 0 in units of
-- UTF-16, each with the place after it. Of the first 5,000 characters; null where there is none.
CREATE FUNCTION engine.word_marks(language text, value text, terms text[], is_beginning boolean) RETURNS jsonb
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  shown text := left(value, 5000) COLLATE "und-x-icu";
  config regconfig := ('pg_catalog.' || language)::regconfig;
  alone text := '\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff';
  between text := '[:punct:][:space:][:cntrl:]$+<=>^`|~';
  asked tsquery := ''::tsquery;
  word text;
BEGIN
  FOR term IN 1 .. cardinality(terms) LOOP
    FOREACH word IN ARRAY regexp_split_to_array(btrim(engine.words(terms[term])), ' +') LOOP
      asked := asked || engine.words_query(ARRAY[language], word, is_beginning AND term = cardinality(terms));
    END LOOP;
  END LOOP;
  IF numnode(asked) = 0 OR NOT to_tsvector(config, engine.words(shown)) @@ asked THEN RETURN null; END IF;
  RETURN (
    SELECT jsonb_agg(jsonb_build_array(place - size, place) ORDER BY place) FROM (
      SELECT part, size, sum(size) OVER (ORDER BY at) AS place FROM (
        SELECT m[1] AS part, at, length(m[1]) + length(regexp_replace(m[1], '[^\U00010000-\U0010ffff]', '', 'g')) AS size
        FROM regexp_matches(shown, '([' || alone || ']|[^' || alone || between || ']+|[' || between || ']+)', 'g')
          WITH ORDINALITY AS found(m, at)
      ) AS parts
    ) AS places WHERE to_tsvector(config, engine.words(part)) @@ asked
  );
END $$;

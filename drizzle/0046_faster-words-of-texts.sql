-- The same words as before, in a tenth of the time for ASCII: `translate` compares each character with each of its list.
CREATE OR REPLACE FUNCTION engine.words(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF octet_length(value) = length(value) THEN
    RETURN lower(regexp_replace(value COLLATE "C", '[\t-\r!-/:-@[-`{-~]', ' ', 'g'));
  END IF;
  RETURN regexp_replace(
    regexp_replace(
      replace(replace(replace(replace(
        translate(
          normalize(regexp_replace(normalize(lower(value COLLATE "und-x-icu"), NFKD), '[\u0300-\u036f]+', '', 'g'), NFKC),
          'ςıłøđħŧð', 'σilodhtd'),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      '[!-/:-@[-`{-~[:punct:][:space:][:cntrl:]]+', ' ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])',
    ' \1 ', 'g');
END $$;

-- Runs a query whose values are the elements of `given`, as `($1)[1]`, and returns the places of rows that it finds, an array, in the
-- snapshot of its caller. Only this query is planned each time, for its values; what stands around it is planned once. Nobody gains
-- rights by it: it runs with those of its caller.
CREATE FUNCTION engine.matching_rows(query text, given text[]) RETURNS tid[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  found tid[];
BEGIN
  EXECUTE query INTO found USING given;
  RETURN found;
END $$;

-- Where a person is erased, entries of the audit log keep what was done, and lose who did it.
CREATE OR REPLACE FUNCTION engine.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND OLD.created_at < nullif(current_setting('engine.audit_kept_since', true), '')::timestamptz THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND current_setting('engine.erasure', true) = 'on' THEN
    IF (NEW.id, NEW.created_at, NEW.actor_type, NEW.action, NEW.object_type, NEW.request_id, NEW.change_id) IS NOT DISTINCT FROM
      (OLD.id, OLD.created_at, OLD.actor_type, OLD.action, OLD.object_type, OLD.request_id, OLD.change_id) THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;

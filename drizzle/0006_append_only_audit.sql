-- What was written to the audit log stays as it is, whoever asks. (TRUNCATE is left to the database's owner.)
CREATE FUNCTION engine.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON engine.audit_log
  FOR EACH ROW EXECUTE FUNCTION engine.refuse_change();

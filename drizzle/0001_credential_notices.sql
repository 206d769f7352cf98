-- Every process that keeps credentials in memory drops them at the commit of a change to what they
-- grant, whoever makes it. Columns that are written often and grant nothing (last_used_at,
-- last_sign_in_at, profile) are left out. New keys and users are in no memory yet.
CREATE FUNCTION engine.notify_credentials() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('engine_credentials', '');
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER api_keys_notify AFTER DELETE OR TRUNCATE
  OR UPDATE OF id, name, prefix, hash, scopes, owner_id, expires_at, revoked_at ON engine.api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER users_notify AFTER DELETE OR TRUNCATE
  OR UPDATE OF id, email, roles, status, session_version, must_change_password ON engine.users
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER policies_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON engine.policies
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();

-- Policies may compare records with values of a user's profile, so a change of it counts as one of the credential.
CREATE OR REPLACE TRIGGER users_notify AFTER DELETE OR TRUNCATE
  OR UPDATE OF id, email, roles, status, session_version, must_change_password, profile ON engine.users
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();

CREATE TABLE "engine"."auth_challenges" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"user_id" uuid,
	"secret" text NOT NULL,
	"session_version" integer,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"backed_up" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "engine"."recovery_codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."second_factor_roles" (
	"role" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."totp_factors" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"last_step" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine"."sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"strong" boolean NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"user_agent" text,
	"address" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."auth_challenges" ADD CONSTRAINT "auth_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."totp_factors" ADD CONSTRAINT "totp_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auth_challenges_user" ON "engine"."auth_challenges" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "auth_challenges_expiry" ON "engine"."auth_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "engine"."passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_user" ON "engine"."recovery_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "engine"."sessions" USING btree ("user_id","last_seen_at");--> statement-breakpoint
CREATE INDEX "sessions_seen" ON "engine"."sessions" USING btree ("last_seen_at");
--> statement-breakpoint
-- What a session may do depends on its row, on whether its user has a second factor, and on the roles that
-- require one. For rows, since the statements that clean up mostly find none.
CREATE TRIGGER sessions_notify AFTER DELETE OR UPDATE OF id, user_id, version, strong ON engine.sessions
  FOR EACH ROW EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER sessions_notify_truncate AFTER TRUNCATE ON engine.sessions
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER totp_factors_notify AFTER INSERT OR DELETE ON engine.totp_factors
  FOR EACH ROW EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER totp_factors_notify_truncate AFTER TRUNCATE ON engine.totp_factors
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER passkeys_notify AFTER INSERT OR DELETE ON engine.passkeys
  FOR EACH ROW EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER passkeys_notify_truncate AFTER TRUNCATE ON engine.passkeys
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();--> statement-breakpoint
CREATE TRIGGER second_factor_roles_notify AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON engine.second_factor_roles
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();

ALTER TABLE "engine"."exports" ALTER COLUMN "owner_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."imports" ALTER COLUMN "owner_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."api_keys" ALTER COLUMN "owner_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."exports" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "engine"."imports" ADD COLUMN "key_id" uuid;--> statement-breakpoint
ALTER TABLE "engine"."api_keys" ADD COLUMN "roles" text[];--> statement-breakpoint
ALTER TABLE "engine"."exports" ADD CONSTRAINT "exports_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "engine"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."imports" ADD CONSTRAINT "imports_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "engine"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_key" ON "engine"."exports" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "imports_key" ON "engine"."imports" USING btree ("key_id");--> statement-breakpoint
ALTER TABLE "engine"."api_keys" ADD CONSTRAINT "api_keys_owner_or_roles" CHECK (("engine"."api_keys"."owner_id" is null) = ("engine"."api_keys"."roles" is not null));--> statement-breakpoint
-- Also a change of the roles of keys is one of what they grant.
CREATE OR REPLACE TRIGGER api_keys_notify AFTER DELETE OR TRUNCATE
  OR UPDATE OF id, name, prefix, hash, scopes, roles, owner_id, expires_at, revoked_at ON engine.api_keys
  FOR EACH STATEMENT EXECUTE FUNCTION engine.notify_credentials();

CREATE SCHEMA "engine";
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS "entities";
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Case-insensitive natural order ("item 2" before "Item 10"). The old ICU syntax: the embedded
-- database ignores BCP 47 keywords.
CREATE COLLATION "engine"."natural" (provider = icu, locale = 'und@colNumeric=yes;colStrength=secondary', deterministic = false);
--> statement-breakpoint
CREATE TABLE "engine"."api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[],
	"owner_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	"last_used_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "engine"."audit_log" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"actor_type" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text,
	"address" text,
	"action" text NOT NULL,
	"object_type" text NOT NULL,
	"object_id" text,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "engine"."entities" (
	"name" text PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"definition" jsonb NOT NULL,
	"table_schema" text NOT NULL,
	"table_name" text NOT NULL,
	"columns" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"extra_fields" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."types" (
	"name" text PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."schemas" (
	"name" text PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."idempotency_keys" (
	"owner_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"response" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_owner_id_key_hash_pk" PRIMARY KEY("owner_id","key_hash")
);
--> statement-breakpoint
CREATE TABLE "engine"."images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"asset_id" text NOT NULL,
	"public_id" text NOT NULL,
	"name" text NOT NULL,
	"sent_as" text,
	"folder" text NOT NULL,
	"media_type" text NOT NULL,
	"format" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"context" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"sha256" text NOT NULL,
	"provider" text NOT NULL,
	"storage_key" text NOT NULL,
	"uri" text NOT NULL,
	"secure_uri" text NOT NULL,
	"created_by" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."storage_claims" (
	"provider" text NOT NULL,
	"storage_key" text NOT NULL,
	"holder" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "storage_claims_provider_storage_key_pk" PRIMARY KEY("provider","storage_key")
);
--> statement-breakpoint
CREATE TABLE "engine"."mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"to" text NOT NULL,
	"subject" text NOT NULL,
	"template" text NOT NULL,
	"body" text,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text,
	"provider_id" text,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"give_up_at" timestamp (3) with time zone NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"sent_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "mails_status_known" CHECK ("engine"."mails"."status" in ('queued', 'sending', 'sent', 'delivered', 'bounced', 'failed')),
	CONSTRAINT "mails_claimed" CHECK (("engine"."mails"."status" = 'sending') = ("engine"."mails"."claimed_until" is not null))
);
--> statement-breakpoint
CREATE TABLE "engine"."given_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"path" text NOT NULL,
	"entity" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."given_records" (
	"file_id" uuid NOT NULL,
	"digest" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"key" jsonb NOT NULL,
	CONSTRAINT "given_records_file_id_digest_ordinal_pk" PRIMARY KEY("file_id","digest","ordinal")
);
--> statement-breakpoint
CREATE TABLE "engine"."install_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"install_id" bigint NOT NULL,
	"path" text NOT NULL,
	"target" text,
	"status" text NOT NULL,
	"error" text,
	"details" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"detail_count" integer DEFAULT 0 NOT NULL,
	"warnings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"records" jsonb NOT NULL,
	"duration_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."installs" (
	"id" bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY (sequence name "engine"."installs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plugin_id" text,
	"plugin_name" text,
	"version" text,
	"source" text NOT NULL,
	"sha256" text NOT NULL,
	"mode" text DEFAULT 'partial' NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"duration_ms" integer GENERATED ALWAYS AS ((extract(epoch from (completed_at - started_at)) * 1000)::int) STORED,
	"installed_by" text,
	"total_files" integer DEFAULT 0 NOT NULL,
	"processed_files" integer DEFAULT 0 NOT NULL,
	"success_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"record_count" integer DEFAULT 0 NOT NULL,
	"planned" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"errors" jsonb DEFAULT '[]'::jsonb NOT NULL,
	CONSTRAINT "installs_terminal" CHECK (("engine"."installs"."status" = 'IN_PROGRESS') = ("engine"."installs"."completed_at" is null))
);
--> statement-breakpoint
CREATE TABLE "engine"."plugins" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"version" text,
	"description" text,
	"author" text,
	"license" text,
	"image" text,
	"manifest" jsonb NOT NULL,
	"last_history_id" bigint,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."policies" (
	"name" text PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"definition" jsonb NOT NULL,
	"principals" text[] NOT NULL,
	"entities" text[] NOT NULL,
	"actions" text[] NOT NULL,
	"allow" boolean NOT NULL,
	"priority" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."roles" (
	"name" text PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"definition" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"points" integer NOT NULL,
	"expire" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine"."trash_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entity" text NOT NULL,
	"record_count" integer NOT NULL,
	"columns" jsonb NOT NULL,
	"keys" jsonb NOT NULL,
	"properties" jsonb NOT NULL,
	"deleted_by" text NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."trash_records" (
	"batch_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine"."trash_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"data" jsonb NOT NULL,
	"problem" jsonb,
	CONSTRAINT "trash_records_batch_id_id_pk" PRIMARY KEY("batch_id","id")
);
--> statement-breakpoint
CREATE TABLE "engine"."user_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"token_hash" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_tokens_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "engine"."users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"roles" text[] NOT NULL,
	"profile" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" text NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"must_change_password" boolean DEFAULT false NOT NULL,
	"activated_at" timestamp (3) with time zone,
	"last_sign_in_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_status_known" CHECK ("engine"."users"."status" in ('REQUIRED_ACTIVATION', 'ACTIVATED', 'REQUIRED_RESET_PASSWORD', 'DISABLED'))
);
--> statement-breakpoint
CREATE TABLE "engine"."saved_views" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"entity" text NOT NULL,
	"name" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"params" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."api_keys" ADD CONSTRAINT "api_keys_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."given_records" ADD CONSTRAINT "given_records_file_id_given_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "engine"."given_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."install_files" ADD CONSTRAINT "install_files_install_id_installs_id_fk" FOREIGN KEY ("install_id") REFERENCES "engine"."installs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."user_tokens" ADD CONSTRAINT "user_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."saved_views" ADD CONSTRAINT "saved_views_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_owner" ON "engine"."api_keys" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "api_keys_prefix" ON "engine"."api_keys" USING btree ("prefix");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "engine"."audit_log" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_object" ON "engine"."audit_log" USING btree ("object_type","object_id");--> statement-breakpoint
CREATE UNIQUE INDEX "entities_name_unique" ON "engine"."entities" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "entities_table_unique" ON "engine"."entities" USING btree ("table_schema","table_name");--> statement-breakpoint
CREATE UNIQUE INDEX "types_name_unique" ON "engine"."types" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "schemas_name_unique" ON "engine"."schemas" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "engine"."idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "images_public_id_unique" ON "engine"."images" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "images_object_unique" ON "engine"."images" USING btree ("provider","storage_key");--> statement-breakpoint
CREATE INDEX "images_content" ON "engine"."images" USING btree ("folder","sha256");--> statement-breakpoint
CREATE INDEX "images_created" ON "engine"."images" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "storage_claims_due" ON "engine"."storage_claims" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "mails_created" ON "engine"."mails" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "engine"."mails" USING btree ("next_attempt_at") WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "mails_provider" ON "engine"."mails" USING btree ("provider_id");--> statement-breakpoint
CREATE INDEX "given_files_plugin" ON "engine"."given_files" USING btree ("plugin_id");--> statement-breakpoint
CREATE UNIQUE INDEX "install_files_path" ON "engine"."install_files" USING btree ("install_id","path");--> statement-breakpoint
CREATE INDEX "installs_started" ON "engine"."installs" USING btree ("started_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "installs_plugin" ON "engine"."installs" USING btree ("plugin_id");--> statement-breakpoint
CREATE INDEX "installs_open" ON "engine"."installs" USING btree ("id") WHERE status = 'IN_PROGRESS';--> statement-breakpoint
CREATE UNIQUE INDEX "policies_name_unique" ON "engine"."policies" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_unique" ON "engine"."roles" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "engine"."rate_limits" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "trash_batches_deleted" ON "engine"."trash_batches" USING btree ("deleted_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "trash_batches_expiry" ON "engine"."trash_batches" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "user_tokens_one_a_kind" ON "engine"."user_tokens" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "user_tokens_expiry" ON "engine"."user_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "engine"."users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "engine"."saved_views" USING btree ("owner_id","entity",lower("name"));--> statement-breakpoint
CREATE INDEX "saved_views_shared" ON "engine"."saved_views" USING btree ("entity") WHERE shared;--> statement-breakpoint
-- What was written to the audit log stays as it is. (TRUNCATE is left to the database's owner.)
CREATE FUNCTION engine.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;--> statement-breakpoint
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON engine.audit_log
  FOR EACH ROW EXECUTE FUNCTION engine.refuse_change();

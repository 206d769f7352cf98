CREATE SCHEMA "engine";
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
CREATE TABLE "engine"."install_files" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"install_id" uuid NOT NULL,
	"path" text NOT NULL,
	"target" text,
	"status" text NOT NULL,
	"error" text,
	"details" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"detail_count" integer DEFAULT 0 NOT NULL,
	"records" jsonb NOT NULL,
	"duration_ms" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."installs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text,
	"plugin_name" text,
	"version" text,
	"source" text NOT NULL,
	"sha256" text NOT NULL,
	"mode" text DEFAULT 'partial' NOT NULL,
	"status" text NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"installed_by" text,
	"total_files" integer DEFAULT 0 NOT NULL,
	"processed_files" integer DEFAULT 0 NOT NULL,
	"success_count" integer DEFAULT 0 NOT NULL,
	"failed_count" integer DEFAULT 0 NOT NULL,
	"record_count" integer DEFAULT 0 NOT NULL,
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
	"last_history_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
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
ALTER TABLE "engine"."api_keys" ADD CONSTRAINT "api_keys_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."install_files" ADD CONSTRAINT "install_files_install_id_installs_id_fk" FOREIGN KEY ("install_id") REFERENCES "engine"."installs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."user_tokens" ADD CONSTRAINT "user_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_owner" ON "engine"."api_keys" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "audit_log_at" ON "engine"."audit_log" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_object" ON "engine"."audit_log" USING btree ("object_type","object_id");--> statement-breakpoint
CREATE UNIQUE INDEX "entities_name_unique" ON "engine"."entities" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "entities_table_unique" ON "engine"."entities" USING btree ("table_schema","table_name");--> statement-breakpoint
CREATE UNIQUE INDEX "types_name_unique" ON "engine"."types" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "schemas_name_unique" ON "engine"."schemas" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "install_files_path" ON "engine"."install_files" USING btree ("install_id","path");--> statement-breakpoint
CREATE INDEX "installs_started" ON "engine"."installs" USING btree ("started_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "installs_plugin" ON "engine"."installs" USING btree ("plugin_id");--> statement-breakpoint
CREATE INDEX "installs_open" ON "engine"."installs" USING btree ("id") WHERE status = 'IN_PROGRESS';--> statement-breakpoint
CREATE UNIQUE INDEX "user_tokens_one_a_kind" ON "engine"."user_tokens" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX "user_tokens_expiry" ON "engine"."user_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "engine"."users" USING btree (lower("email"));
CREATE TABLE "engine"."scim_groups" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"display_name" text NOT NULL,
	"external_id" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."scim_members" (
	"group_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "scim_members_group_id_user_id_pk" PRIMARY KEY("group_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "engine"."scim_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"only" boolean DEFAULT true NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	CONSTRAINT "scim_tokens_only_unique" UNIQUE("only"),
	CONSTRAINT "scim_tokens_hash_unique" UNIQUE("hash"),
	CONSTRAINT "scim_tokens_only" CHECK ("engine"."scim_tokens"."only")
);
--> statement-breakpoint
CREATE TABLE "engine"."scim_users" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"external_id" text,
	"attributes" jsonb NOT NULL,
	"profile_keys" text[] NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."scim_members" ADD CONSTRAINT "scim_members_group_id_scim_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "engine"."scim_groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."scim_members" ADD CONSTRAINT "scim_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."scim_users" ADD CONSTRAINT "scim_users_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "scim_groups_name" ON "engine"."scim_groups" USING btree (lower("display_name"));--> statement-breakpoint
CREATE INDEX "scim_groups_external" ON "engine"."scim_groups" USING btree ("external_id");--> statement-breakpoint
CREATE INDEX "scim_members_user" ON "engine"."scim_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "scim_users_external" ON "engine"."scim_users" USING btree ("external_id");
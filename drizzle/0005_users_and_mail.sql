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
ALTER TABLE "engine"."mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mails_created" ON "engine"."mails" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "mails_due" ON "engine"."mails" USING btree ("next_attempt_at") WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "mails_provider" ON "engine"."mails" USING btree ("provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "policies_name_unique" ON "engine"."policies" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "roles_name_unique" ON "engine"."roles" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "rate_limits_expire" ON "engine"."rate_limits" USING btree ("expire");
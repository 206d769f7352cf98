CREATE TABLE "engine"."webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"number" bigserial NOT NULL,
	"entity" text,
	"xid" "xid8",
	"event_id" bigint,
	"key" text NOT NULL,
	"action" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"claimed_until" timestamp (3) with time zone,
	"tries" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"request" text,
	"response" text,
	"error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine"."webhooks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"entities" text[] NOT NULL,
	"actions" text[] NOT NULL,
	"where" jsonb,
	"fields" text[],
	"many" text NOT NULL,
	"format" text NOT NULL,
	"secret" text NOT NULL,
	"former_secret" text,
	"former_until" timestamp (3) with time zone,
	"owner_id" uuid,
	"key_id" uuid,
	"saved_by" text NOT NULL,
	"stopped" text,
	"stopped_at" timestamp (3) with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"hold_until" timestamp (3) with time zone,
	"positions" jsonb NOT NULL,
	"positions_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"missed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "engine"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD CONSTRAINT "webhooks_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD CONSTRAINT "webhooks_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "engine"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_number" ON "engine"."webhook_deliveries" USING btree ("webhook_id","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhook_deliveries_open" ON "engine"."webhook_deliveries" USING btree ("webhook_id","entity","key","number") WHERE status in ('queued', 'sending');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "engine"."webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_name" ON "engine"."webhooks" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "webhooks_owner" ON "engine"."webhooks" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "webhooks_key" ON "engine"."webhooks" USING btree ("key_id");
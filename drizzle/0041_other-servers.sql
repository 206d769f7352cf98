CREATE TABLE "engine"."servers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"key" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."promotions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"server_id" uuid,
	"server_name" text NOT NULL,
	"direction" text NOT NULL,
	"request" jsonb NOT NULL,
	"status" text DEFAULT 'PLANNING' NOT NULL,
	"plan" jsonb,
	"seal" text,
	"sources" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"steps" jsonb DEFAULT '{"installs":[],"settings":{}}'::jsonb NOT NULL,
	"done" text[] DEFAULT '{}' NOT NULL,
	"undone" text[] DEFAULT '{}' NOT NULL,
	"error" text,
	"owner_id" uuid,
	"key_id" uuid,
	"scopes" jsonb,
	"created_by" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"holder" uuid,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "engine"."promotions" ADD CONSTRAINT "promotions_server_id_servers_id_fk" FOREIGN KEY ("server_id") REFERENCES "engine"."servers"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."promotions" ADD CONSTRAINT "promotions_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."promotions" ADD CONSTRAINT "promotions_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "engine"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "servers_name" ON "engine"."servers" USING btree (lower("name"));--> statement-breakpoint
CREATE INDEX "promotions_created" ON "engine"."promotions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "promotions_server" ON "engine"."promotions" USING btree ("server_id");--> statement-breakpoint
CREATE INDEX "promotions_owner" ON "engine"."promotions" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "promotions_key" ON "engine"."promotions" USING btree ("key_id");
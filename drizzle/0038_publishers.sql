CREATE TABLE "engine"."publishers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"key_id" text NOT NULL,
	"public_key" text NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "publishers_key_id_unique" UNIQUE("key_id")
);
--> statement-breakpoint
ALTER TABLE "engine"."installs" ADD COLUMN "signature" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."plugins" ADD COLUMN "signer" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."sessions" ADD COLUMN "factor_confirmed_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "publishers_name" ON "engine"."publishers" USING btree (lower("name"));
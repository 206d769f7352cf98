CREATE TABLE "engine"."images" (
	"id" uuid PRIMARY KEY NOT NULL,
	"public_id" text NOT NULL,
	"name" text NOT NULL,
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
CREATE UNIQUE INDEX "images_public_id_unique" ON "engine"."images" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "images_object_unique" ON "engine"."images" USING btree ("provider","storage_key");--> statement-breakpoint
CREATE INDEX "images_content" ON "engine"."images" USING btree ("folder","sha256");--> statement-breakpoint
CREATE INDEX "images_created" ON "engine"."images" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "storage_claims_due" ON "engine"."storage_claims" USING btree ("due_at");
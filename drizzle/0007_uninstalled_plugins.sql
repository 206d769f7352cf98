ALTER TABLE "engine"."installs" ADD COLUMN "kind" text DEFAULT 'install' NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."trash_batches" ADD COLUMN "kind" text DEFAULT 'records' NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."trash_batches" ADD COLUMN "removed" jsonb;
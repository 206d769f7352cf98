ALTER TABLE "engine"."imports" ADD COLUMN "batch_id" uuid;--> statement-breakpoint
ALTER TABLE "engine"."trash_batches" ADD COLUMN "created_count" integer DEFAULT 0 NOT NULL;
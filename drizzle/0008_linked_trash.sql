ALTER TABLE "engine"."trash_batches" ADD COLUMN "root_id" uuid;--> statement-breakpoint
ALTER TABLE "engine"."trash_batches" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."trash_batches" ADD COLUMN "detached" text;--> statement-breakpoint
CREATE INDEX "trash_batches_root" ON "engine"."trash_batches" USING btree ("root_id") WHERE root_id is not null;
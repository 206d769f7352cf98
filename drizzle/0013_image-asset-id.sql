ALTER TABLE "engine"."images" ADD COLUMN "asset_id" text;--> statement-breakpoint
UPDATE "engine"."images" SET "asset_id" = coalesce(substring("storage_key" from '\.([0-9a-f]{24})\.[a-z]+$'), "storage_key");--> statement-breakpoint
ALTER TABLE "engine"."images" ALTER COLUMN "asset_id" SET NOT NULL;

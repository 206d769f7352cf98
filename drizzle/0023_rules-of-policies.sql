ALTER TABLE "engine"."policies" ADD COLUMN "id" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."policies" ADD COLUMN "invalid" text;--> statement-breakpoint
-- Unknown keys of a definition were kept, so these may hold anything: nothing has checked them.
UPDATE "engine"."policies" SET "invalid" = 'Its keys "where", "fields", "set" and "check" had no effect until now; save it again, or install it changed, to use them'
  WHERE "definition" ?| array['where', 'fields', 'set', 'check'];

ALTER TABLE "engine"."entities" ADD COLUMN "authored" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."types" ADD COLUMN "authored" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."schemas" ADD COLUMN "authored" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."policies" ADD COLUMN "authored" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."roles" ADD COLUMN "authored" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD COLUMN "authored" jsonb;
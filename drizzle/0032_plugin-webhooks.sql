ALTER TABLE "engine"."webhooks" ALTER COLUMN "url" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ALTER COLUMN "secret" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ALTER COLUMN "positions" SET DEFAULT '{}'::jsonb;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD COLUMN "plugin_id" text;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD COLUMN "definition" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD CONSTRAINT "webhooks_address" CHECK (("engine"."webhooks"."url" is null) = ("engine"."webhooks"."secret" is null));--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD CONSTRAINT "webhooks_declared" CHECK (("engine"."webhooks"."plugin_id" is null) = ("engine"."webhooks"."definition" is null));--> statement-breakpoint
ALTER TABLE "engine"."webhooks" ADD CONSTRAINT "webhooks_waiting" CHECK ("engine"."webhooks"."url" is not null or "engine"."webhooks"."plugin_id" is not null);
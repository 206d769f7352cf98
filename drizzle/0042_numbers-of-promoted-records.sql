ALTER TABLE "engine"."plugin_records" ADD COLUMN "source" text;--> statement-breakpoint
ALTER TABLE "engine"."plugin_records" ADD COLUMN "source_key" text;--> statement-breakpoint
CREATE INDEX "plugin_records_source" ON "engine"."plugin_records" USING btree ("entity") WHERE source is not null;
CREATE TABLE "engine"."former_image_keys" (
	"storage_key" text PRIMARY KEY NOT NULL,
	"image_id" uuid NOT NULL,
	"replaced_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."images" ADD COLUMN "crop" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."images" ADD COLUMN "focal_point" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."former_image_keys" ADD CONSTRAINT "former_image_keys_image_id_images_id_fk" FOREIGN KEY ("image_id") REFERENCES "engine"."images"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_image_keys_image" ON "engine"."former_image_keys" USING btree ("image_id","replaced_at" DESC NULLS LAST);
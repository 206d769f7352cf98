CREATE TABLE "engine"."view_defaults" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"view_id" uuid NOT NULL,
	"user_id" uuid,
	"role" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."saved_views" ADD COLUMN "role" text;--> statement-breakpoint
ALTER TABLE "engine"."view_defaults" ADD CONSTRAINT "view_defaults_view_id_saved_views_id_fk" FOREIGN KEY ("view_id") REFERENCES "engine"."saved_views"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."view_defaults" ADD CONSTRAINT "view_defaults_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "view_defaults_view" ON "engine"."view_defaults" USING btree ("view_id");--> statement-breakpoint
CREATE INDEX "view_defaults_user" ON "engine"."view_defaults" USING btree ("user_id") WHERE user_id is not null;--> statement-breakpoint
CREATE INDEX "saved_views_role" ON "engine"."saved_views" USING btree ("entity") WHERE role is not null;
CREATE TABLE "engine"."external_identities" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "engine"."auth_challenges" ADD COLUMN "details" jsonb;--> statement-breakpoint
ALTER TABLE "engine"."sessions" ADD COLUMN "signed_in_by" text;--> statement-breakpoint
ALTER TABLE "engine"."sessions" ADD COLUMN "provider_session" text;--> statement-breakpoint
ALTER TABLE "engine"."external_identities" ADD CONSTRAINT "external_identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "external_identities_subject" ON "engine"."external_identities" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "external_identities_user" ON "engine"."external_identities" USING btree ("user_id");
CREATE TABLE "engine"."record_comments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"relation" "regclass" NOT NULL,
	"key" text NOT NULL,
	"key_hash" bigint GENERATED ALWAYS AS (hashtextextended(key, 0)) STORED NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine"."record_comments_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"text" text NOT NULL,
	"author_id" uuid,
	"author_key_id" uuid,
	"author_type" text NOT NULL,
	"author_name" text NOT NULL,
	"mentioned" uuid[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"edited_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "engine"."record_comments" ADD CONSTRAINT "record_comments_author_id_users_id_fk" FOREIGN KEY ("author_id") REFERENCES "engine"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."record_comments" ADD CONSTRAINT "record_comments_author_key_id_api_keys_id_fk" FOREIGN KEY ("author_key_id") REFERENCES "engine"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_comments_record" ON "engine"."record_comments" USING btree ("relation","key_hash","number");--> statement-breakpoint
CREATE INDEX "record_comments_author" ON "engine"."record_comments" USING btree ("author_id");--> statement-breakpoint
CREATE INDEX "record_comments_author_key" ON "engine"."record_comments" USING btree ("author_key_id");
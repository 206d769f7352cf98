CREATE TABLE "engine"."given_files" (
	"id" uuid PRIMARY KEY NOT NULL,
	"plugin_id" text NOT NULL,
	"path" text NOT NULL,
	"entity" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."given_records" (
	"file_id" uuid NOT NULL,
	"digest" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"key" jsonb NOT NULL,
	CONSTRAINT "given_records_file_id_digest_ordinal_pk" PRIMARY KEY("file_id","digest","ordinal")
);
--> statement-breakpoint
ALTER TABLE "engine"."given_records" ADD CONSTRAINT "given_records_file_id_given_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "engine"."given_files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "given_files_plugin" ON "engine"."given_files" USING btree ("plugin_id");
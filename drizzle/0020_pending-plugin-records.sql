CREATE TABLE "engine"."pending_plugin_records" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "engine"."pending_plugin_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"plugin_id" text NOT NULL,
	"entity" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"columns" jsonb NOT NULL,
	"statement" text NOT NULL,
	"lines" "bytea" NOT NULL,
	"error" text
);
--> statement-breakpoint
-- They are written in every install of a large file and read once: compressing them costs more than it saves.
ALTER TABLE "engine"."pending_plugin_records" ALTER COLUMN "lines" SET STORAGE EXTERNAL;

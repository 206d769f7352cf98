CREATE TABLE "engine"."trash_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"entity" text NOT NULL,
	"record_count" integer NOT NULL,
	"columns" jsonb NOT NULL,
	"keys" jsonb NOT NULL,
	"properties" jsonb NOT NULL,
	"deleted_by" text NOT NULL,
	"deleted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."trash_records" (
	"batch_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine"."trash_records_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"data" jsonb NOT NULL,
	"problem" jsonb,
	CONSTRAINT "trash_records_batch_id_id_pk" PRIMARY KEY("batch_id","id")
);
--> statement-breakpoint
CREATE INDEX "trash_batches_deleted" ON "engine"."trash_batches" USING btree ("deleted_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "trash_batches_expiry" ON "engine"."trash_batches" USING btree ("expires_at");
CREATE TABLE "engine"."import_parts" (
	"import_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "import_parts_import_id_position_pk" PRIMARY KEY("import_id","position")
);
--> statement-breakpoint
CREATE TABLE "engine"."imports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"entity" text NOT NULL,
	"file_name" text NOT NULL,
	"format" text NOT NULL,
	"mode" text NOT NULL,
	"key" jsonb NOT NULL,
	"is_dry_run" boolean NOT NULL,
	"is_partial" boolean NOT NULL,
	"columns" jsonb NOT NULL,
	"status" text DEFAULT 'WAITING' NOT NULL,
	"error" text,
	"total_bytes" bigint NOT NULL,
	"done_bytes" bigint DEFAULT 0 NOT NULL,
	"done_rows" bigint DEFAULT 0 NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"updated" bigint DEFAULT 0 NOT NULL,
	"unchanged" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"groups" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"refused_rows" bigint DEFAULT 0 NOT NULL,
	"refused_bytes" bigint DEFAULT 0 NOT NULL,
	"holder" uuid,
	"due_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "engine"."import_parts" ADD CONSTRAINT "import_parts_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "engine"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."imports" ADD CONSTRAINT "imports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_owner" ON "engine"."imports" USING btree ("owner_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "imports_due" ON "engine"."imports" USING btree ("due_at") WHERE status in ('WAITING', 'RUNNING');--> statement-breakpoint
CREATE INDEX "imports_expiry" ON "engine"."imports" USING btree ("expires_at");
CREATE TABLE "engine"."exports" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"scopes" jsonb,
	"created_by" text NOT NULL,
	"entity" text NOT NULL,
	"format" text NOT NULL,
	"bom" boolean DEFAULT false NOT NULL,
	"body" text NOT NULL,
	"status" text DEFAULT 'WAITING' NOT NULL,
	"error" text,
	"done_rows" bigint DEFAULT 0 NOT NULL,
	"total_rows" bigint,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"holder" uuid,
	"due_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine"."export_parts" (
	"export_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "export_parts_export_id_position_pk" PRIMARY KEY("export_id","position")
);
--> statement-breakpoint
ALTER TABLE "engine"."installs" ADD COLUMN "cancelled_by" text;--> statement-breakpoint
ALTER TABLE "engine"."exports" ADD CONSTRAINT "exports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "engine"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."export_parts" ADD CONSTRAINT "export_parts_export_id_exports_id_fk" FOREIGN KEY ("export_id") REFERENCES "engine"."exports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exports_owner" ON "engine"."exports" USING btree ("owner_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "exports_due" ON "engine"."exports" USING btree ("due_at") WHERE status in ('WAITING', 'RUNNING');--> statement-breakpoint
CREATE INDEX "exports_expiry" ON "engine"."exports" USING btree ("expires_at");
CREATE TABLE "engine"."plugin_changes" (
	"install_id" bigint NOT NULL,
	"entity" text NOT NULL,
	"key" text NOT NULL,
	"change" text NOT NULL,
	"before" jsonb,
	"remembered" jsonb,
	CONSTRAINT "plugin_changes_install_id_entity_key_pk" PRIMARY KEY("install_id","entity","key")
);
--> statement-breakpoint
CREATE TABLE "engine"."plugin_definition_changes" (
	"install_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	CONSTRAINT "plugin_definition_changes_install_id_position_pk" PRIMARY KEY("install_id","position")
);
--> statement-breakpoint
CREATE TABLE "engine"."plugin_records" (
	"plugin_id" text NOT NULL,
	"entity" text NOT NULL,
	"key" text NOT NULL,
	"path" text NOT NULL,
	"base" jsonb,
	"install_id" bigint,
	"created_by" bigint,
	"content" uuid,
	"ordinal" integer,
	CONSTRAINT "plugin_records_entity_key_plugin_id_pk" PRIMARY KEY("entity","key","plugin_id")
);
--> statement-breakpoint
ALTER TABLE "engine"."install_files" ADD COLUMN "conflicts" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."install_files" ADD COLUMN "conflict_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."install_files" ADD COLUMN "removed" jsonb DEFAULT '{"total":0,"deleted":0}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."plugin_changes" ADD CONSTRAINT "plugin_changes_install_id_installs_id_fk" FOREIGN KEY ("install_id") REFERENCES "engine"."installs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine"."plugin_definition_changes" ADD CONSTRAINT "plugin_definition_changes_install_id_installs_id_fk" FOREIGN KEY ("install_id") REFERENCES "engine"."installs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plugin_records_content" ON "engine"."plugin_records" USING btree ("plugin_id","content") WHERE content is not null;--> statement-breakpoint
-- Records of composite keys, whose ids depend on the order of the key's parts, are matched anew.
INSERT INTO "engine"."plugin_records" (plugin_id, entity, key, path, content, ordinal)
SELECT f.plugin_id, f.entity, k.value, f.path, r.digest, r.ordinal
FROM "engine"."given_records" r JOIN "engine"."given_files" f ON f.id = r.file_id
  CROSS JOIN LATERAL jsonb_each_text(r.key) AS k
WHERE (SELECT count(*) FROM jsonb_object_keys(r.key)) = 1 AND k.value IS NOT NULL
ON CONFLICT DO NOTHING;--> statement-breakpoint
DROP TABLE "engine"."given_records";--> statement-breakpoint
DROP TABLE "engine"."given_files";

CREATE TABLE "engine"."search_shapes" (
	"entity" text NOT NULL,
	"hash" text NOT NULL,
	"shape" jsonb NOT NULL,
	"runs" bigint NOT NULL,
	"total_ms" double precision NOT NULL,
	"max_ms" double precision NOT NULL,
	"last_ms" double precision NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"before" jsonb,
	CONSTRAINT "search_shapes_entity_hash_pk" PRIMARY KEY("entity","hash")
);
--> statement-breakpoint
ALTER TABLE "engine"."entities" ADD COLUMN "added_indexes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "engine"."search_shapes" ADD CONSTRAINT "search_shapes_entity_entities_name_fk" FOREIGN KEY ("entity") REFERENCES "engine"."entities"("name") ON DELETE cascade ON UPDATE cascade;
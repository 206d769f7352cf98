CREATE TABLE "engine"."idempotency_keys" (
	"owner_id" text NOT NULL,
	"key_hash" text NOT NULL,
	"fingerprint" text NOT NULL,
	"answer" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_owner_id_key_hash_pk" PRIMARY KEY("owner_id","key_hash")
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "engine"."idempotency_keys" USING btree ("created_at");
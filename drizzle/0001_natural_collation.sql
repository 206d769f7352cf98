CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Case-insensitive natural order ("item 2" before "Item 10"). The old ICU syntax: the embedded
-- database ignores BCP 47 keywords.
CREATE COLLATION "engine"."natural" (provider = icu, locale = 'und@colNumeric=yes;colStrength=secondary', deterministic = false);
--> statement-breakpoint
CREATE SCHEMA IF NOT EXISTS "entities";

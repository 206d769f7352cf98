import type { ClientBase } from 'pg'

/**
 * Statements of a backup, with the schema in which this database has the operators of pg_trgm: `public`, or `engine` where the
 * role is called `engine`, since PostgreSQL makes an extension in the first schema of `"$user", public` that is there.
 */
export async function withOperatorsHere(
  client: ClientBase,
  statements: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ schema: string }>(SCHEMA)
  const operators = ` ${rows[0]?.schema ?? 'public'}.gin_trgm_ops`
  return statements.map((text) =>
    text.startsWith('CREATE INDEX ') ? text.replace(QUALIFIED, () => operators) : text,
  )
}

const SCHEMA = `select extnamespace::regnamespace::text as schema from pg_extension where extname = 'pg_trgm'`

/** As `pg_get_indexdef` writes them: `USING gin (name public.gin_trgm_ops)`. */
const QUALIFIED = / (?:[a-z_][\w$]*|"(?:[^"]|"")+")\.gin_trgm_ops(?=[,)])/g

import { type SQL, sql } from 'drizzle-orm'

/** The key's value, or an object of them when there are several. */
export function keyJson(keys: readonly string[]): SQL {
  const [only] = keys
  if (keys.length === 1 && only) return sql`to_jsonb(${sql.identifier(only)})`
  const pairs = keys.map((key) => sql`${key}::text, ${sql.identifier(key)}`)
  return sql`jsonb_build_object(${sql.join(pairs, sql`, `)})`
}

export const keyOrder = (keys: readonly string[]): SQL =>
  sql.join(
    keys.map((key) => sql.identifier(key)),
    sql`, `,
  )

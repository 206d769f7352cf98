import { sql } from 'drizzle-orm'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'

/** The temporary name of each schema that a copy replaces, by its own name. */
export type Parked = ReadonlyMap<string, string>

/**
 * Renames schemas and creates empty ones in their place. No other transaction sees it: it takes no
 * lock on tables, and the transaction must be rolled back. Skips schemas that do not exist.
 * Throws `unprocessable` for one that the database user does not own.
 */
export async function parkSchemas(tx: Db, names: readonly string[]): Promise<Parked> {
  const parked = new Map<string, string>()
  for (const [at, name] of [...new Set(names)].entries()) {
    const [found] = await rows<{ owned: boolean }>(
      tx,
      sql`select pg_has_role(nspowner, 'USAGE') as owned from pg_namespace where nspname = ${name}`,
    )
    if (!found) continue
    if (!found.owned) throw new AppError('unprocessable', notOwned(name))
    const away = `engine_parked_${at}`
    await tx.execute(sql`alter schema ${sql.identifier(name)} rename to ${sql.identifier(away)}`)
    await tx.execute(sql`create schema ${sql.identifier(name)}`)
    parked.set(name, away)
  }
  const path = ['"$user"', 'public', ...parked.values()].join(', ')
  await tx.execute(sql.raw(`set local search_path = ${path}`))
  const renamed = JSON.stringify(Object.fromEntries(parked))
  await tx.execute(sql`select set_config('engine.parked', ${renamed}::text, true)`)
  return parked
}

const notOwned = (name: string) =>
  `A dry run needs the database user to own the schema "${name}"; install the archive without one`

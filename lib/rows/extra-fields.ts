import { eq, sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { entities } from '@/lib/db/schema/entities'
import { type Db, textArray } from '@/lib/db/sql'
import { type Entity, MAX_EXTRA_FIELDS } from '@/lib/definitions/definition'
import type { PreparedRow } from './prepared-row'

/** Collects undeclared names that are not in the registry yet, up to its limit. */
export function extraNames({ extraFields }: Entity) {
  const known = new Set(extraFields)
  return {
    add(row: PreparedRow): void {
      if (known.size >= MAX_EXTRA_FIELDS) return
      const { extra } = row
      if (!extra) return
      for (const name of Object.keys(extra)) if (known.size < MAX_EXTRA_FIELDS) known.add(name)
    },
    added: (): string[] => [...known].slice(extraFields.length),
  }
}

/** Undeclared names in rows that are not in the registry yet. */
export async function newExtraFieldsOf(entity: Entity, rows: PreparedRow[]): Promise<string[]> {
  const names = extraNames(entity)
  await forEachInTurns(rows, names.add)
  return names.added()
}

/** Adds names to the registry's list; names added concurrently are kept. */
export async function rememberExtraFields(
  db: Db,
  { name }: Entity,
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  const all = sql`unnest(${entities.extraFields} || ${textArray(names)}) with ordinality as f(name, position)`
  await db
    .update(entities)
    .set({
      updatedAt: sql`${entities.updatedAt}`, // the definition stays the same
      extraFields: sql`array(select f.name from ${all} group by f.name order by min(f.position) limit ${MAX_EXTRA_FIELDS})`,
    })
    .where(eq(entities.name, name))
}

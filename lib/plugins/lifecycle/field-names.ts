import { eq, type SQL, sql } from 'drizzle-orm'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import { entities, pluginDefinitionChanges } from '@/lib/db/schema'
import type { Db } from '@/lib/db/types'
import { type Entity, EXTRA_COLUMN } from '@/lib/definitions/definition'
import { isObject } from '@/lib/values/json'
import { COLUMNS, noteChange } from './note-definition'
import type { Undo } from './undo-source'

/** Remembers that a data file brought new undeclared names, for the rollback of its install. */
export async function noteFieldNames(
  tx: Db,
  installId: number | null,
  { name, extraFields }: Entity,
  added: readonly string[],
): Promise<void> {
  if (installId === null || added.length === 0) return
  const names = { before: { extraFields }, after: { extraFields: [...extraFields, ...added] } }
  await noteChange(tx, { installId, kind: 'fields', name, ...names })
}

/** Makes the known undeclared names what they were before the install; those that stored records have stay. */
export async function restoreFieldNames(tx: Db, { installId, as }: Undo): Promise<void> {
  for (const [name, former] of await formerNames(tx, installId)) {
    const [row] = await tx.select().from(entities).where(eq(entities.name, name))
    if (!row) continue
    const added = row.extraFields.filter((field) => !former.includes(field))
    const table = tableSql({ schema: row.tableSchema, name: row.tableName })
    const names = [...former, ...(await usedNames(tx, table, added))]
    if (names.join() === row.extraFields.join()) continue
    const { updatedAt } = row
    await tx.update(entities).set({ extraFields: names, updatedAt }).where(eq(entities.name, name))
    await noteChange(tx, {
      installId: as,
      kind: 'fields',
      name,
      before: { extraFields: row.extraFields },
      after: { extraFields: names },
    })
  }
}

/** Entity → the undeclared names that were known before the install. */
export async function formerNames(tx: Db, installId: number): Promise<Map<string, string[]>> {
  const changes = await tx
    .select()
    .from(pluginDefinitionChanges)
    .where(eq(pluginDefinitionChanges.installId, installId))
    .orderBy(pluginDefinitionChanges.position)
  const found = new Map<string, string[]>()
  const add = (name: string, names: unknown) => {
    if (Array.isArray(names) && !found.has(name)) found.set(name, names.map(String))
  }
  for (const { kind, name, before } of changes) {
    if (!before) continue
    if (kind === 'entity') add(String(before.name), before.extra_fields)
    if (kind === 'fields') add(name, before.extraFields)
    const users = before[COLUMNS]
    if (kind !== 'schema' || !isObject(users)) continue
    for (const [user, then] of Object.entries(users))
      if (isObject(then)) add(user, then.extraFields)
  }
  return found
}

/** Those of the names that stored records have. */
async function usedNames(tx: Db, table: SQL, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const isUsed = names.map(
    (name) => sql`coalesce(bool_or(${sql.identifier(EXTRA_COLUMN)} ? ${name}::text), false)`,
  )
  const query = sql`select array[${sql.join(isUsed, sql`, `)}] as used from ${table}`
  const { used } = one(await rows<{ used: boolean[] }>(tx, query))
  return names.filter((_, at) => used[at])
}

import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { tableSql } from '@/lib/db/identifiers'
import { one, rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import { mayRead } from '@/lib/registry/may-read'
import { storedReferences } from '@/lib/tables/stored-references'
import type { Blocker } from './contract'
import { columnList } from './record-columns'

type Named = { entity: Entity; where: SQL; actor: Actor; entities: readonly Entity[] }

/**
 * What prevents the deletion of the records that match `where`: a row for each field that refers to
 * one of them, by entity. Records that would be deleted themselves do not count.
 */
export async function referringRecords(db: Db, named: Named): Promise<Blocker[]> {
  const { entity, where, actor, entities } = named
  const found: Blocker[] = []
  for (const { table, reference } of await storedReferences(db, entity.table)) {
    const referring = entities.find(({ table: own }) => sameTable(own, table))
    if (!referring) continue
    const gone = sql`select ${columnList(reference.fields)} from ${tableSql(entity.table)} where ${where}`
    const stays = sameTable(table, entity.table) ? sql`not (${where})` : sql`true`
    const query = sql`select count(*)::float8 as total from ${tableSql(table)}
      where (${columnList(reference.columns)}) in (${gone}) and ${stays}`
    const { total } = one(await rows<{ total: number }>(db, query))
    const shown = mayRead(actor, referring) ? total : null
    if (total > 0)
      found.push({ entity: referring.name, field: reference.columns[0] ?? '', count: shown })
  }
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

type Table = { schema: string; name: string }
const sameTable = (a: Table, b: Table) => a.schema === b.schema && a.name === b.name
const key = ({ entity, field }: Blocker) => `${entity}\n${field}`

/** The referring records in the words of an error: `3 records of "Loan" (by "book")`. */
export const describeBlockers = (blockers: readonly Blocker[]): string =>
  blockers
    .map(({ entity, field, count }) => {
      const records = count === null ? 'records' : count === 1 ? '1 record' : `${count} records`
      return `${records} of "${entity}" (by "${field}")`
    })
    .join(', ')

import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { databaseError } from '@/lib/db/errors'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import { columnList } from '@/lib/rows/record-columns'
import { restrictedTarget } from '@/lib/search/restricted-target'
import { storedReferences } from '@/lib/tables/stored-references'
import type { Blocker } from './contract'

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
    const deleted = sql`select ${columnList(reference.fields)} from ${tableSql(entity.table)} where ${where}`
    const stays = sameTable(table, entity.table) ? sql`not (${where})` : sql`true`
    const query = sql`select count(*)::float8 as total from ${tableSql(table)}
      where (${columnList(reference.columns)}) in (${deleted}) and ${stays}`
    const { total } = one(await rows<{ total: number }>(db, query))
    const [field = ''] = reference.columns
    if (total > 0)
      found.push({ entity: referring.name, ...told({ actor, entities }, referring, field, total) })
  }
  return found.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

type Reader = { actor: Actor; entities: readonly Entity[] }

/** What a caller may know of records that refer by a field: not their number where some may be hidden, nor a hidden field. */
export function told(
  { actor, entities }: Reader,
  referring: Entity,
  field: string,
  total: number,
): { field: string; count: number | null } {
  if (!mayRead(actor, referring)) return { field, count: null }
  const { rule, fields } = restrictedTarget(referring, actor, entities)
  const shown = fields.find(({ name }) => name === field)
  return { field: shown ? field : '', count: rule || !shown || shown.mask ? null : total }
}

type Table = { schema: string; name: string }
const sameTable = (a: Table, b: Table) => a.schema === b.schema && a.name === b.name
const key = ({ entity, field }: Blocker) => `${entity}\n${field}`

/** The referring records in the words of an error: `3 records of "Loan" (by "book")`. */
export const describeBlockers = (blockers: readonly Blocker[]): string =>
  blockers
    .map(({ entity, field, count }) => {
      const records = count === null ? 'records' : count === 1 ? '1 record' : `${count} records`
      return `${records} of "${entity}"${field ? ` (by "${field}")` : ''}`
    })
    .join(', ')

const isReferred = (error: unknown): boolean => databaseError(error)?.code === '23503'

/**
 * After a deletion that failed and was rolled back: throws `conflict` about the records that refer to
 * those to be deleted, with `meta.blockedBy`; rethrows any other error.
 */
export async function refuseReferenced(
  deps: Deps,
  deletion: Omit<Named, 'entities'>,
  error: unknown,
): Promise<never> {
  if (!isReferred(error)) throw error
  return refuseReferencedAmong(deps.db, { ...deletion, entities: await listEntities(deps) }, error)
}

/** The same among the installed entities. */
export async function refuseReferencedAmong(
  db: Db,
  deletion: Named,
  error: unknown,
): Promise<never> {
  if (!isReferred(error)) throw error
  const blockedBy = await referringRecords(db, deletion)
  // They may have been deleted by now.
  const who = blockedBy.length > 0 ? describeBlockers(blockedBy) : 'Other records'
  throw new AppError(
    'conflict',
    `${who} refer to records of "${deletion.entity.name}" that would go; delete those first. Nothing was deleted`,
    { cause: error, meta: { blockedBy } },
  )
}

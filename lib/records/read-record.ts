import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { rows } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { fromSql } from '@/lib/search/joins'
import { recordJson } from '@/lib/search/record-json'
import { resolveSearch } from '@/lib/search/resolve-search'
import type { ResolvedSearch } from '@/lib/search/resolved'
import type { SearchInput } from '@/lib/search/search-input'
import { findTarget } from '@/lib/tables/find-target'
import { recordNotFound, recordWhere } from './record-where'
import { etagOf } from './select-records'

export type ReadRecord = {
  entityName: string
  id: string
  /** The fields to return; all when empty. */
  fields: string[]
  /** References whose records are returned in place of their keys. */
  expand: string[]
  /** References are followed only into entities that this actor may read. */
  reader: Actor | null
}

/**
 * One record as searches return it, in a list of JSON text. The `ETag` is that of the whole record,
 * whatever part is returned. Throws `not_found` for an id without a record, and otherwise as
 * `searchRecords` does.
 */
export async function readRecord(
  deps: Deps,
  { entityName, id, fields, expand, reader }: ReadRecord,
): Promise<{ data: string; etag: string }> {
  const target = await findTarget(deps, entityName, reader)
  const search = resolveSearch(target, { ...ALL, fields, expand })
  const found = await select(deps.db, target, recordWhere(target, id), search)
  if (!found) throw recordNotFound(target.name, id)
  return { data: `[${found.chosen ?? found.whole}]`, etag: etagOf(found.whole) }
}

const ALL: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 1,
  count: 'none',
}

type Found = { whole: string; chosen: string | null }

async function select(
  db: Db,
  target: SearchTarget,
  where: SQL,
  { fields, expand = [], joins }: ResolvedSearch,
): Promise<Found | undefined> {
  const isWhole = fields === null && expand.length === 0
  const chosen = isWhole ? sql`null` : recordJson(target, fields, { scope: '$record', expand })
  const [found] = await rows<Found>(
    db,
    sql`select ${recordJson(target, null)} as whole, ${chosen} as chosen
      from (select * from ${fromSql(target, joins)} where ${where}) as "$record"`,
  )
  return found
}

import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { StatementCache } from '@/lib/db/compiled-statement'
import { readTexts } from '@/lib/db/read-texts'
import { type Db, rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { etagOf } from '@/lib/rows/select-records'
import { findTarget } from '@/lib/search/find-target'
import { recordJson } from '@/lib/search/record-json'
import { resolveSearch } from '@/lib/search/resolve-search'
import type { SearchInput } from '@/lib/search/search-input'
import { fromSql } from '@/lib/search/sql-terms'
import { compiledRecordWhere, keyValues, recordNotFound, recordWhere } from './record-where'

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
  const values = fields.length === 0 && expand.length === 0 ? keyValues(target, id) : null
  const found = values
    ? await wholeRecord(deps.db, target, values)
    : await chosenRecord(deps.db, target, { id, fields, expand })
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

type FoundRecord = { whole: string; chosen: string | null }

// Kept for the fields of a target, which stay the same object as long as the definition is the same.
const cache = new StatementCache<SearchTarget['fields']>()

async function wholeRecord(
  db: Db,
  target: SearchTarget,
  values: Record<string, string>,
): Promise<FoundRecord | null> {
  const build = () => sql`select ${recordJson(target, null)}
    from ${fromSql(target, target.rule?.joins)} where ${visible(target, compiledRecordWhere(target))}`
  const statement = cache.find(target.fields, target.name, build)
  const [found] = await readTexts(db, statement, values)
  return found ? { whole: found[0] ?? '', chosen: null } : null
}

/** For what a compiled statement can't return, or an id that it can't compare. */
async function chosenRecord(
  db: Db,
  target: SearchTarget,
  chosen: Pick<ReadRecord, 'id' | 'fields' | 'expand'>,
): Promise<FoundRecord | undefined> {
  const names = { fields: chosen.fields, expand: chosen.expand }
  const { fields, expand = [], joins } = resolveSearch(target, { ...ALL, ...names })
  const isWhole = fields === null && expand.length === 0
  const part = isWhole ? sql`null` : recordJson(target, fields, { scope: '$record', expand })
  const [found] = await rows<FoundRecord>(
    db,
    sql`select ${recordJson(target, null)} as whole, ${part} as chosen
    from (select * from ${fromSql(target, joins)} where ${visible(target, recordWhere(target, chosen.id))}) as "$record"`,
  )
  return found
}

const visible = ({ rule }: SearchTarget, where: SQL): SQL =>
  rule ? sql`${where} and ${rule.sql}` : where

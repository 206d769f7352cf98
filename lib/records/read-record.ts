import { type SQL, sql } from 'drizzle-orm'
import type { Actor } from '@/lib/auth/rights'
import { CompiledStatement, StatementCache } from '@/lib/db/compiled-statement'
import { readTexts } from '@/lib/db/read-texts'
import type { Deps } from '@/lib/deps'
import type { SearchTarget } from '@/lib/registry/target'
import { etagOf } from '@/lib/rows/select-records'
import { formOfExpand } from '@/lib/search/expansion-form'
import { findTarget } from '@/lib/search/find-target'
import { recordJson } from '@/lib/search/record-json'
import { resolveSearch } from '@/lib/search/resolve-search'
import type { Expansion, ResolvedSearch } from '@/lib/search/resolved'
import type { SearchInput } from '@/lib/search/search-input'
import { fromSql } from '@/lib/search/sql-terms'
import { compiledRecordWhere, keyValues, recordNotFound, recordWhere } from './record-where'

export type ReadRecord = {
  entityName: string
  id: string
  /** The fields to return; all when empty. */
  fields: string[]
  /** References whose records are returned in place of their keys. */
  expand: NonNullable<SearchInput['expand']>
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
  const part = chosenPart(target, { fields, expand })
  const values = keyValues(target, id)
  const statement = values
    ? cache.find(target.fields, formOf(target, part), () =>
        recordSql(target, compiledRecordWhere(target), part),
      )
    : new CompiledStatement(recordSql(target, recordWhere(target, id), part))
  const [found] = await readTexts(deps.db, statement, values ?? {})
  if (!found) throw recordNotFound(target.name, id)
  const [whole, chosen] = found
  return { data: `[${chosen ?? whole}]`, etag: etagOf(whole ?? '') }
}

const ALL: SearchInput = {
  conditions: [],
  conditionsName: 'query',
  sort: [],
  page: 0,
  size: 1,
  count: 'none',
}

/** What is returned in place of the whole record. */
type Part = Pick<ResolvedSearch, 'fields' | 'joins'> & { expand: Expansion[] }

/** Null for the whole record. */
function chosenPart(
  target: SearchTarget,
  names: Pick<ReadRecord, 'fields' | 'expand'>,
): Part | null {
  if (names.fields.length === 0 && names.expand.length === 0) return null
  const { fields, expand = [], joins } = resolveSearch(target, { ...ALL, ...names })
  return fields === null && expand.length === 0 ? null : { fields, expand, joins }
}

// Kept for the fields of a target, which stay the same object as long as its definition and its rule are the same.
const cache = new StatementCache<SearchTarget['fields']>()

const formOf = ({ name, table }: SearchTarget, part: Part | null): string =>
  part ? JSON.stringify([name, table, part.fields, part.joins, formOfExpand(part.expand)]) : name

/** One row: the whole record and, with `part`, that part of it. `where` finds the record by its key. */
function recordSql(target: SearchTarget, where: SQL, part: Part | null): SQL {
  const whole = recordJson(target, null)
  const joins = part ? part.joins : target.rule?.joins
  const rows = sql`from ${fromSql(target, joins)} where ${visible(target, where)}`
  if (!part) return sql`select ${whole} ${rows}`
  const chosen = recordJson(target, part.fields, { scope: '$record', expand: part.expand })
  return sql`select ${whole}, ${chosen} from (select * ${rows}) as "$record"`
}

const visible = ({ rule }: SearchTarget, where: SQL): SQL =>
  rule ? sql`${where} and ${rule.sql}` : where

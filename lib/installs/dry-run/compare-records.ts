import { isDeepStrictEqual } from 'node:util'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, one, rows, tableSql } from '@/lib/db/sql'
import { AUDIT_FIELDS, type Entity, type TableName } from '@/lib/definitions/definition'
import { AppError } from '@/lib/errors'
import { targetOf } from '@/lib/registry/target'
import { jsonChunks, type PreparedRow } from '@/lib/rows/prepared-row'
import { columnList, INDEX_COLUMN, recordset } from '@/lib/rows/record-columns'
import { recordJson } from '@/lib/search/record-json'
import { ID_FIELD } from '@/lib/search/resolve-field'
import {
  isObject,
  type Json,
  type JsonObject,
  parseJson,
  stringifyExactly,
} from '@/lib/values/json'
import type { RecordsPage } from '../install-request'
import type { PlannedRecord } from '../plan-contract'

const temporary = (name: string): TableName => ({ schema: 'pg_temp', name: `engine_${name}` })
const BEFORE = tableSql(temporary('before'))
const ROWS = tableSql(temporary('rows'))
const CHANGED = tableSql(temporary('changed'))
const AT = sql.identifier(INDEX_COLUMN)

const MAX_PAGE_BYTES = 32 * 1024 * 1024

type RowRecorder = {
  /** Keeps the keys of rows, which are complete. */
  add: (rows: readonly PreparedRow[]) => Promise<void>
  /** Keeps the records of the copied table as they are before the file is tried. */
  keepBefore: () => Promise<void>
}

/** Keeps what `compareRecords` compares. */
export async function rowRecorder(tx: Db, entity: Entity): Promise<RowRecorder> {
  const keyed = (json: string): SQL =>
    sql`select n.${AT}, ${columnsOf('n', entity.keys)} from ${recordset(entity, json, [INDEX_COLUMN, ...entity.keys])}`
  await tx.execute(sql`create temp table ${ROWS} as ${keyed('[]')}`)
  const encode = ({ index, values }: PreparedRow) => {
    const key = entity.keys.map((name) => [name, values[name] ?? null])
    return stringifyExactly(Object.fromEntries([[INDEX_COLUMN, index], ...key]))
  }
  return {
    async add(rows) {
      for (const { json } of jsonChunks(rows, encode))
        await tx.execute(sql`insert into ${ROWS} ${keyed(json)}`)
    },
    async keepBefore() {
      await tx.execute(sql`create temp table ${BEFORE} as select * from ${tableSql(entity.table)}`)
      for (const table of [BEFORE, ROWS]) {
        await tx.execute(sql`create index on ${table} (${columnList(entity.keys)})`)
        await tx.execute(sql`analyze ${table}`)
      }
    },
  }
}

/**
 * What the file has changed since `rowRecorder` kept what was there, and what of its records was so already. Changed ones
 * first; the records of the file in its order, then others by key.
 * Throws `too_large` for a page of large records.
 */
export async function compareRecords(
  tx: Db,
  entity: Entity,
  { page, size }: RecordsPage,
): Promise<RecordChanges> {
  const { keys, table } = entity
  const same = (a: string, b: string) =>
    sql.join(
      keys.map((key) => sql`${columnOf(a, key)} = ${columnOf(b, key)}`),
      sql` and `,
    )
  const first = keys[0] ?? ''
  const either = keys.map(
    (key) => sql`coalesce(${columnOf('a', key)}, ${columnOf('b', key)}) as ${sql.identifier(key)}`,
  )
  await tx.execute(sql`create temp table ${CHANGED} as
    select g.${AT}, c.* from (
      select ${sql.join(either, sql`, `)}, ${columnOf('b', first)} is not null as "$was",
        ${columnOf('a', first)} is not null as "$is", not coalesce(a.* *= b.*, false) as "$differs"
      from ${BEFORE} as b full join ${tableSql(table)} as a on ${same('a', 'b')}
    ) as c left join (select min(${AT}) as ${AT}, ${columnList(keys)} from ${ROWS} group by ${columnList(keys)}) as g
      on ${same('g', 'c')}
    where g.${AT} is not null or c."$differs"`)
  const total = await tx.$count(sql`${CHANGED}`)
  const order = sql`c."$differs" desc, c.${AT} nulls last, ${columnsOf('c', keys)}`
  const of = (columns: SQL) => sql`select ${columns}
    from (select * from ${CHANGED} as c order by ${order} limit ${size}::int offset ${page * size}::bigint) as c
    left join ${BEFORE} as b on ${same('b', 'c')} and c."$differs"
    left join ${tableSql(table)} as a on ${same('a', 'c')} and c."$differs"`
  const bytes = sql`coalesce(sum(coalesce(pg_column_size(a.*), 0) + coalesce(pg_column_size(b.*), 0)), 0)::float8 as bytes`
  if (one(await rows<{ bytes: number }>(tx, of(bytes))).bytes > MAX_PAGE_BYTES)
    throw new AppError(
      'too_large',
      'The records of this page are too large; ask for a smaller size',
    )
  const json = (alias: 'a' | 'b') =>
    sql`case when ${columnOf(alias, first)} is not null then
      (select ${recordJson(targetOf(entity), null)} from (select ${sql.identifier(alias)}.*) as "$record") end`
  const found = await rows<ChangedRow>(
    tx,
    sql`${of(sql`c.${AT} as index, (select row_to_json(k.*)::text from (select ${columnsOf('c', keys)}) as k) as key,
      c."$was" as was, c."$is" as exists, c."$differs" as differs, ${json('b')} as before, ${json('a')} as after`)}
      order by ${order}`,
  )
  return { total, items: found.map((row) => toRecordChange(keys, row)) }
}

const columnOf = (alias: string, name: string): SQL =>
  sql`${sql.identifier(alias)}.${sql.identifier(name)}`

const columnsOf = (alias: string, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => columnOf(alias, name)),
    sql`, `,
  )

/** A page of them, and the number of all. */
export type RecordChanges = { total: number; items: PlannedRecord[] }

/** A record before and after, as JSON texts of the API's form. */
type ChangedRow = {
  index: number | null
  key: string
  was: boolean
  exists: boolean
  differs: boolean
  before: string | null
  after: string | null
}

/** Numbers keep all their digits, as marked texts (`lib/values/exact-numbers`). */
function toRecordChange(keys: readonly string[], row: ChangedRow): PlannedRecord {
  const { index } = row
  const isGenerated = !row.was && index === null
  const before = read(row.before)
  const after = read(row.after)
  if (isGenerated && after) for (const key of keys) delete after[key]
  const key = isGenerated ? null : read(row.key)
  if (!row.was) return { index, key, verdict: 'created', before: null, after }
  if (!row.exists) return { index, key, verdict: 'deleted', before, after: null }
  const verdict = row.differs ? 'updated' : 'unchanged'
  return { index, key, verdict, ...changedFields(before ?? {}, after ?? {}) }
}

function changedFields(before: JsonObject, after: JsonObject) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (from: JsonObject): JsonObject =>
    Object.fromEntries(
      changed.flatMap((name): [string, Json][] =>
        name in from ? [[name, from[name] ?? null]] : [],
      ),
    )
  return { before: pick(before), after: pick(after) }
}

/** Without what the engine adds: the id, and the audit fields, which depend on when it is installed. */
function read(text: string | null): JsonObject | null {
  if (text === null) return null
  const json = parseJson(text, { exactly: true })
  if (!isObject(json)) return null
  for (const name of [ID_FIELD, ...AUDIT_FIELDS]) delete json[name]
  return json
}

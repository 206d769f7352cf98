import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { rows as rowsOf } from '@/lib/db/rows'
import type { Db } from '@/lib/db/types'
import type { Entity } from '@/lib/definitions/definition'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { Json, JsonObject } from '@/lib/values/json'
import type { Origin } from './origin'
import { type Candidate, pairSimilar } from './pair-similar'
import { formerKeysBut, rememberedSql } from './record-sql'

/** More changed records without a key than this are taken for new ones. */
const MAX_SIMILAR = 20_000

type Asked = {
  /** Rows whose content the file did not give before. */
  unknown: readonly PreparedRow[]
  /** All rows of the file. */
  rows: readonly PreparedRow[]
  /** The keys that are matched already. */
  taken: readonly string[]
}

/** The keys of records without a key that the file gave before with somewhat other fields, by index. */
export async function matchSimilar(
  db: Db,
  origin: Origin,
  entity: Entity,
  { unknown, rows, taken }: Asked,
): Promise<[number, string][]> {
  if (unknown.length === 0 || unknown.length > MAX_SIMILAR) return []
  const others = sql`select jsonb_array_elements_text(${JSON.stringify(taken)}::jsonb)`
  const former = await rowsOf<{ key: string; base: JsonObject }>(
    db,
    sql`select p.key, p.base from (${formerKeysBut(entity, origin, others)}) as "$free"
        join ${rememberedSql(entity, origin.pluginId, sql`"$free".key`)} on true
      where p.content is not null and p.base is not null
      order by p.key limit ${MAX_SIMILAR + 1}::int`,
  )
  if (former.length === 0 || former.length > MAX_SIMILAR) return []
  const fields = (object: JsonObject) => comparable(object, entity)
  const asked: Candidate<number>[] = []
  await forEachInTurns(unknown, ({ index, values, extra }) => {
    asked.push({ id: index, fields: fields({ ...values, ...extra }) })
  })
  const unique = entity.properties.flatMap(({ name, rules }) => (rules.unique ? [name] : []))
  const counts = await countValues(rows, asked, fields)
  const known: Candidate<string>[] = []
  await forEachInTurns(former, ({ key, base }) => {
    known.push({ id: key, fields: fields(base) })
  })
  return pairSimilar(asked, known, counts, new Set(unique))
}

/** The fields other than the key that have a value, as texts. */
function comparable(object: JsonObject, { keys }: Entity): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [name, value] of Object.entries(object))
    if (value !== null && !keys.includes(name)) fields.set(name, textOf(value))
  return fields
}

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** How often each value of the asked rows occurs in the whole file, by `field=value`. */
async function countValues(
  rows: readonly PreparedRow[],
  asked: readonly Candidate<number>[],
  fieldsOf: (object: JsonObject) => ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { fields } of asked)
    for (const [name, value] of fields) counts.set(`${name}=${value}`, 0)
  await forEachInTurns([...rows], (row) => {
    for (const [name, value] of fieldsOf({ ...row.values, ...row.extra })) {
      const count = counts.get(`${name}=${value}`)
      if (count !== undefined) counts.set(`${name}=${value}`, count + 1)
    }
  })
  return counts
}

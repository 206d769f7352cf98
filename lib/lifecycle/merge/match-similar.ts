import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { type Db, rows as rowsOf } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import type { Json, JsonObject } from '@/lib/values/json'
import { formerKeysBut, type Origin, rememberedSql } from '../base/record-sql'

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

/** A record by its fields, as texts. */
export type Candidate<K> = { id: K; fields: ReadonlyMap<string, string> }

/**
 * Pairs each record with the former one that it most likely is: the one with a value of its `unique` fields, or else one with
 * a value that no other record has, and at least half of its fields. Records with two likely former
 * ones stay without. `counts`: how often a value occurs among all records, by `field=value`.
 */
export async function pairSimilar<A, B>(
  records: readonly Candidate<A>[],
  former: readonly Candidate<B>[],
  counts: ReadonlyMap<string, number>,
  unique: ReadonlySet<string>,
): Promise<[A, B][]> {
  const sure = await pairBy(records, former, counts, (name) => unique.has(name))
  const [paired, taken] = [
    new Set(sure.map(([record]) => record)),
    new Set(sure.map(([, one]) => one)),
  ]
  const left = records.filter(({ id }) => !paired.has(id))
  const rest = former.filter(({ id }) => !taken.has(id))
  const likely = await pairBy(left, rest, counts, (_, a, b) => sharesHalf(a.fields, b.fields))
  return [...sure, ...likely]
}

type IsLikely = (field: string, record: Candidate<unknown>, earlier: Candidate<unknown>) => boolean

/** By values that one record and one former record have; `isLikely` decides about those two. */
async function pairBy<A, B>(
  records: readonly Candidate<A>[],
  former: readonly Candidate<B>[],
  counts: ReadonlyMap<string, number>,
  isLikely: IsLikely,
): Promise<[A, B][]> {
  const byValue = await valuesOf(former)
  const chosen = new Map<B, A | null>()
  await forEachInTurns(records, (record) => {
    const likely = new Set<Candidate<B>>()
    for (const [name, value] of record.fields) {
      const text = `${name}=${value}`
      const [only, ...others] = byValue.get(text) ?? []
      if (!only || others.length > 0 || (counts.get(text) ?? 0) > 1) continue
      if (isLikely(name, record, only)) likely.add(only)
    }
    const [one] = likely
    if (one && likely.size === 1) chosen.set(one.id, chosen.has(one.id) ? null : record.id)
  })
  return [...chosen].flatMap(([earlier, record]): [A, B][] =>
    record === null ? [] : [[record, earlier]],
  )
}

async function valuesOf<B>(former: readonly Candidate<B>[]) {
  const byValue = new Map<string, Candidate<B>[]>()
  await forEachInTurns(former, (one) => {
    for (const [name, value] of one.fields) {
      const text = `${name}=${value}`
      byValue.set(text, [...(byValue.get(text) ?? []).slice(0, 1), one])
    }
  })
  return byValue
}

function sharesHalf(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  const names = new Set([...a.keys(), ...b.keys()])
  const same = [...names].filter((name) => a.get(name) === b.get(name)).length
  return same * 2 >= names.size
}

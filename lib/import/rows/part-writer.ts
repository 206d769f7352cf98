import { sql } from 'drizzle-orm'
import type { RecordCounts } from '@/lib/db/schema/plugins'
import { type Db, rows as rowsOf, tableSql } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { isNumberKind } from '@/lib/kinds/kind'
import { KINDS } from '@/lib/kinds/kinds'
import { judgeStored } from '@/lib/records/rows-that-may'
import { mayRead } from '@/lib/registry/may-read'
import { findConflicts } from '@/lib/rows/conflicts'
import { findStored } from '@/lib/rows/find-conflicts'
import { jsonChunks, type PreparedRow } from '@/lib/rows/prepared-row'
import { INDEX_COLUMN, incoming, recordset, sameValues, stored } from '@/lib/rows/record-columns'
import { addFault, addPlainFault, type RecordFaults, showable } from '@/lib/rows/record-faults'
import { keyOf } from '@/lib/rows/record-key'
import { readConstraints } from '@/lib/rows/table-constraints'
import type { Json, JsonObject } from '@/lib/values/json'
import { isNamedIn } from '../import-rules'
import type { RowPlan } from './import-rows'
import { keepCutTexts } from './keep-cut-texts'
import { repeatedFinder } from './repeated-values'
import { type Held, selfReferences } from './self-references'
import { leftOf, writeRows } from './write-rows'

type Rows = PreparedRow[]

export type PartWriter = {
  counts: RecordCounts
  /** How many rows of `update` have no stored record. */
  missing: () => number
  /** Writes the rows that can be written; the others become faults. `textsOf` gives the cells of a row that has to wait for others. */
  add: (rows: Rows, textsOf: (index: number) => (string | null)[]) => Promise<void>
  /** Writes the rows that waited. Returns those of them that are refused. */
  end: () => Promise<Held[]>
}

/** Writes rows part by part in a transaction, or finds out what would happen in a dry run. */
export async function partWriter(
  db: Db,
  entity: Entity,
  { mode, key, isDryRun, actor, rules, keep = null }: RowPlan,
  { faults, isText, isSheet }: { faults: RecordFaults; isText: boolean; isSheet: boolean },
): Promise<PartWriter> {
  const { unique, foreign } = await readConstraints(db, entity)
  const takeRepeated = repeatedFinder(
    entity,
    [key, ...unique.map(({ columns }) => columns)],
    faults,
  )
  const isByKey = isSame(key, entity.keys)
  const own = selfReferences(db, entity, foreign, { isDryRun, faults })
  const counts: RecordCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  let missing = 0
  const now = new Date()
  const count = (more: Partial<RecordCounts>) => {
    counts.created += more.created ?? 0
    counts.updated += more.updated ?? 0
    counts.unchanged += more.unchanged ?? 0
  }

  async function add(rows: Rows, textsOf: (index: number) => (string | null)[]): Promise<void> {
    const distinct = await takeRepeated(rows)
    for (const group of await grouped(distinct)) {
      // Whether records of the file refer to each other has to be known before any of them is written.
      const checked = isDryRun || own.isNeeded ? await withoutConflicts(group) : group.rows
      const ready = await own.ready(checked, (row) => ({
        row,
        as: group.as,
        texts: textsOf(row.index),
      }))
      await write({ rows: ready, as: group.as })
    }
  }

  async function end(): Promise<Held[]> {
    const { rest, refused } = await own.end()
    for (const as of ['create', 'update', 'upsert'] as const)
      await write({ rows: rest.filter((held) => held.as === as).map(({ row }) => row), as })
    if (!isDryRun) await own.settle()
    return refused
  }

  async function write(group: Group): Promise<void> {
    if (group.rows.length === 0) return
    const how = { isLinked: own.isNeeded, isText, actorName: actor.name, now, faults, rules, keep }
    const options = { as: group.as, ...how }
    if (isDryRun) return count(await predicted(group))
    const mayBeCut = isSheet && group.as !== 'create'
    const rows = mayBeCut ? await keepCutTexts(db, entity, group.rows) : group.rows
    count(await writeRows(db, entity, rows, options))
  }

  /** Records are found by other fields than their key first. */
  async function grouped(rows: Rows): Promise<Group[]> {
    if (mode === 'create' || (isByKey && mode === 'upsert' && !rules && !keep))
      return [{ rows, as: mode }]
    const { stored, others } = isByKey ? await splitByKey(rows) : await splitBy(rows)
    if (mode === 'upsert')
      return [
        { rows: stored, as: 'update' },
        { rows: others, as: 'create' },
      ]
    for (const row of others) refuseMissing(row)
    return [{ rows: stored, as: 'update' }]
  }

  async function splitByKey(rows: Rows): Promise<Split> {
    const found = await findStored(db, entity, rows)
    const { ready, hidden } = await changeable(rows.filter(({ index }) => found.has(index)))
    return { stored: ready, others: rows.filter((row) => !found.has(row.index) || hidden.has(row)) }
  }

  /** By other unique fields. */
  async function splitBy(rows: Rows): Promise<Split> {
    const keys = await findKeysBy(db, entity, rows, key)
    const keyed = rows.flatMap((row) => {
      const found = keys.get(row.index)
      return found ? [{ ...row, values: { ...row.values, ...found } }] : []
    })
    const { ready, hidden } = await changeable(keyed)
    const isHidden = new Set([...hidden].map(({ index }) => index))
    const sent = new Map(rows.map((row) => [row.index, row]))
    const stored = ready.filter(({ index, values }) => {
      const row = sent.get(index)
      if (!row || !isOther(entity, row, values)) return true
      refuseOther(row, values)
      return false
    })
    return { stored, others: rows.filter(({ index }) => !keys.has(index) || isHidden.has(index)) }
  }

  /** The rows whose stored records policies let the caller change; `hidden`: those of which it does not know that there is a record. */
  async function changeable(
    rows: Rows,
  ): Promise<{ ready: Rows; hidden: ReadonlySet<PreparedRow> }> {
    const hidden = new Set<PreparedRow>()
    if (!rules?.update || rows.length === 0) return { ready: rows, hidden }
    const verdicts = await judgeStored(db, rules.update, rows)
    const ready = rows.filter((row) => {
      const verdict = verdicts.get(row.index)
      if (!verdict?.isVisible) hidden.add(row)
      else if (!verdict.isCovered) refuse(row, 'is a record that you may not change')
      else if (verdict.closed.length > 0)
        refuse(
          row,
          `has a field that you may not change in this record: ${verdict.closed.join(', ')}`,
        )
      else return true
      return false
    })
    return { ready, hidden }
  }

  function refuse({ index }: PreparedRow, message: string): void {
    addPlainFault(faults, 'value', null, { index, message })
  }

  async function withoutConflicts({ rows, as }: Group): Promise<Rows> {
    const only = ({ isSelf }: { isSelf: boolean }) => !isSelf
    const options = { faults, only, isNamed: (name: string) => isNamedIn(rules, name) }
    return leftOf(rows, faults, () => findConflicts(db, entity, rows, ON_DUPLICATE[as], options))
  }

  async function predicted({ rows, as }: Group): Promise<Partial<RecordCounts>> {
    if (as !== 'upsert')
      return as === 'create' ? { created: rows.length } : { updated: rows.length }
    const { size } = await findStored(db, entity, rows)
    return { created: rows.length - size, updated: size }
  }

  function refuseMissing(row: PreparedRow): void {
    missing++
    const shown = key.map(
      (name) => `"${name}" = ${JSON.stringify(showable(row.values[name] ?? null))}`,
    )
    const message = `There is no record with ${shown.join(', ')}`
    const about = { rule: 'key', field: key.join(', '), index: row.index } as const
    addFault(faults, { ...about, message: () => 'is the key of no record' }, () => ({
      ...{ index: row.index, message },
    }))
  }

  function refuseOther({ index }: PreparedRow, found: PreparedRow['values']): void {
    const stored = JSON.stringify(showable(keyOf(entity, found)))
    const shown = mayRead(actor, entity) ? `the key ${stored}` : 'another key'
    const message = `The record with this ${key.join(', ')} has ${shown}, which an import does not change`
    const about = { rule: 'key', field: entity.keys.join(', '), index } as const
    addFault(faults, { ...about, message: () => 'is not the key of the record' }, () => ({
      ...{ index, message },
    }))
  }

  return { counts, add, end, missing: () => missing }
}

type Split = { stored: Rows; others: Rows }
type Group = { rows: Rows; as: RowPlan['mode'] }

const ON_DUPLICATE = { create: 'Error', update: 'Update', upsert: 'Upsert' } as const

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))

const isOther = ({ keys }: Entity, { values }: PreparedRow, found: PreparedRow['values']) =>
  keys.some(
    (name) => (values[name] ?? null) !== null && String(values[name]) !== String(found[name]),
  )

/** The keys of the stored records that have the rows' values of other unique fields, by the index of the row. */
async function findKeysBy(
  db: Db,
  entity: Entity,
  rows: PreparedRow[],
  fields: readonly string[],
): Promise<Map<number, JsonObject>> {
  const keys = new Map<number, JsonObject>()
  const pairs = entity.keys.flatMap((key) => [sql`${key}::text`, asText(key)])
  for (const { json } of jsonChunks(rows, (row) => encode(row, fields))) {
    const relation = recordset(entity, json, [INDEX_COLUMN, ...fields])
    const found = await rowsOf<{ index: number; key: JsonObject }>(
      db,
      sql`select ${incoming(INDEX_COLUMN)} as index, json_build_object(${sql.join(pairs, sql`, `)}) as key
        from ${tableSql(entity.table)} as t, ${relation} where ${sameValues(fields)}`,
    )
    for (const { index, key } of found) keys.set(index, keyIn(entity, key))
  }
  return keys
}

/** As text, in which no digit is lost. */
const asText = (key: string) => sql`${stored(key)}::text`

/** In the form in which rows have it. */
function keyIn({ properties, keys }: Entity, texts: JsonObject): JsonObject {
  const values = keys.map((name): [string, Json] => {
    const text = String(texts[name])
    const kind = properties.find((one) => one.name === name)?.kind
    const isNumber = kind !== undefined && isNumberKind(kind) && !KINDS[kind].isSpelt('')
    const isSafe = isNumber && String(Number(text)) === text
    return [name, isSafe ? Number(text) : text]
  })
  return Object.fromEntries(values)
}

function encode({ index, values }: PreparedRow, fields: readonly string[]): string {
  const picked = fields.map((name): [string, Json] => [name, values[name] ?? null])
  return JSON.stringify(Object.fromEntries([[INDEX_COLUMN, index], ...picked]))
}

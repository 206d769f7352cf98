import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { TrashProblem } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { FileDetail } from '@/lib/definitions/definition-faults'
import type { KeptEdit } from '@/lib/records/kept-edits'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { type Conflicts, fieldOf, showable } from '@/lib/rows/record-faults'
import type { Signature } from '@/lib/rows/record-statements'
import { updateRecords } from '@/lib/rows/update-records'
import { type Json, type JsonObject, stringifyExactly } from '@/lib/values/json'
import { recordProblems } from './restored-rows'

type OnProblem = (index: number, problem: TrashProblem) => void

/** Writes values back; tells of each record that the database refuses, and leaves it as it is. */
export async function writeBack(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  signature: Signature,
  onProblem: OnProblem,
): Promise<void> {
  for (const { removed, rows: alike } of byRemoved(rows)) {
    const options = { strategy: 'Upsert', removed, ...signature } as const
    await write(alike)
    async function write(some: PreparedRow[]): Promise<void> {
      if (some.length === 0) return
      const { conflicts } = await updateRecords(tx, entity, some, options)
      if (conflicts) await writeWithout(some, conflicts)
    }
    /** Without those that are known to be refused, or else in halves until they are found. */
    async function writeWithout(some: PreparedRow[], conflicts: Conflicts): Promise<void> {
      const refused = new Set(conflicts.details.map(({ index }) => index))
      const known = some.length === 1 ? some : some.filter(({ index }) => refused.has(index))
      for (const row of known) onProblem(row.index, problemOf(row, conflicts))
      if (known.length > 0) return write(without(some, known))
      const middle = some.length >> 1
      await write(some.slice(0, middle))
      await write(some.slice(middle))
    }
  }
}

const REASONS: Record<NonNullable<Conflicts['kind']>, TrashProblem['reason']> = {
  duplicate: 'unique-taken',
  unique: 'unique-taken',
  reference: 'reference-gone',
  refused: 'does-not-fit',
}

function problemOf({ index, values }: PreparedRow, { kind, details }: Conflicts): TrashProblem {
  const detail = details.find((one) => one.index === index)
  const field = detail ? fieldOf(detail.pointer) : ''
  const reason = REASONS[kind ?? 'refused']
  return { reason, fields: field ? [field] : [], value: showable(values[field] ?? null) }
}

type Alike = { removed: string[]; rows: PreparedRow[] }

/** Undeclared fields that a record did not have are removed again, by one statement for those of the same. */
function byRemoved(rows: readonly PreparedRow[]): Alike[] {
  const groups = new Map<string, Alike>()
  for (const { index, values, extra } of rows) {
    const entries = Object.entries(extra ?? {})
    const removed = entries.filter(([, value]) => value === null).map(([name]) => name)
    const group = groups.get(JSON.stringify(removed)) ?? { removed, rows: [] }
    groups.set(JSON.stringify(removed), group)
    const kept = Object.fromEntries(entries.filter(([, value]) => value !== null))
    group.rows.push({ index, values, extra: extra && kept })
  }
  return [...groups.values()]
}

/** Why edits can't be undone, by their ids. */
export type Problems = Map<number, TrashProblem>

/** Whether a record has other values now than the edit gave it. */
export function sinceThen({ after }: KeptEdit, present: JsonObject): TrashProblem | null {
  const fields = Object.keys(after).filter(
    (name) => !isDeepStrictEqual(present[name] ?? null, after[name] ?? null),
  )
  if (fields.length === 0) return null
  return { reason: 'changed-since', fields, value: valuesOf(fields, present) }
}

export function notFitting({ before, after }: KeptEdit, detail?: FileDetail): TrashProblem {
  const fields = detail ? [fieldOf(detail.pointer)] : Object.keys(after)
  return { reason: 'does-not-fit', fields, value: valuesOf(fields, before) }
}

const valuesOf = ([only, ...others]: string[], record: JsonObject): Json =>
  others.length === 0
    ? (record[only ?? ''] ?? null)
    : [only ?? '', ...others].map((name) => record[name] ?? null)

export const without = (rows: PreparedRow[], excluded: readonly PreparedRow[]): PreparedRow[] => {
  const indexes = new Set(excluded.map(({ index }) => index))
  return indexes.size === 0 ? rows : rows.filter(({ index }) => !indexes.has(index))
}

export async function recordEditProblems(
  tx: Db,
  batchId: string,
  problems: Problems,
): Promise<void> {
  if (problems.size === 0) return
  const list = [...problems].map(([id, problem]) => ({ id, problem }) as JsonObject)
  await recordProblems(
    tx,
    batchId,
    sql`select id as "$id", problem
      from json_to_recordset(${stringifyExactly(list)}::text::json) as p(id bigint, problem jsonb)`,
  )
}
